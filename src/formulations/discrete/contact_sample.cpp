#include "formulations/discrete/contact_sample.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_foot.hpp"
#include "formulations/discrete/contact_memory.hpp"
#include "formulations/discrete/solid_place.hpp"

namespace filum::discrete {
namespace {

// Of its edge, where a station touches: in motion at itself, at rest at its foot.
double share_of(const ModelData& model, const RodState& state, int pair, const SolidPlace& place) {
  const int solids = static_cast<int>(model.solids.size());
  const ContactStation& station = model.stations[at(pair / solids)];
  if (station.b < 0 || state.moving) return station.share;
  const geometry::Segment edge{place.seen(state.position[at(station.a)]), place.seen(state.position[at(station.b)])};
  return find_foot(model.solids[at(pair % solids)].shape, edge, foot_reach(model, pair / solids, kHolding)).share;
}

// Arc length at a share of the edge of a station.
double along(const ModelData& model, const ContactStation& station, double share) {
  const RodRange& range = model.rods[at(station.rod)];
  if (station.b < 0) return station.s;
  return station.s + (share - station.share) * range.mesh.edge_length(station.a - range.first_node);
}

// A station that a solid holds off. Its anchor is where the friction that acted says (contact/contact_law.hpp).
ContactPose sample_obstacle(const ModelData& model, const RodState& state, int pair) {
  const std::size_t solids = model.solids.size();
  const ContactStation& station = model.stations[at(pair) / solids];
  const std::size_t k = at(pair) % solids;
  const Solid& solid = model.solids[k];
  const Mat3& rotation = state.solid_rotation[k];
  const SolidPlace place{state.solid_position[k], rotation};
  const double share = share_of(model, state, pair, place);
  const Vec3 x = position_of(state.position, station, share);
  const geometry::Distance distance = geometry::distance_from(solid.shape, place.seen(x));
  const Vec3& n = distance.normal;
  const contact::Memory memory = memory_of(state, pair);

  ContactPose pose;
  pose.a.rod = station.rod;
  pose.a.s = along(model, station, share) * state.length_factor[at(station.rod)];
  pose.b.obstacle = solid.obstacle;
  if (solid.obstacle < 0) pose.b.body = solid.body;
  pose.normal = rotation * n;
  pose.position = x - station.radius * pose.normal;
  pose.gap = distance.value - station.radius;
  pose.force = memory.force * pose.normal;
  if (solid.friction > 0) {
    const Vec3 way = place.seen(position_of(state.position, station)) - memory.anchor;
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
