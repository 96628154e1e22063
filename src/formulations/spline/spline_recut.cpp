#include "formulations/spline/spline_recut.hpp"

#include "base/index.hpp"
#include "formulations/spline/segment_frames.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "rod/edge.hpp"

#include <algorithm>
#include <cmath>

namespace filum::spline {

namespace {

// A place of a rod on one of its segments.
struct Place {
  int segment = 0;  // of the rod
  double share = 0;
};
Place place_at(const rod::SplineKnots& knots, double s) {
  int k = 0;
  while (k + 1 < knots.segments() && knots.start(k + 1) <= s) ++k;
  return {k, std::clamp((s - knots.start(k)) / knots.width(k), 0.0, 1.0)};
}

// A rod at any place.
class AnyPlace {
 public:
  AnyPlace(const SplineModel& model, int rod, const SplineState& state)
      : model_(model), spline_(model.rods[at(rod)]), state_(state) {
    turned_.push_back(0);
    for (int k = 0; k < spline_.knots.segments(); ++k)
      turned_.push_back(turned_.back() + state.twist[at(spline_.first_segment + k)]);
  }

  [[nodiscard]] Vec3 value(const std::vector<Vec3>& control, double s) const {
    const rod::SplineBasis basis = basis_at(s);
    Vec3 sum = Vec3::Zero();
    for (int p = 0; p < 4; ++p) sum += basis.value[at(p)] * control[at(spline_.first_control + basis.first + p)];
    return sum;
  }
  [[nodiscard]] Vec3 slope(const std::vector<Vec3>& control, double s) const {
    const rod::SplineBasis basis = basis_at(s);
    const int first = spline_.first_control + basis.first;
    Vec3 sum = Vec3::Zero();
    for (int p = 0; p < 3; ++p) sum += basis.slope[at(p)] * (control[at(first + p + 1)] - control[at(first + p)]);
    return sum;
  }
  [[nodiscard]] Mat3 frame(double s) const {
    const Place place = place_at(spline_.knots, s);
    const auto index = at(spline_.first_segment + place.segment);
    const Segment& segment = model_.segments[index];
    for (const int end : {0, 1})
      if (std::abs(place.share - end) < kSamePlace) return state_.node_frame[at(segment.node[at(end)])];
    return frame_within(segment_slopes(state_.leg, segment), state_.node_frame[at(segment.node[0])],
                        state_.twist[index], place.share);
  }
  // Twist from its start on, of which the material has evenly in every segment.
  [[nodiscard]] double turned(double s) const {
    const Place place = place_at(spline_.knots, s);
    return turned_[at(place.segment)] + place.share * (turned_[at(place.segment) + 1] - turned_[at(place.segment)]);
  }
  [[nodiscard]] double spin(double s) const {
    const Place place = place_at(spline_.knots, s);
    const Segment& segment = model_.segments[at(spline_.first_segment + place.segment)];
    return (1 - place.share) * state_.node_spin[at(segment.node[0])] +
           place.share * state_.node_spin[at(segment.node[1])];
  }

 private:
  static constexpr double kSamePlace = 1e-9;

  [[nodiscard]] rod::SplineBasis basis_at(double s) const {
    const Place place = place_at(spline_.knots, s);
    return spline_.knots.at(place.segment, place.share);
  }

  const SplineModel& model_;
  const RodSpline& spline_;
  const SplineState& state_;
  std::vector<double> turned_;  // per node of the rod
};

}  // namespace

void recut_rod(const SplineModel& from, int old_rod, const SplineState& old, const SplineModel& to, int rod,
               SplineState& now) {
  const AnyPlace was(from, old_rod, old);
  const RodSpline& spline = to.rods[at(rod)];
  const discrete::RodRange& range = to.nodes.rods[at(rod)];
  for (const bool moves : {false, true}) {
    const std::vector<Vec3>& list = moves ? old.velocity : old.control;
    std::vector<Vec3> points;
    std::vector<Vec3> slopes;
    for (const double s : range.mesh.s) {
      points.push_back(was.value(list, s));
      slopes.push_back(was.slope(list, s));
    }
    const std::vector<Vec3> controls = spline.knots.through(points, slopes);
    std::copy(controls.begin(), controls.end(), (moves ? now.velocity : now.control).begin() + spline.first_control);
  }
  for (int i = spline.first_control; i + 1 < spline.first_control + spline.knots.controls(); ++i)
    now.leg[at(i)] = now.control[at(i + 1)] - now.control[at(i)];
  for (int i = 0; i < range.mesh.nodes(); ++i) {
    const int node = range.first_node + i;
    const double s = range.mesh.s[at(i)];
    now.node_frame[at(node)] = rod::carried_frame(was.frame(s), node_slope(to, now, node), 0);
    now.node_spin[at(node)] = was.spin(s);
  }
  // whole turns; the rest is the curve's
  for (int k = 0; k < spline.knots.segments(); ++k)
    now.twist[at(spline.first_segment + k)] =
        was.turned(spline.knots.start(k) + spline.knots.width(k)) - was.turned(spline.knots.start(k));
  carry_memory(from, old_rod, old, to, rod, now);
}

namespace {

constexpr double kTooFine = 1.0 / 3;  // of what is allowed, after a knot was taken out
constexpr double kGrade = 2.1;        // a segment over its neighbour, at most
constexpr int kFewest = 4;            // segments between two breaks
constexpr int kFewestOfRing = 8;      // of a ring: fewer are no circle to go by
constexpr double kShortest = 1e-3;    // of the rod: no segment is halved below

// How much a segment of this width leaves a curve of this fourth derivative.
double height(double fourth, double width) {
  const double square = width * width;
  return fourth * square * square / 384;
}

// |r⁗| across the rod at the knots, from how r‴ jumps there: along it the curve is not left. Nothing is known at breaks,
// where more may jump. Of a ring the last knot is the first one again.
std::vector<double> fourth_derivatives(const SplineModel& model, const SplineState& state, int rod) {
  const RodSpline& spline = model.rods[at(rod)];
  const rod::SplineKnots& knots = spline.knots;
  const int segments = knots.segments();
  std::vector<Vec3> third;
  for (int k = 0; k < segments; ++k) {
    const auto bend = [&](double share) {
      const rod::SplineBasis basis = knots.at(k, share);
      return leg_sum(state.leg, spline.first_control + basis.first, basis.bend);
    };
    third.push_back((bend(1) - bend(0)) / knots.width(k));
  }
  std::vector<double> fourth(at(segments) + 1, 0);
  for (int i = knots.closed() ? 0 : 1; i < segments; ++i)
    if (!knots.is_break(i)) {
      const int before = (i + segments - 1) % segments;
      const Vec3 jump = third[at(i)] - third[at(before)];
      const rod::SplineBasis basis = knots.at(i, 0);
      const Vec3 tangent = leg_sum(state.leg, spline.first_control + basis.first, basis.slope).normalized();
      fourth[at(i)] = (jump - tangent.dot(jump) * tangent).norm() / (0.5 * (knots.width(i) + knots.width(before)));
    }
  if (knots.closed()) fourth.back() = fourth.front();
  return fourth;
}

// Knots of a rod that come and go. Of a ring the first one stays.
class Recut {
 public:
  Recut(const SplineModel& model, const SplineState& state, int rod, double allowed)
      : knots_(model.rods[at(rod)].knots), fourth_(fourth_derivatives(model, state, rod)), allowed_(allowed) {
    for (int k = 0; k < knots_.segments(); ++k) halve_.push_back(too_coarse(k));
    // neighbours go along, so that none is much longer than the next
    for (bool again = true; again;) {
      again = false;
      for (int k = 0; k < knots_.segments(); ++k)
        for (const int other : {beside(k, -1), beside(k, 1)})
          if (other >= 0 && !halve_[at(k)] && width(k) > kGrade * width(other)) again = halve_[at(k)] = true;
    }
  }

