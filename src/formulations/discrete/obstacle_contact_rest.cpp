// Contact at rest: who is looked at, how far a step of Newton's may go, what is remembered of an equilibrium.
#include "formulations/discrete/obstacle_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_foot.hpp"
#include "formulations/discrete/contact_memory.hpp"
#include "formulations/discrete/friction_of.hpp"

#include <algorithm>
#include <variant>

namespace filum::discrete {

void ObstacleContact::begin_rest(RodState& state, const Targets& targets, const std::vector<Vec3>& start) {
  acts_ = false;
  if (empty()) return;
  begin_as_it_is(state, targets);
  at_rest_ = true;
  rubs_ = targets.increment;
  rest_.start_position = start;
  rest_.start_frame = state.frame;
  std::fill(clear_.begin(), clear_.end(), Clear{});
  // what slips does so from where it was
  for (int pair = 0; pair < static_cast<int>(is_near_.size()); ++pair)
    if (is_open(state, pair))
      state.contact_anchor[at(pair)] = before_[solid_of(pair)].seen(position_of(start, state.frame, station_of(pair)));
}

void ObstacleContact::begin_as_it_is(RodState& state, const Targets& targets) {
  acts_ = false;
  if (empty()) return;
  acts_ = rubs_ = has_feet_ = true;
  at_rest_ = false;
  motion_ = &rest_;
  place_solids(state, targets);
  near_.clear();
  forces_.clear();
  changed_ = pulled_ = false;
  deepest_ = sunk_ = 0;
  turns_ = 0;
  for (int pair = 0; pair < static_cast<int>(is_near_.size()); ++pair) {
    start_normal_[at(pair)].setZero();
    foot_[at(pair)] = station_of(pair).share;
    is_near_[at(pair)] = 0;
    if (!is_open(state, pair)) look_at(pair);
  }
  follow_feet(state);
}

// A distance changes by no more than the way: whoever was far enough away when last looked at need not be looked at
// again, nor who is near to such a one (`leader`: the node before it on its rod).
bool ObstacleContact::look(int pair, int leader, const Vec3& seen) {
  const ContactStation& station = station_of(pair);
  const int index = pair / static_cast<int>(model_.solids.size());
  const double radius = station.radius + (station.b < 0 ? 0 : foot_margin(model_, index));
  const auto clear = [&](const Clear& known) { return known.distance - (seen - known.seen).norm() > radius; };
  if (clear(clear_[at(leader)]) || clear(clear_[at(pair)])) return false;
  const Solid& solid = model_.solids[solid_of(pair)];
  if (const double square = solid.bounds.square_distance(geometry::Box{seen, seen}); square > radius * radius) {
    clear_[at(pair)] = {seen, std::sqrt(square)};
    return false;
  }
  const double distance = geometry::distance_from(solid.shape, seen).value;
  clear_[at(pair)] = {seen, distance};
  return distance < radius;
}

// Whoever is in a solid becomes one that is looked at in every iteration.
void ObstacleContact::look_around(const RodState& state) {
  const int solids = static_cast<int>(model_.solids.size());
  for (int solid = 0; solid < solids; ++solid) {
    int leader = solid;
    for (int pair = solid; pair < static_cast<int>(is_near_.size()); pair += solids) {
      const ContactStation& station = station_of(pair);
      if (station.b < 0) leader = pair;
      if (is_near_[at(pair)] != 0 || model_.apart[at(pair)] != 0) continue;
      if (!look(pair, leader, now_[at(solid)].seen(position_of(state, station)))) continue;
      look_at(pair);
    }
  }
}

// The edge of a station between nodes, as its solid sees it.
geometry::Segment ObstacleContact::edge_seen(const RodState& state, int pair) const {
  const ContactStation& station = station_of(pair);
  const SolidPlace& place = now_[solid_of(pair)];
  return {place.seen(state.position[at(station.a)]), place.seen(state.position[at(station.b)])};
}

double ObstacleContact::station_gap(const RodState& state, int pair) const {
  const Vec3 seen = now_[solid_of(pair)].seen(position_of(state, station_of(pair)));
  return geometry::distance_from(model_.solids[solid_of(pair)].shape, seen).value - station_of(pair).radius;
}

// Whether an open station may close: a node unless a foot beside it holds the same place, a station between nodes where
// its foot is nearer to the solid than both nodes: over an edge or a corner. On a face the nodes suffice, and stations
// between them would hold the same place several times over.
bool ObstacleContact::finds_foot(const RodState& state, int pair) {
  constexpr double kNearer = 1e-9;  // of the radius
  const ContactStation& station = station_of(pair);
  if (station.flat()) return true;
  if (station.b < 0) return foot_beside(state, pair) < 0;
  if (!nearest_of_its_edge(state, pair)) return false;
  const int index = pair / static_cast<int>(model_.solids.size());
  const geometry::Shape& shape = model_.solids[solid_of(pair)].shape;
  const geometry::Segment edge = edge_seen(state, pair);
  // a mesh whose normals are about the same at both nodes stands for something smooth
  constexpr double kSmooth = 0.94;  // cosine
  if (std::holds_alternative<geometry::PlacedMesh>(shape) &&
      geometry::distance_from(shape, edge.from).normal.dot(geometry::distance_from(shape, edge.to).normal) > kSmooth)
    return false;
  const Foot foot = find_foot(shape, edge, foot_reach(model_, index, kSearching));
  foot_[at(pair)] = foot.share;
  if (foot.beyond != 0) return false;
  const double here = geometry::distance_from(shape, edge.at(foot.share)).value + kNearer * station.radius;
  return geometry::distance_from(shape, edge.from).value > here && geometry::distance_from(shape, edge.to).value > here;
}

// Of the stations between the nodes of its edge, none of which holds beside it, it is no further than those beside it.
bool ObstacleContact::nearest_of_its_edge(const RodState& state, int pair) const {
  const int solids = static_cast<int>(model_.solids.size());
  const double here = station_gap(state, pair);
  for (const int other : {pair - solids, pair + solids}) {
    if (station_of(other).b < 0 || model_.apart[at(other)] != 0) continue;
    if (!is_open(state, other) || station_gap(state, other) < here) return false;
  }
  return true;
}

// The closed station on an edge beside a node that touches the solid where the node does: at a sharp edge or a corner,
// which is nearest to the foot, so that the node is free; or −1. Along a face what touches is as far apart as the rod's
// own points are.
int ObstacleContact::foot_beside(const RodState& state, int pair) const {
  constexpr double kSamePlace = 0.5;
  const int solids = static_cast<int>(model_.solids.size());
  const std::size_t solid = solid_of(pair);
  const auto touched = [&](const Vec3& seen) {
    const geometry::Distance distance = geometry::distance_from(model_.solids[solid].shape, seen);
    return Vec3(seen - distance.value * distance.normal);
  };
  for (const int step : {-solids, solids})
    for (int other = pair + step; other >= 0 && other < static_cast<int>(is_near_.size()); other += step) {
      const ContactStation& station = station_of(other);
      if (station.b < 0) break;
      if (is_open(state, other)) continue;
      const Vec3 node = now_[solid].seen(position_of(state, station_of(pair)));
      const Vec3 foot = now_[solid].seen(position_of(state, station, foot_[at(other)]));
      if ((touched(node) - touched(foot)).norm() < kSamePlace * (node - foot).norm()) return other;
    }
  return -1;
}

// Closed stations between nodes: to where their feet are now, and from station to station, or to a node, as they slide;
// and from a node to a foot that has taken its place.
void ObstacleContact::follow_feet(RodState& state) {
  const int solids = static_cast<int>(model_.solids.size());
  const std::size_t count = near_.size();
  for (std::size_t k = 0; k < count; ++k) {
    int pair = near_[k];
    int heading = 0;  // never back again: a solid that is hollow along the edge has two feet
    while (station_of(pair).b >= 0 && !station_of(pair).flat() && !is_open(state, pair)) {
      const Foot foot = find_foot(model_.solids[solid_of(pair)].shape, edge_seen(state, pair),
                                  foot_reach(model_, pair / solids, kHolding));
      foot_[at(pair)] = foot.share;
      const int next = pair + foot.beyond * solids;
      if (foot.beyond == 0 || foot.beyond == -heading || !at_rest_ || model_.apart[at(next)] != 0) break;
      heading = foot.beyond;
      hand_over(state, pair, next);
      pair = next;
    }
  }
  if (!at_rest_) return;
  for (std::size_t k = 0; k < count; ++k) {
    const int pair = near_[k];
    if (station_of(pair).b >= 0 || station_of(pair).flat() || is_open(state, pair)) continue;
    if (const int foot = foot_beside(state, pair); foot >= 0) hand_over(state, pair, foot);
  }
}

// What one station has borne the next one bears; where the rod has slipped to does not change by that.
void ObstacleContact::hand_over(RodState& state, int from, int to) {
  contact::Memory memory = memory_of(state, from);
  const SolidPlace& place = now_[solid_of(from)];
  const Vec3 between =
      place.seen(position_of(state, station_of(to))) - place.seen(position_of(state, station_of(from)));
  keep({contact::Touch::Open, 0, memory.anchor, Vec3::Zero()}, from, state);
  if (is_open(state, to)) {
    memory.anchor += between;
    keep(memory, to, state);
  } else {
    state.contact_force[at(to)] += memory.force;
  }
  if (is_near_[at(to)] == 0) look_at(to);
}

// The second derivative of the gap by what the foot slides (contact_foot.hpp); at an end of its reach it does not.
void ObstacleContact::slide_foot(const RodState& state, int pair, const contact::Gap& here, ContactTerm& out) const {
  constexpr double kAlong = 1e-6;  // a solid that is flatter along the rod than this, of its radius, says no place
  constexpr double kThere = 1e-6;
  const geometry::Segment edge = edge_seen(state, pair);
  const Vec3 e = edge.to - edge.from;
  const double force = state.contact_force[at(pair)];
  const FootSlide slide = foot_slide({here.value, here.normal, here.hessian}, e, foot_[at(pair)]);
  if (!(force > 0) || !(slide.bend * station_of(pair).radius > kAlong * e.squaredNorm()) ||
      std::abs(here.normal.dot(e)) > kThere * e.norm())
    return;
  out.slides = 1;
  out.give(0, 0) = force / slide.bend;
  const Mat3& rotation = now_[solid_of(pair)].rotation;
  for (std::size_t p = 0; p < 2; ++p) out.rise[0][p] = out.slide[0][p] = rotation * slide.along[p];
  if (out.turns == 0) return;
  // the same condition, n·e = 0, by the body's place and turn
  const Vec3 bend = rotation * (here.hessian * e);
  out.rise[0][2] = out.slide[0][2] = -bend;
  out.turn_slide[0] = out.turn[0].end.cross(bend) + rotation * here.normal.cross(e);
}

// A way that ends on another side of a solid than it began on is cut where it enters, half a radius in: there the
// contact closes with the normal of the side that the rod comes from.
double ObstacleContact::free_way(const RodState& state, int pair, const Vec3& by) const {
  constexpr double kSameSide = 0.5;  // cosine
  constexpr double kIn = 0.5;        // of the radius
  constexpr int kMostSteps = 60;
  const ContactStation& station = station_of(pair);
  const std::size_t solid = solid_of(pair);
  const geometry::Shape& shape = model_.solids[solid].shape;
  const double length = by.norm();
  if (length < kIn * station.radius || std::holds_alternative<geometry::HalfSpace>(shape)) return 1;
  const Vec3 x = position_of(state, station);
  const geometry::Segment way{now_[solid].seen(x), now_[solid].seen(x + by)};
  geometry::Box box;
  box.add(way.from);
  box.add(way.to);
  if (model_.solids[solid].bounds.square_distance(box) > station.radius * station.radius) return 1;
  const Clear& known = clear_[at(pair)];
  if (known.distance - (way.from - known.seen).norm() > length) return 1;
  if (!(geometry::distance_from(shape, way, station.radius).value < kIn * station.radius)) return 1;
  const geometry::Distance from = geometry::distance_from(shape, way.from);
  const geometry::Distance to = geometry::distance_from(shape, way.to);
  if (from.value < 0 || from.normal.dot(to.normal) > kSameSide) return 1;
  double share = 0;
  double gap = from.value - station.radius;
  for (int k = 0; k < kMostSteps && gap > 1e-3 * station.radius && share < 1; ++k) {
    share += gap / length;
    gap = geometry::distance_from(shape, way.from + share * (way.to - way.from)).value - station.radius;
  }
  return std::min(1.0, share + kIn * station.radius / length);
}

bool ObstacleContact::pulls(const RodState& state) const {
  return std::any_of(near_.begin(), near_.end(),
                     [&](int pair) { return !is_open(state, pair) && state.contact_force[at(pair)] < 0; });
}

void ObstacleContact::open_most_pulled(RodState& state) {
  int most = -1;
  for (const int pair : near_)
    if (!is_open(state, pair) && state.contact_force[at(pair)] < 0 &&
        (most < 0 || state.contact_force[at(pair)] < state.contact_force[at(most)]))
      most = pair;
  if (most < 0) return;
  keep({contact::Touch::Open, 0, state.contact_anchor[at(most)], Vec3::Zero()}, most, state);
  changed_ = true;
}

bool ObstacleContact::rubbing(const RodState& state) const {
  return acts_ && rubs_ && std::any_of(near_.begin(), near_.end(), [&](int pair) {
           return !is_open(state, pair) && friction_of(model_, station_of(pair), solid_of(pair)) > 0;
         });
}

// What was found without friction sticks where it is from now on.
void ObstacleContact::end_rest(RodState& state) {
  if (empty()) return;
  std::fill(state.contact_way.begin(), state.contact_way.end(), Vec3::Zero());
  for (const int pair : near_) {
    if (is_open(state, pair)) continue;
    const std::size_t solid = solid_of(pair);
    const contact::Stiffness stiff = law(station_of(pair), solid);
    const contact::Gap here = gap(state, pair);
    if (rubs_) {
      const Vec3 friction = contact::friction_force(stiff, here, memory_of(state, pair));
      remember(state, pair, here, friction / stiff.stick);
    } else {
      const bool rubs = friction_of(model_, station_of(pair), solid) > 0;
      const contact::Touch touch = rubs ? contact::Touch::Stick : contact::Touch::Slip;
      const Vec3 anchor = state.contact_anchor[at(pair)] + here.way;
      keep({touch, state.contact_force[at(pair)], anchor, Vec3::Zero()}, pair, state);
    }
  }
  leave_solids(state);
}

}  // namespace filum::discrete
