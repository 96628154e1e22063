#include "formulations/discrete/contact_sample.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_memory.hpp"

namespace filum::discrete {
namespace {

// A station that a solid holds off. Its anchor is where the friction that acted says (contact/contact_law.hpp).
ContactPose sample_obstacle(const ModelData& model, const RodState& state, int pair) {
  const std::size_t solids = model.solids.size();
  const ContactStation& station = model.stations[at(pair) / solids];
  const std::size_t k = at(pair) % solids;
  const Solid& solid = model.solids[k];
  const Mat3& rotation = state.solid_rotation[k];
  const Vec3 x = position_of(state.position, station);
  const Vec3 seen = rotation.transpose() * (x - state.solid_position[k]);
  const geometry::Distance distance = geometry::distance_from(solid.shape, seen);
  const Vec3& n = distance.normal;
  const contact::Memory memory = memory_of(state, pair);

  ContactPose pose;
  pose.a.rod = station.rod;
  pose.a.s = station.s * state.length_factor[at(station.rod)];
  pose.b.obstacle = solid.obstacle;
  if (solid.obstacle < 0) pose.b.body = solid.body;
  pose.normal = rotation * n;
  pose.position = x - station.radius * pose.normal;
  pose.gap = distance.value - station.radius;
  pose.force = memory.force * pose.normal;
  if (solid.friction > 0) {
    const Vec3 way = seen - memory.anchor;
    pose.force -= station.stick_stiffness * (rotation * (way - n.dot(way) * n));
    pose.stick = memory.touch == contact::Touch::Stick;
  }
  pose.slip = rotation * state.contact_way[at(pair)];
  pose.chafing = state.contact_chafing[at(pair)];
  return pose;
}

}  // namespace

std::vector<ContactPose> sample_contacts(const ModelData& model, const RodState& state) {
  std::vector<ContactPose> list;
  for (int pair = 0; pair < static_cast<int>(state.contact_touch.size()); ++pair)
    if (!is_open(state, pair)) list.push_back(sample_obstacle(model, state, pair));
  return list;
}

}  // namespace filum::discrete
