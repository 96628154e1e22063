#include "formulations/chain/touch/touch_search.hpp"

#include "base/index.hpp"
#include "formulations/chain/touch/row_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace filum::chain {

namespace {

using geometry::MovingSegment;
using geometry::Segment;

constexpr double kNearBy = 0.1;     // of the radius: what is as near as that touches where it is
constexpr double kNearSize = 0.02;  // of the smaller body: likewise
constexpr double kAlong = 0.02;     // of the radii: likewise of two rods
constexpr double kDeep = 0.5;       // of the radius: what is so much deeper than foreseen has been pressed in
constexpr double kSideBySide = 2;   // of the radius: a stretch that is longer is held at both ends

}  // namespace

// What sees and what is seen, as the solid has it.
struct TouchSearch::Seen {
  const geometry::Shape& shape;
  MovingSegment way;
  double radius = 0;
  double margin = 0;
  double size = 0;
};

// Of one look: the parts, where they are and how fast.
struct TouchSearch::Sight {
  const ModelData& model;
  const Mechanism& mechanism;
  const ChainState& state;
  std::span<const Vec6> velocity;
  double dt;

  [[nodiscard]] const PartState& part(int p) const { return state.parts[at(p)]; }
  [[nodiscard]] Segment core(int e) const {
    const Vec3 half = part(e).orientation * Vec3(0, 0, mechanism.half_length[at(e)]);
    return {part(e).position - half, part(e).position + half};
  }
  [[nodiscard]] Vec3 speed(int p, const Vec3& x) const {
    const Vec6& v = velocity[at(p)];
    return v.head<3>() + v.tail<3>().cross(x - part(p).position);
  }
  [[nodiscard]] Vec3 seen(int other, const Vec3& x) const {
    return part(other).orientation.conjugate() * (x - part(other).position);
  }
  // From where a point of a part is to where it comes, as another part sees it.
  [[nodiscard]] Vec3 seen_end(int own, int other, const Vec3& x) const {
    return seen(other, x) + dt * (part(other).orientation.conjugate() * (speed(own, x) - speed(other, x)));
  }
  [[nodiscard]] MovingSegment way(int own, int other, const Segment& core) const {
    return {{seen(other, core.from), seen(other, core.to)},
            {seen_end(own, other, core.from), seen_end(own, other, core.to)}};
  }
  // A place at a share of the core, with the distance that its middle has at a time.
  [[nodiscard]] TouchFound found(int own, int other, const Seen& what, double share, double time) const {
    const Vec3 there = what.way.at(time).at(share);
    const Vec3 here = what.way.from.at(share);
    const geometry::Distance distance = geometry::distance_from(what.shape, there);
    TouchFound place;
    place.part = own;
    place.other = other;
    place.give = kDeep * what.radius;
    place.size = what.size;
    place.gap = distance.value - what.radius + distance.normal.dot(here - there);
    const PartState& frame = part(other);
    place.normal = frame.orientation * distance.normal;
    place.point = frame.position + frame.orientation * (here - what.radius * distance.normal);
    return place;
  }
};

void TouchSearch::lay_out(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  radius_.clear();
  for (int e = 0; e < mechanism.first_body; ++e)
    radius_.push_back(stiffness_of(model, state.elements[at(e)]).outline.maxCoeff());
  tied_.assign(radius_.size(), {});
  const auto tie = [&](int element, int part) {
    if (element < mechanism.first_body && part >= mechanism.first_body) tied_[at(element)].push_back(part);
  };
  for (const Link& link : mechanism.links) tie(link.a, link.b), tie(link.b, link.a);
}

// Along a rod, or tied to the same thing: they meet there whatever happens.
bool TouchSearch::are_neighbours(const ModelData& model, const ChainState& state, int a, int b) const {
  constexpr double kApart = 4;  // of the radius, along the rod
  const Element& one = state.elements[at(a)];
  const Element& other = state.elements[at(b)];
  if (one.rod == other.rod) {
    const RodData& rod = model.rods[at(one.rod)];
    double away = std::max(other.begin - one.end, one.begin - other.end);
    if (rod.closed) away = std::min(away, rod.length - std::max(one.end, other.end) + std::min(one.begin, other.begin));
    if (away < kApart * radius_[at(a)] || std::abs(a - b) <= 1) return true;
  }
  const std::vector<int>& its = tied_[at(b)];
  return std::any_of(tied_[at(a)].begin(), tied_[at(a)].end(),
                     [&](int part) { return std::find(its.begin(), its.end(), part) != its.end(); });
}

