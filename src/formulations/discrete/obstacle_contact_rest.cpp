// Contact at rest: who is looked at, how far a step of Newton's may go, what is remembered of an equilibrium.
#include "formulations/discrete/obstacle_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_memory.hpp"

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
  std::fill(clear_.begin(), clear_.end(), Clear{});
  // what slips does so from where it was
  for (int pair = 0; pair < static_cast<int>(is_near_.size()); ++pair)
    if (is_open(state, pair))
      state.contact_anchor[at(pair)] = before_[solid_of(pair)].seen(position_of(start, station_of(pair)));
}

void ObstacleContact::begin_as_it_is(RodState& state, const Targets& targets) {
  acts_ = false;
  if (empty()) return;
  acts_ = rubs_ = true;
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
    is_near_[at(pair)] = is_open(state, pair) ? 0 : 1;
    if (is_near_[at(pair)] != 0) near_.push_back(pair);
  }
}

// A distance changes by no more than the way: whoever was far enough away when last looked at need not be looked at
// again, nor who is near to such a one (`leader`: the node before it on its rod).
bool ObstacleContact::look(int pair, int leader, const Vec3& seen) {
  const double radius = station_of(pair).radius;
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
      if (!look(pair, leader, now_[at(solid)].seen(position_of(state.position, station)))) continue;
      is_near_[at(pair)] = 1;
      near_.push_back(pair);
    }
  }
}

// A station between nodes holds only where it is nearer to the solid than both nodes of its edge and no further than
// its neighbours: over an edge or a corner. On a face the nodes suffice, and stations between them would hold the same
// place several times over.
bool ObstacleContact::nearest_of_its_edge(const RodState& state, int pair) const {
  const ContactStation& station = station_of(pair);
  if (station.b < 0) return true;
  constexpr double kNearer = 1e-9;  // of the radius
  const int solids = static_cast<int>(model_.solids.size());
  const double here = gap(state, pair).value;
  for (const int step : {-solids, solids}) {
    bool neighbour = true;
    for (int other = pair + step; other >= 0 && other < static_cast<int>(is_near_.size()); other += step) {
      const bool node = station_of(other).b < 0;
      if (!node && !neighbour) continue;
      neighbour = false;
      if (model_.apart[at(other)] == 0) {
        const double there = gap(state, other).value;
        if (there < here || (node && !(there > here + kNearer * station.radius))) return false;
      }
      if (node) break;
    }
  }
  return true;
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
  const Vec3 x = position_of(state.position, station);
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
           return !is_open(state, pair) && model_.solids[solid_of(pair)].friction > 0;
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
      const contact::Touch touch = model_.solids[solid].friction > 0 ? contact::Touch::Stick : contact::Touch::Slip;
      const Vec3 anchor = state.contact_anchor[at(pair)] + here.way;
      keep({touch, state.contact_force[at(pair)], anchor, Vec3::Zero()}, pair, state);
    }
  }
  leave_solids(state);
}

}  // namespace filum::discrete
