#include "formulations/spline/moving_recut.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_system.hpp"
#include "math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::spline {

namespace {

constexpr int kRounds = 4;           // of positions: strains are not linear
constexpr double kLight = 1e-6;      // the mass of a segment against its stiffness: how softly strains are asked for
constexpr double kMatched = 1e-11;   // strains that differ by less are alike
constexpr double kSamePlace = 1e-9;  // of a rod's length
constexpr double kThin = 1e-9;       // of its inertia: what a straight rod has about its own line

// The strain of a rod along it, and its rate.
struct Stretched {
  std::vector<double> s;
  std::vector<double> strain;
  std::vector<double> rate;
};

double place_of(const SplineModel& model, int stretch) {
  const StretchPoint& point = model.stretches[at(stretch)];
  const RodSpline& rod = model.rods[at(model.segments[at(point.segment)].rod)];
  const int k = point.segment - rod.first_segment;
  return rod.knots.start(k) + point.share * rod.knots.width(k);
}

Stretched stretched(const SplineModel& model, const SplineState& state, int rod) {
  const RodSpline& spline = model.rods[at(rod)];
  Stretched list;
  for (int g = spline.first_stretch; g < spline.first_stretch + spline.stretches; ++g) {
    const StretchPoint& point = model.stretches[at(g)];
    const int first = model.segments[at(point.segment)].first;
    const double speed = state.length_factor[at(rod)] * point.rest_speed;
    const Vec3 v = leg_sum(state.leg, first, point.slope);
    Vec3 turn = Vec3::Zero();
    for (int p = 0; p < 3; ++p)
      turn += point.slope[at(p)] * (state.velocity[at(first + p + 1)] - state.velocity[at(first + p)]);
    list.s.push_back(place_of(model, g));
    list.strain.push_back(v.norm() / speed - 1);
    list.rate.push_back(v.dot(turn) / (v.norm() * speed));
  }
  return list;
}

// The values that a list of places has at another place, within the part between two breaks.
double between(const std::vector<double>& s, const std::vector<double>& value, double x, double from, double to) {
  std::size_t before = s.size(), after = s.size();
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] < from || s[i] > to) continue;
    if (s[i] <= x && (before == s.size() || s[i] > s[before])) before = i;
    if (s[i] >= x && (after == s.size() || s[i] < s[after])) after = i;
  }
  if (before == s.size() && after == s.size()) return 0;
  if (before == s.size()) return value[after];
  if (after == s.size() || s[after] == s[before]) return value[before];
  const double share = (x - s[before]) / (s[after] - s[before]);
  return value[before] + share * (value[after] - value[before]);
}

// What the new stretch points of the rods that were recut ought to have; the others have what they have.
struct Wanted {
  std::vector<double> strain;
  std::vector<double> rate;
};
Wanted wanted_of(const SplineModel& from, const SplineState& old, const std::vector<int>& origin, const SplineModel& to,
                 const SplineState& now) {
  Wanted wanted;
  for (std::size_t r = 0; r < to.rods.size(); ++r) {
    const RodSpline& rod = to.rods[r];
    const Stretched own = stretched(to, now, static_cast<int>(r));
    if (origin[r] < 0) {
      wanted.strain.insert(wanted.strain.end(), own.strain.begin(), own.strain.end());
      wanted.rate.insert(wanted.rate.end(), own.rate.begin(), own.rate.end());
      continue;
    }
    const Stretched was = stretched(from, old, origin[r]);
    for (int g = rod.first_stretch; g < rod.first_stretch + rod.stretches; ++g) {
      int first = to.stretches[at(g)].segment - rod.first_segment;
      int last = first + 1;
      while (first > 0 && !rod.knots.is_break(first)) --first;
      while (last < rod.knots.segments() && !rod.knots.is_break(last)) ++last;
      const double begin = rod.knots.start(first);
      const double end = rod.knots.start(last - 1) + rod.knots.width(last - 1);
      const double s = own.s[at(g - rod.first_stretch)];
      wanted.strain.push_back(between(was.s, was.strain, s, begin, end));
      wanted.rate.push_back(between(was.s, was.rate, s, begin, end));
    }
  }
  return wanted;
}

// Momentum of a rod about the origin, its mass, centre and inertia about it.
struct Momentum {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  // about the centre
};
Momentum momentum_of(const SplineModel& model, const SplineState& state, int rod) {
  const RodSpline& spline = model.rods[at(rod)];
  Momentum sum;
  const auto each = [&](const auto& f) {
    for (int k = spline.first_segment; k < spline.first_segment + spline.knots.segments(); ++k) {
      const Segment& segment = model.segments[at(k)];
      for (int p = 0; p < 4; ++p)
        for (int q = 0; q < 4; ++q) f(segment.mass[at(p)][at(q)], segment.first + p, segment.first + q);
    }
  };
  each([&](double mass, int p, int q) {
    sum.mass += mass;
    sum.centre += mass * state.control[at(p)];
    sum.linear += mass * state.velocity[at(p)];
    sum.angular += mass * state.control[at(p)].cross(state.velocity[at(q)]);
  });
  sum.centre /= sum.mass;
  each([&](double mass, int p, int q) {
    const Vec3 a = state.control[at(p)] - sum.centre;
    const Vec3 b = state.control[at(q)] - sum.centre;
    sum.inertia += mass * (a.dot(b) * Mat3::Identity() - a * b.transpose());
  });
  return sum;
}

