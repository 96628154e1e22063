#include "formulations/discrete/contact_sample.hpp"

#include "base/index.hpp"
#include "contact/approach.hpp"
#include "formulations/discrete/contact_foot.hpp"
#include "formulations/discrete/contact_memory.hpp"
#include "formulations/discrete/friction_of.hpp"
#include "formulations/discrete/solid_place.hpp"

#include <algorithm>
#include <utility>

namespace filum::discrete {
namespace {

// Of its edge, where a station touches: in motion at itself, at rest at its foot.
double share_of(const ModelData& model, const RodState& state, int pair, const SolidPlace& place) {
  const int solids = static_cast<int>(model.solids.size());
  const ContactStation& station = model.stations[at(pair / solids)];
  if (station.b < 0 || station.flat() || state.moving) return station.share;
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
  const Vec3 x = position_of(state, station, share);
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
  if (friction_of(model, station, k) > 0) {
    const Vec3 way = place.seen(position_of(state, station)) - memory.anchor;
    pose.force -= station.stick_stiffness * (rotation * (way - n.dot(way) * n));
    pose.stick = memory.touch == contact::Touch::Stick;
  }
  pose.slip = rotation * state.contact_way[at(pair)];
  pose.chafing = state.contact_chafing[at(pair)];
  return pose;
}

// Two strands that hold each other off: `a` has the station.
ContactPose sample_strands(const ModelData& model, const RodState& state, const RodTouch& touch) {
  const auto side = [&](int span, double u) {
    const RodRange& range = model.rods[at(model.edges[at(span)].rod)];
    const int edge = span - range.first_edge;
    ContactSide out;
    out.rod = model.edges[at(span)].rod;
    out.s = (range.mesh.s[at(edge)] + u * range.mesh.edge_length(edge)) * state.length_factor[at(out.rod)];
    return out;
  };
  const contact::Span& a = model.spans[at(touch.a)];
  const contact::Span& b = model.spans[at(touch.b)];
  const double radius = a.radius + b.radius;
  const contact::Approach place{.a = touch.a, .b = touch.b, .u = touch.u, .v = touch.v};
  const double keep = contact::keeping(a, 0.5 * radius);
  const contact::CurveGap curve = contact::curve_gap(model.spans, state.position, keep, place);

  ContactPose pose;
  pose.a = side(touch.a, touch.u);
  pose.b = side(touch.b, touch.v);
  pose.normal = curve.apart.stableNormalized();
  pose.position = contact::span_point(a, state.position, touch.u) - a.radius * pose.normal;
  pose.gap = curve.rho - radius;
  pose.force = touch.force / curve.rho * curve.apart;
  if (edge_friction(model, touch.a, touch.b) > 0) {
    const double stick = std::min(model.span_laws[at(touch.a)].stick, model.span_laws[at(touch.b)].stick);
    pose.force -= stick * (touch.drift - pose.normal.dot(touch.drift) * pose.normal);
    pose.stick = touch.touch == static_cast<int>(contact::Touch::Stick);
  }
  pose.slip = touch.way;
  pose.chafing = touch.chafing;
  return pose;
}

// Two solids that hold each other off: `a` is one that moves freely.
ContactPose sample_solids(const ModelData& model, const RodState& state, const BodyTouch& touch) {
  const SolidPair& pair = model.solid_pairs[at(touch.pair)];
  const Solid& own = model.solids[at(pair.a)];
  const Solid& other = model.solids[at(pair.b)];
  const SolidFeature& feature = own.features[at(touch.feature)];
  const auto side = [](const Solid& solid) {
    return solid.obstacle >= 0 ? ContactSide{.obstacle = solid.obstacle} : ContactSide{.body = solid.body};
  };
  const auto place = [&](int k) { return SolidPlace{state.solid_position[at(k)], state.solid_rotation[at(k)]}; };
  const Mat3& rotation = state.solid_rotation[at(pair.b)];
  const Vec3 x = place(pair.a).position + place(pair.a).rotation * point_of(feature, touch.share);
  const geometry::Distance distance = geometry::distance_from(other.shape, place(pair.b).seen(x));

  ContactPose pose;
  pose.a = side(own);
  pose.b = side(other);
  pose.normal = rotation * distance.normal;
  pose.position = x - feature.radius * pose.normal;
  pose.gap = distance.value - feature.radius;
  pose.force = touch.force * pose.normal;
  if (pair.friction > 0) {
    pose.force += pair.stick * (rotation * (touch.give - distance.normal.dot(touch.give) * distance.normal));
    pose.stick = touch.touch == static_cast<int>(contact::Touch::Stick);
  }
  pose.slip = rotation * touch.way;
  pose.chafing = touch.chafing;
  if (own.free < 0) {
    // told from the other side
    std::swap(pose.a, pose.b);
    for (Vec3* vector : {&pose.normal, &pose.force, &pose.slip}) *vector = -*vector;
  }
  return pose;
}

// What a file says is believed as far as it can be.
bool is_possible(const ModelData& model, const BodyTouch& touch) {
  if (touch.pair < 0 || at(touch.pair) >= model.solid_pairs.size() || !(touch.share >= 0 && touch.share <= 1))
    return false;
  const Solid& own = model.solids[at(model.solid_pairs[at(touch.pair)].a)];
  return touch.feature >= 0 && at(touch.feature) < own.features.size();
}

}  // namespace

std::vector<ContactPose> sample_contacts(const ModelData& model, const RodState& state) {
  std::vector<ContactPose> list;
  for (int pair = 0; pair < static_cast<int>(state.contact_touch.size()); ++pair)
    if (!is_open(state, pair)) list.push_back(sample_obstacle(model, state, pair));
  const std::size_t solids = list.size();
  for (const RodTouch& touch : state.rod_touch.list)
    if (is_possible(touch, static_cast<int>(model.spans.size()))) list.push_back(sample_strands(model, state, touch));
  if (list.size() > solids)
    std::stable_sort(list.begin(), list.end(), [](const ContactPose& a, const ContactPose& b) {
      return std::pair(a.a.rod, a.a.s) < std::pair(b.a.rod, b.a.s);
    });
  for (const BodyTouch& touch : state.body_touch.list)
    if (is_possible(model, touch)) list.push_back(sample_solids(model, state, touch));
  return list;
}

}  // namespace filum::discrete
