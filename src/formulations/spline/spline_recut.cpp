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

// The old rod at any place.
class OldRod {
 public:
  OldRod(const SplineModel& model, int rod, const SplineState& state)
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
  const OldRod was(from, old_rod, old);
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

}  // namespace filum::spline
