// Sliding holds: each grips the point of a rod at an arc length s that is itself unknown.
//
// The Lagrangian has λ·(r(s) − x̂), stationary by s too: without friction the hold pulls square to the rod, λ·r′(s) = 0. r is
// the spline's own curve, so s goes smoothly through the knots, and the moment may kink between them: the order there is
// that of a force away from a knot. Over a step that is averaged it is closed at its end, with the s of that end.
#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/spline/spline_curve.hpp"

#include <algorithm>
#include <cmath>

namespace filum::spline {

namespace {

// The matrix has room for a slider to wander so many control points either way before its pattern is made anew.
constexpr int kWindow = 2;

}  // namespace

SliderPlace slider_place(const SplineModel& model, const SplineState& state, int index) {
  const RodSpline& rod = model.rods[at(model.nodes.sliders[at(index)].rod)];
  const double s = state.slide[at(index)];
  int low = 0;
  int high = rod.knots.segments() - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (rod.knots.start(middle) <= s)
      low = middle;
    else
      high = middle - 1;
  }
  SliderPlace place;
  place.basis = rod.knots.at(low, std::clamp((s - rod.knots.start(low)) / rod.knots.width(low), 0.0, 1.0));
  place.first = model.segments[at(rod.first_segment + low)].first;
  return place;
}

Vec3 slider_point(const SplineModel& model, const SplineState& curve, const SplineState& slides, int index) {
  const SliderPlace place = slider_place(model, slides, index);
  Vec3 point = Vec3::Zero();
  for (int p = 0; p < 4; ++p) point += place.basis.value[at(p)] * curve.control[at(place.first + p)];
  return point;
}

void System::connect_sliders(math::BlockGraph& graph) {
  slider_window_.resize(model_.nodes.sliders.size());
  for (std::size_t k = 0; k < slider_window_.size(); ++k) {
    const RodSpline& rod = model_.rods[at(model_.nodes.sliders[k].rod)];
    const int count = rod.knots.controls();
    SliderWindow& window = slider_window_[k];
    window.first = std::max(rod.first_control, slider_first_[k] - kWindow);
    window.last = std::min(rod.first_control + count - 1, slider_first_[k] + 3 + kWindow);
    std::vector<int> own;
    for (int i = window.first; i <= window.last; ++i) own.push_back(block_[at(i)]);
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (const int block : own) graph.connect(block_[at(slider_block_[k])], block);
  }
}

void System::track_sliders(const SplineState& state) {
  bool moved = false;
  for (std::size_t k = 0; k < slider_first_.size(); ++k) {
    slider_first_[k] = slider_place(model_, state, static_cast<int>(k)).first;
    moved = moved || slider_first_[k] < slider_window_[k].first || slider_first_[k] + 3 > slider_window_[k].last;
  }
  if (moved) analyse();
}

void System::release_stops(SplineState& state) const {
  for (std::size_t k = 0; k < state.slide_stop.size(); ++k)
    if (state.slide_stop[k] != 0 && slide_pull_[k] * state.slide_stop[k] > 0) state.slide_stop[k] = 0;
}

void System::add_slider(const SplineState& state, const Targets& targets, int index, Balance& balance) {
  const discrete::Slider& slider = model_.nodes.sliders[at(index)];
  const SliderPlace place = slider_place(model_, state, index);
  const std::vector<Vec3>& control = gripped_control(state);
  const std::vector<Vec3>& leg = averages() ? end_leg_ : state.leg;
  Vec3 lambda = Vec3::Zero();
  Vec3 gap = -discrete::slider_target(slider, targets);
  for (int p = 0; p < 4; ++p) gap += place.basis.value[at(p)] * control[at(place.first + p)];
  Mat3 unit = Mat3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    if (!slider.fixed[at(axis)]) {
      gap[axis] = 0;
      continue;
    }
    lambda[axis] = state.slide_force[at(index)][axis];
    unit(axis, axis) = stiffness_scale_;
  }
  const Vec3 slope = leg_sum(leg, place.first, place.basis.slope);
  balance.constraint = std::max(balance.constraint, gap.norm() / size());
  for (int p = 0; p < 4; ++p) {
    const int row = first_row(place.first + p);
    for (int axis = 0; axis < 3; ++axis) gradient_[at(row + axis)] += place.basis.value[at(p)] * lambda[axis];
    force_sum_[at(place.first + p)] += place.basis.value[at(p)] * lambda.norm();
  }
  const bool stopped = state.slide_stop[at(index)] != 0;
  const discrete::SliderFriction friction = discrete::slider_friction(model_.nodes, index, state);
  const double pull = lambda.dot(slope) + friction.force;
  balance.potential += friction.energy;
  slide_pull_[at(index)] = pull;
  const int block = slider_block_[at(index)];
  const int row = first_row(block);
  for (int axis = 0; axis < 3; ++axis) gradient_[at(row + axis)] = share() * stiffness_scale_ * gap[axis];
  gradient_[at(row + 3)] = stopped ? 0 : share() * pull;
  if (!stopped) largest_pull_ = std::max(largest_pull_, std::abs(pull));
  if (!want_tangent_) return;

  const std::array<double, 4> along = rod::on_points(place.basis.slope);
  for (int p = 0; p < 4; ++p) {
    Eigen::Matrix<double, 4, 3> by_point;
    by_point << place.basis.value[at(p)] * unit, (stopped ? 0 : along[at(p)]) * lambda.transpose();
    couple(block, 0, place.first + p, 0, by_point);
  }
  Eigen::Matrix4d own = Eigen::Matrix4d::Zero();
  own.block<3, 1>(0, 3) = stopped ? Vec3(Vec3::Zero()) : Vec3(share() * unit * slope);
  own.block<1, 3>(3, 0) = own.block<3, 1>(0, 3).transpose();
  const double bent = lambda.dot(leg_sum(leg, place.first, place.basis.bend));
  own(3, 3) =
      stopped ? stiffness_scale_ : share() * (bent + discrete::slider_keep(model_.nodes, slider) + friction.stiffness);
  tangent_.add_diagonal(pair(block, block), own);
}

void System::advance_sliders(SplineState& state, double factor) const {
  for (std::size_t k = 0; k < slider_block_.size(); ++k) {
    const double* step = step_.data() + first_row(slider_block_[k]);
    state.slide_force[k] += factor * stiffness_scale_ * Vec3(step[0], step[1], step[2]);
    discrete::slide(model_.nodes, static_cast<int>(k), factor * step[3], state);
  }
}

}  // namespace filum::spline