  std::vector<double> run(bool may_coarsen) {
    std::vector<double> places{0};
    bool merged = false;  // with the segment before it
    for (int k = 0; k < knots_.segments(); ++k) {
      if (halve_[at(k)]) places.push_back((knots_.start(k) + 0.5 * knots_.width(k)) / knots_.length());
      merged = may_coarsen && !merged && may_go(k + 1);
      if (!merged) places.push_back((knots_.start(k) + knots_.width(k)) / knots_.length());
    }
    places.back() = 1;
    return places;
  }

 private:
  [[nodiscard]] double width(int k) const { return knots_.width(k) / (halve_[at(k)] ? 2 : 1); }

  // The segment before or after this one; −1: none.
  [[nodiscard]] int beside(int k, int way) const {
    const int other = k + way;
    if (knots_.closed()) return (other + knots_.segments()) % knots_.segments();
    return other < knots_.segments() ? other : -1;
  }

  [[nodiscard]] bool too_coarse(int k) const {
    const double most = std::max(fourth_[at(k)], fourth_[at(k) + 1]);
    return knots_.width(k) > 2 * kShortest * knots_.length() && height(most, knots_.width(k)) > allowed_;
  }

  // How many segments there are between the breaks about a knot.
  [[nodiscard]] int about(int i) const {
    int first = i - 1;
    int last = i;
    while (first > 0 && !knots_.is_break(first)) --first;
    while (last + 1 < knots_.segments() && !knots_.is_break(last + 1)) ++last;
    return last - first + 1;
  }

  [[nodiscard]] bool may_go(int i) const {
    if (i >= knots_.segments() || knots_.is_break(i) || halve_[at(i) - 1] || halve_[at(i)]) return false;
    const int fewest = knots_.closed() ? kFewestOfRing : kFewest;
    if (std::abs(knots_.width(i) / knots_.width(i - 1) - 1) > 1e-6 || about(i) / 2 < fewest) return false;
    const double both = 2 * knots_.width(i);
    for (const int other : {beside(i - 1, -1), beside(i, 1)})
      if (other >= 0 && both > kGrade * width(other)) return false;
    const double most = std::max({fourth_[at(i) - 1], fourth_[at(i)], fourth_[at(i) + 1]});
    return height(most, both) < kTooFine * allowed_;
  }

  const rod::SplineKnots& knots_;
  std::vector<double> fourth_;
  double allowed_;
  std::vector<bool> halve_;  // per segment
};

}  // namespace

std::vector<double> wanted_knots(const SplineModel& model, const SplineState& state, int rod, double allowed,
                                 bool may_coarsen) {
  return Recut(model, state, rod, allowed).run(may_coarsen);
}

double largest_distance(const SplineModel& a_model, const SplineState& a, const SplineModel& b_model,
                        const SplineState& b, int rod) {
  const AnyPlace one(a_model, rod, a);
  const AnyPlace other(b_model, rod, b);
  double most = 0;
  for (const SplineModel* model : {&a_model, &b_model}) {
    const rod::SplineKnots& knots = model->rods[at(rod)].knots;
    for (int k = 0; k < knots.segments(); ++k)
      for (const double share : {0.5, 1.0}) {
        const double s = knots.start(k) + share * knots.width(k);
        most = std::max(most, (one.value(a.control, s) - other.value(b.control, s)).norm());
      }
  }
  return most;
}

}  // namespace filum::spline