int TouchSearch::carrier(const ModelData& model, const Mechanism& mechanism, int solid) {
  const int body = model.touch.solids[at(solid)].body;
  return body < 0 ? mechanism.world : mechanism.first_body + body;
}

bool TouchSearch::is_left_out(const ModelData& model, const Element& element, int feature, int solid) const {
  const double near = kSamePlace * model.rods[at(element.rod)].length;
  const auto is_out = [&](double s) { return model.touch.leaves_out(element.rod, s, solid, near); };
  if (feature == 0) return is_out(element.begin);
  if (feature == 1) return is_out(element.end);
  return is_out(element.begin) || is_out(element.end);
}

void TouchSearch::look_at_element(const Sight& sight, int element, int k) {
  const ModelData& model = sight.model;
  const discrete::Solid& solid = model.touch.solids[at(k)];
  const int other = carrier(model, sight.mechanism, k);
  const double radius = radius_[at(element)];
  const MovingSegment way = sight.way(element, other, sight.core(element));
  const double near = (1 + kNearBy) * radius;
  if (solid.bounds.square_distance(box_of(way)) > near * near) return;
  const auto add = [&](const Seen& what, int feature, double share, double time) {
    TouchFound place = sight.found(element, other, what, share, time);
    place.feature = feature;
    place.solid = k;
    found_.push_back(place);
  };
  for (const int end : {0, 1}) {
    if (is_left_out(model, sight.state.elements[at(element)], end, k)) continue;
    const Vec3& from = end == 0 ? way.from.from : way.from.to;
    const Vec3& to = end == 0 ? way.to.from : way.to.to;
    const Seen what{solid.shape, {{from, from}, {to, to}}, radius, kNearBy * radius, radius};
    if (const auto time = first_time(solid.shape, what.way, near)) add(what, end, 0, *time);
  }
  if (std::holds_alternative<geometry::HalfSpace>(solid.shape) ||
      is_left_out(model, sight.state.elements[at(element)], 2, k))
    return;
  const auto time = first_time(solid.shape, way, near);
  if (!time) return;
  const std::size_t before = found_.size();
  look_at_row(sight, element, other, {solid.shape, way, radius, kNearBy * radius, radius}, *time);
  for (std::size_t i = before; i < found_.size(); ++i) {
    found_[i].feature = 2 + static_cast<int>(i - before);
    found_[i].solid = k;
  }
}

// Features of the one against the distance from the other.
void TouchSearch::look_at_pair(const Sight& sight, int index) {
  const discrete::SolidPair& pair = sight.model.touch.pairs[at(index)];
  const discrete::Solid& solid = sight.model.touch.solids[at(pair.b)];
  const std::vector<discrete::SolidFeature>& features = sight.model.touch.solids[at(pair.a)].features;
  const int a = carrier(sight.model, sight.mechanism, pair.a);
  const int b = carrier(sight.model, sight.mechanism, pair.b);
  const PartState& frame = sight.part(a);
  const auto placed = [&](const Vec3& x) { return Vec3(frame.position + frame.orientation * x); };
  for (int f = 0; f < static_cast<int>(features.size()); ++f) {
    const discrete::SolidFeature& feature = features[at(f)];
    const Seen what{solid.shape, sight.way(a, b, {placed(feature.core.from), placed(feature.core.to)}), feature.radius,
                    std::max(kNearBy * feature.radius, kNearSize * pair.size), pair.size};
    const double near = feature.radius + feature.round + what.margin;
    if (solid.bounds.square_distance(box_of(what.way)) > near * near) continue;
    const std::size_t before = found_.size();
    look_at_feature(sight, feature, a, b, what);
    for (std::size_t k = before; k < found_.size(); ++k) {
      TouchFound& place = found_[k];
      place.own = pair.a;
      place.feature = 2 * f + static_cast<int>(k - before);
      place.solid = pair.b;
      // told of one that moves
      if (sight.mechanism.parts[at(a)].moves) continue;
      std::swap(place.part, place.other);
      place.normal = -place.normal;
    }
  }
}