// A rod that nothing holds gets the momentum that it had.
void keep_momentum(const Momentum& was, const SplineModel& model, int rod, SplineState& now) {
  Momentum is = momentum_of(model, now, rod);
  const Vec3 move = (was.linear - is.linear) / is.mass;
  const Vec3 lacking = was.angular - is.angular - is.mass * is.centre.cross(move);
  is.inertia.diagonal().array() += kThin * is.inertia.trace();
  const Vec3 spin = math::solve(is.inertia, lacking);
  const RodSpline& spline = model.rods[at(rod)];
  for (int i = spline.first_control; i < spline.first_control + spline.knots.controls(); ++i)
    now.velocity[at(i)] += move + spin.cross(now.control[at(i)] - is.centre);
}

bool is_free(const SplineModel& model, int rod) {
  const auto on_rod = [&](int node) { return model.curve[at(node)].rod == rod; };
  for (const Grip& grip : model.grips)
    if (on_rod(grip.node) || (grip.tie >= 0 && on_rod(model.nodes.ties[at(grip.tie)].master))) return false;
  return std::none_of(model.nodes.sliders.begin(), model.nodes.sliders.end(),
                      [&](const discrete::Slider& slider) { return slider.rod == rod; });
}

double place_of_node(const SplineModel& model, int node) {
  const discrete::RodRange& range = model.nodes.rods[at(model.curve[at(node)].rod)];
  return range.mesh.s[at(node - range.first_node)];
}

// Per grip: how far what it holds in place is from there, if that is next to nothing (who looks for a place to grip sees
// rods as samples); and how fast it moves, if it is newly held: it comes to rest at once.
constexpr double kNearby = 1e-4;  // of the model's size
std::vector<Vec3> gaps_of(const SplineModel& model, const Targets& targets, const SplineState& state) {
  std::vector<Vec3> gaps(model.grips.size(), Vec3::Zero());
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    const Grip& grip = model.grips[k];
    if (grip.kind != GripKind::Place) continue;
    for (int axis = 0; axis < 3; ++axis)
      if (const int hold = model.nodes.position_hold[at(grip.node)][at(axis)]; hold >= 0)
        gaps[k][axis] = node_position(model, state, grip.node)[axis] - targets.holds[at(hold)].position[axis];
    if (gaps[k].norm() > kNearby * model.nodes.size) gaps[k].setZero();
  }
  return gaps;
}
std::vector<Vec3> blows_of(const SplineModel& from, const std::vector<int>& origin, const SplineModel& to,
                           const SplineState& now) {
  std::vector<Vec3> blows(to.grips.size(), Vec3::Zero());
  for (std::size_t k = 0; k < blows.size(); ++k) {
    const Grip& grip = to.grips[k];
    const int rod = to.curve[at(grip.node)].rod;
    if (grip.kind != GripKind::Place || rod < 0 || origin[at(rod)] < 0) continue;
    const double s = place_of_node(to, grip.node);
    const bool was_held = std::any_of(from.grips.begin(), from.grips.end(), [&](const Grip& other) {
      return other.kind == GripKind::Place && from.curve[at(other.node)].rod == origin[at(rod)] &&
             std::abs(place_of_node(from, other.node) - s) < kSamePlace * to.rods[at(rod)].knots.length();
    });
    if (!was_held) blows[k] = node_sum(to, now.velocity, grip.node);
  }
  return blows;
}

// Of the mass, in what strains are asked for with: so little that they are had.
double lightness(const SplineModel& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const Segment& segment : model.segments)
    least = std::min(least, segment.axial / (segment.stiffness.mass_per_length * segment.width * segment.width));
  return kLight * least;
}

}  // namespace

void settle_recut(const SplineModel& from, const SplineState& old, const std::vector<int>& origin,
                  const SplineModel& to, const Targets& targets, SplineState& now) {
  const Wanted wanted = wanted_of(from, old, origin, to, now);
  const double factor = lightness(to);
  System system(to);
  std::vector<double> miss(to.stretches.size());
  const auto missing = [&](const std::vector<double>& ask, std::vector<double> Stretched::*have) {
    double most = 0;
    for (std::size_t r = 0; r < to.rods.size(); ++r) {
      const Stretched own = stretched(to, now, static_cast<int>(r));
      for (std::size_t i = 0; i < own.s.size(); ++i) {
        const std::size_t g = at(to.rods[r].first_stretch) + i;
        miss[g] = (own.*have)[i] - ask[g];
        most = std::max(most, std::abs(miss[g]));
      }
    }
    return most;
  };
  const std::vector<Vec3> grip = now.grip;
  std::fill(now.grip.begin(), now.grip.end(), Vec3(Vec3::Zero()));
  for (int round = 0; round < kRounds && missing(wanted.strain, &Stretched::strain) > kMatched; ++round) {
    if (!system.least_change(now, targets, miss, gaps_of(to, targets, now), factor)) break;
    system.advance(now, 1);
  }
  missing(wanted.rate, &Stretched::rate);
  if (system.least_change(now, targets, miss, blows_of(from, origin, to, now), factor))
    for (int i = 0; i < to.controls; ++i)
      now.velocity[at(i)] += Eigen::Map<const Vec3>(system.step().data() + system.control_row(i));
  now.grip = grip;
  for (std::size_t g = 0; g < to.stretches.size(); ++g)
    if (const Segment& segment = to.segments[at(to.stretches[g].segment)]; origin[at(segment.rod)] >= 0)
      now.tension[g] = segment.axial * wanted.strain[g];
  for (std::size_t r = 0; r < to.rods.size(); ++r)
    if (origin[r] >= 0 && is_free(to, static_cast<int>(r)))
      keep_momentum(momentum_of(from, old, origin[r]), to, static_cast<int>(r), now);
}

}  // namespace filum::spline
