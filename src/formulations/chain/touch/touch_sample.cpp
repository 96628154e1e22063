#include "formulations/chain/touch/touch_sample.hpp"

#include "base/index.hpp"
#include "formulations/chain/touch/touch_search.hpp"

#include <algorithm>
#include <tuple>

namespace filum::chain {

namespace {

// The rod at the place of an element that is nearest to a point.
ContactSide side_of_element(const Mechanism& mechanism, const ChainState& state, int part, const Vec3& point) {
  const Element& element = state.elements[at(part)];
  const double half = mechanism.half_length[at(part)];
  const Vec3 along = state.parts[at(part)].orientation * Vec3::UnitZ();
  const double share = std::clamp(0.5 + 0.5 * along.dot(point - state.parts[at(part)].position) / half, 0.0, 1.0);
  ContactSide side;
  side.rod = element.rod;
  side.s = (element.begin + share * element.length()) * state.length_factor[at(element.rod)];
  return side;
}

ContactSide side_of(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                    const TouchState& touch, int part) {
  if (part < mechanism.first_body) return side_of_element(mechanism, state, part, touch.point);
  // which of the two solids it has
  const bool has_own = touch.own >= 0 && TouchSearch::carrier(model, mechanism, touch.own) == part;
  const discrete::Solid& solid = model.touch.solids[at(has_own ? touch.own : touch.solid)];
  ContactSide side;
  side.obstacle = solid.obstacle;
  if (solid.obstacle < 0) side.body = solid.body;
  return side;
}

}  // namespace

std::vector<ContactPose> sample_touches(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  std::vector<ContactPose> list;
  for (const TouchState& touch : state.touches) {
    ContactPose& pose = list.emplace_back();
    pose.a = side_of(model, mechanism, state, touch, touch.part);
    pose.b = side_of(model, mechanism, state, touch, touch.other);
    pose.position = touch.point;
    pose.normal = touch.normal;
    pose.force = touch.force * touch.normal + touch.friction;
    pose.gap = touch.gap;
    pose.slip = touch.slip;
    pose.stick = touch.sticks && !touch.friction.isZero(0);
    pose.chafing = touch.chafing;
    if (pose.a.rod >= 0 || pose.b.rod < 0) continue;
    // told of the rod
    std::swap(pose.a, pose.b);
    for (Vec3* vector : {&pose.normal, &pose.force, &pose.slip}) *vector = -*vector;
  }
  const auto order = [](const ContactPose& pose) { return std::tuple(pose.a.rod < 0, pose.a.rod, pose.a.s); };
  std::stable_sort(list.begin(), list.end(),
                   [&](const ContactPose& a, const ContactPose& b) { return order(a) < order(b); });
  return list;
}

}  // namespace filum::chain