void TouchSearch::look_at_feature(const Sight& sight, const discrete::SolidFeature& feature, int a, int b,
                                  const Seen& what) {
  if (feature.kind == discrete::FeatureKind::Ring) return look_at_ring(sight, feature, a, b, what);
  const auto time = first_time(what.shape, what.way, feature.radius + what.margin);
  if (!time) return;
  if (feature.kind == discrete::FeatureKind::Row) return look_at_row(sight, a, b, what, *time);
  const TouchFound place = sight.found(a, b, what, 0, *time);
  discrete::SolidFeature ball = feature;
  const Quat back = sight.part(b).orientation.conjugate();
  ball.axis = back * (sight.part(a).orientation * feature.axis);
  if (discrete::lies_flat(ball, back * place.normal)) found_.push_back(place);
}

// Where it meets, or else, turning, comes to lie.
void TouchSearch::look_at_row(const Sight& sight, int own, int other, const Seen& what, double time) {
  for (const double when : {time, 1.0}) {
    const RowPlaces places = places_on(what.shape, what.way.at(when), what.radius);
    for (int i = 0; i < places.count; ++i) found_.push_back(sight.found(own, other, what, places.share[at(i)], when));
    if (places.count > 0) return;
  }
}

// The rim of a cylinder, if it is tilted; where its face lies flat balls on it hold it.
void TouchSearch::look_at_ring(const Sight& sight, const discrete::SolidFeature& feature, int a, int b,
                               const Seen& what) {
  constexpr double kTilt = 1e-6;  // rad
  const PartState& frame = sight.part(b);
  const Quat turn = frame.orientation.conjugate() * sight.part(a).orientation;
  discrete::SolidFeature ring = feature;
  ring.core = what.way.from;
  ring.axis = turn * feature.axis;
  ring.side = turn * feature.side;
  const double share = discrete::nearest_share(what.shape, ring);
  if (!discrete::is_tilted(what.shape, ring, share, kTilt)) return;
  const Vec3 x = discrete::point_of(ring, share);
  const Vec3 end = sight.seen_end(a, b, frame.position + frame.orientation * x);
  const Seen ball{what.shape, {{x, x}, {end, end}}, what.radius, what.margin, what.size};
  if (const auto time = first_time(what.shape, ball.way, what.radius + what.margin))
    found_.push_back(sight.found(a, b, ball, 0, *time));
}

const std::vector<TouchFound>& TouchSearch::look(const ModelData& model, const Mechanism& mechanism,
                                                 const ChainState& state, std::span<const Vec6> velocity, double dt) {
  found_.clear();
  const Sight sight{model, mechanism, state, velocity, dt};
  for (int k = 0; k < static_cast<int>(model.touch.solids.size()); ++k)
    for (int e = 0; model.touch.holds_rods[at(k)] != 0 && e < mechanism.first_body; ++e) look_at_element(sight, e, k);
  for (int k = 0; k < static_cast<int>(model.touch.pairs.size()); ++k) look_at_pair(sight, k);
  if (model.touch.rod_friction.empty()) return found_;
  boxes_.clear();
  for (int e = 0; e < mechanism.first_body; ++e) {
    const MovingSegment way = sight.way(e, mechanism.world, sight.core(e));
    boxes_.push_back(box_of(way).grown((1 + kNearBy) * radius_[at(e)]));
  }
  near_.set(boxes_);
  near_.each([&](int a, int b) { look_at_elements(sight, a, b); });
  return found_;
}

// Two elements, where they cross, or at the ends of the stretch along which they lie side by side.
void TouchSearch::look_at_elements(const Sight& sight, int first, int second) {
  if (are_neighbours(sight.model, sight.state, first, second)) return;
  const double reach = radius_[at(first)] + radius_[at(second)];
  const MovingSegment a = sight.way(first, sight.mechanism.world, sight.core(first));
  const MovingSegment b = sight.way(second, sight.mechanism.world, sight.core(second));
  const geometry::SweptMeeting meeting = geometry::first_meeting(a, b, (1 + kNearBy) * reach);
  if (!meeting.meets) return;
  const Segment now_a = a.at(meeting.time);
  const Segment now_b = b.at(meeting.time);
  const geometry::SegmentPair nearest = geometry::closest_between(now_a, now_b);
  const auto add = [&](int feature, double share_a, double share_b) {
    const Vec3 apart = now_a.at(share_a) - now_b.at(share_b);
    const Vec3 start = a.from.at(share_a) - b.from.at(share_b);
    const double distance = apart.norm();
    if (!(distance > 0)) return;
    TouchFound place;
    place.part = first;
    place.other = second;
    place.feature = feature;
    place.normal = apart / distance;
    place.gap = place.normal.dot(start) - reach;
    place.give = kDeep * reach;
    place.size = reach;
    place.point = a.from.at(share_a) - radius_[at(first)] * place.normal;
    found_.push_back(place);
  };
  // what is as near as the nearest, of the four ends
  struct End {
    int feature;
    double a;
    double b;
  };
  std::array<End, 4> ends{{{1, 0, geometry::closest_on(now_b, now_a.from)},
                           {2, 1, geometry::closest_on(now_b, now_a.to)},
                           {3, geometry::closest_on(now_a, now_b.from), 0},
                           {4, geometry::closest_on(now_a, now_b.to), 1}}};
  const auto is_far = [&](const End& end) {
    return (now_a.at(end.a) - now_b.at(end.b)).norm() > nearest.distance + kAlong * reach;
  };
  const auto last = std::remove_if(ends.begin(), ends.end(), is_far);
  const auto [least, most] =
      std::minmax_element(ends.begin(), last, [](const End& x, const End& y) { return x.a < y.a; });
  if (last == ends.begin() || (most->a - least->a) * (now_a.to - now_a.from).norm() < kSideBySide * reach)
    return add(0, nearest.first, nearest.second);
  add(least->feature, least->a, least->b);
  add(most->feature, most->a, most->b);
}

bool TouchSearch::crossed(const ModelData& model, const Mechanism& mechanism, const std::vector<PartState>& before,
                          const ChainState& after) const {
  // the straight way of a piece of a part, as another part sees it
  const auto way = [&](std::size_t own, std::size_t other, const Segment& core) {
    const auto seen = [&](const PartState& part, const PartState& from) {
      const auto place = [&](const Vec3& x) {
        return Vec3(from.orientation.conjugate() * (part.position + part.orientation * x - from.position));
      };
      return Segment{place(core.from), place(core.to)};
    };
    return MovingSegment{seen(before[own], before[other]), seen(after.parts[own], after.parts[other])};
  };
  const TouchModel& touch = model.touch;
  for (int k = 0; k < static_cast<int>(touch.solids.size()); ++k)
    for (int e = 0; touch.holds_rods[at(k)] != 0 && e < mechanism.first_body; ++e) {
      if (is_left_out(model, after.elements[at(e)], 2, k)) continue;
      const Vec3 half(0, 0, mechanism.half_length[at(e)]);
      if (goes_through(touch.solids[at(k)].shape, touch.solids[at(k)].bounds,
                       way(at(e), at(carrier(model, mechanism, k)), {-half, half}), radius_[at(e)]))
        return true;
    }
  for (const discrete::SolidPair& pair : touch.pairs) {
    const auto a = at(carrier(model, mechanism, pair.a));
    const auto b = at(carrier(model, mechanism, pair.b));
    for (const discrete::SolidFeature& feature : touch.solids[at(pair.a)].features)
      if (feature.kind != discrete::FeatureKind::Ring &&
          goes_through(touch.solids[at(pair.b)].shape, touch.solids[at(pair.b)].bounds, way(a, b, feature.core),
                       feature.radius))
        return true;
  }
  return false;
}

}  // namespace filum::chain
