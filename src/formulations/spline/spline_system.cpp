#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"
#include "rod/spline_strain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::spline {

namespace {

constexpr double kSmallLoad = 1e-3;
// Of the stiffness of a rod's softest bending: keeps rods that could move as rigid bodies where they are.
constexpr double kMobileShift = 1e-6;

}  // namespace

Balance System::evaluate(const SplineState& state, const Targets& targets, Want want) {
  want_tangent_ = want != Want::Residual;
  if (want_tangent_ && !model_.nodes.sliders.empty()) track_sliders(state);
  if (want_tangent_) tangent_.set_zero();
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  std::fill(force_sum_.begin(), force_sum_.end(), 0.0);
  for (Vec3& moment : rotor_moment_) moment.setZero();
  moment_sum_ = 0;
  inertia_ = 0;
  spent_ = 0;

  Balance balance;
  const int segments = static_cast<int>(model_.segments.size());
  if (averages()) {
    look_ahead(state);
    for (int k = 0; k < segments; ++k) add_averaged_segment(state, k, want, balance);
  } else {
    for (int k = 0; k < segments; ++k) add_segment(state, k, want, balance);
  }
  add_weight(state, targets, balance);
  add_loads(state, targets, balance);
  for (int k = 0; k < static_cast<int>(model_.grips.size()); ++k) add_grip(state, targets, k, balance);
  largest_pull_ = 0;
  for (int k = 0; k < static_cast<int>(model_.nodes.sliders.size()); ++k) add_slider(state, targets, k, balance);
  if (motion_ != nullptr) add_bodies(state);
  balance.potential += spent_;
  gather_residual(balance);
  return balance;
}

// The right-hand side, and how well the forces balance.
void System::gather_residual(Balance& balance) {
  for (std::size_t r = 0; r < rotor_block_.size(); ++r)
    for (int axis = 0; axis < 3 && rotor_block_[r] >= 0; ++axis)
      gradient_[at(first_row(rotor_block_[r]) + axis)] = rotor_moment_[r][axis] / arm_;
  double force = largest_pull_;
  double moment = 0;
  double force_scale = 0;
  for (std::size_t row = 0; row < step_.size(); ++row) step_[row] = fixed_[row] != 0 ? 0 : -gradient_[row];
  for (int i = 0; i < model_.controls; ++i) {
    const double* g = gradient_.data() + first_row(i);
    force = std::max(force, Vec3(g[0], g[1], g[2]).norm());
    force_scale = std::max(force_scale, force_sum_[at(i)]);
  }
  for (const NodeCurve& curve : model_.curve)
    if (curve.angle >= 0) moment = std::max(moment, arm_ * std::abs(gradient_[at(first_row(curve.angle) + 3)]));
  for (std::size_t r = 0; r < rotor_block_.size(); ++r)
    for (int axis = 0; axis < 3 && rotor_block_[r] >= 0; ++axis)
      if (const auto row = at(first_row(rotor_block_[r]) + axis); fixed_[row] == 0)
        moment = std::max(moment, arm_ * std::abs(gradient_[row]));

  // a rod that nothing loads is measured against a thousandth of what would bend it visibly
  force_scale = std::max({force_scale, moment_sum_ / size(), kSmallLoad * soft_force_});
  const double moment_scale = std::max(moment_sum_, force_scale * arm_);
  const double tiny = std::numeric_limits<double>::min();
  balance.residual = std::max(force / std::max(force_scale, tiny), moment / std::max(moment_scale, tiny));
  balance.floor = std::numeric_limits<double>::epsilon() *
                  std::max((largest_axial_ + largest_bending_ / arm_) / std::max(force_scale, tiny),
                           largest_bending_ / std::max(moment_scale, tiny));
  balance.floor =
      std::max(balance.floor, std::numeric_limits<double>::epsilon() * inertia_ / std::max(force_scale, tiny));
  balance.finite = std::isfinite(balance.residual) && std::isfinite(balance.elastic) &&
                   std::isfinite(balance.potential) && std::isfinite(balance.constraint);
}

bool System::solve(double shift) {
  tangent_.strike_out();
  if (shift > 0) tangent_.shift(primal_, shift);
  if (motion_ == nullptr) tangent_.shift(mobile_, kMobileShift * soft_stiffness_);
  tangent_.shift(idle_, kSpinShift * spin_stiffness_);
  if (!tangent_.factor_and_solve(step_.data())) return false;
  return std::all_of(step_.begin(), step_.end(), [](double v) { return std::isfinite(v); });
}

bool System::begin_increment() {
  if (model_.memory.empty() || std::exchange(resumes_, false)) return false;
  std::fill(stretch_yields_.begin(), stretch_yields_.end(), 0);
  bend_yields_.assign(model_.segments.size(), 0);
  return true;
}

bool System::find_stretched(const SplineState& state) {
  bool found = false;
  for (std::size_t g = 0; g < stretch_yields_.size(); ++g) {
    const int point = static_cast<int>(g);
    if (stretch_yields_[g] != 0 || model_.segments[at(model_.stretches[g].segment)].law < 0) continue;
    // at the end of the step, not in its middle
    const double excess = stretch_excess(model_, state, averages() ? end_leg_ : state.leg, point);
    if (stretch_rests(model_, state, point, excess)) continue;
    if (!site_yield(stretch_site(model_, state, point, excess), state, true).yields) continue;
    stretch_yields_[g] = 1;
    found = true;
  }
  return found;
}

// A consistent tangent is right on one side of a corner only: with steps of a few yield strains Newton settles.
double System::largest_part(const SplineState& state, double) const {
  constexpr double kFarthest = 3;  // yield strains in one iteration
  double most = kFarthest;
  for (std::size_t k = 0; !model_.memory.empty() && k < model_.segments.size(); ++k) {
    const Segment& segment = model_.segments[k];
    if (segment.law < 0) continue;
    const double factor = state.length_factor[at(segment.rod)];
    const Vec2& first = model_.memory.bend[at(segment.law)].bend_yield;
    const std::array<double, 2> turn{angle_step(segment.node[0]), angle_step(segment.node[1])};
    double twist = turn[1] - turn[0];
    for (int g = 0; g < kBendPoints; ++g) {
      const std::size_t index = kBendPoints * k + at(g);
      const BendPoint& point = model_.bends[index];
      const Mat3& frame = state.bend_frame[index];
      const rod::SplineStrain strain =
          rod::spline_strain(leg_sum(state.leg, segment.first, point.slope),
                             leg_sum(state.leg, segment.first, point.bend), frame, factor * point.rest_speed);
      const std::array<double, 4> slope = rod::on_points(point.slope);
      const std::array<double, 4> bend = rod::on_points(point.bend);
      Vec3 dv = Vec3::Zero();
      Vec3 da = Vec3::Zero();
      for (int p = 0; p < 4; ++p) {
        const Eigen::Map<const Vec3> move(step_.data() + first_row(segment.first + p));
        dv += slope[at(p)] * move;
        da += bend[at(p)] * move;
      }
      rod::Vec7 change;
      change << frame.transpose() * dv / strain.speed, frame.transpose() * da / strain.speed,
          turn[0] + point.share * (turn[1] - turn[0]);
      twist += point.weight * strain.carried.dot(change);
      if (model_.memory.bend[at(segment.law)].bend.empty()) continue;
      most = std::max(most, Vec2(strain.by1.dot(change) / first[0], strain.by2.dot(change) / first[1]).norm());
    }
    const rod::SectionPlasticity& law = model_.memory.twist[at(segment.law)];
    if (!law.twist.empty()) most = std::max(most, std::abs(twist) / (factor * segment.width * law.twist_yield));
  }
  return kFarthest / most;
}

// What the last step turns a node's frame by about its tangent.
double System::angle_step(int node) const {
  return step_[at(first_row(model_.curve[at(node)].angle) + 3)] / arm_;
}

double System::largest_rotation(const SplineState& state) const {
  double rotation = 0;
  std::array<Vec3, 4> move;
  for (std::size_t k = 0; k < model_.segments.size(); ++k) {
    const Segment& segment = model_.segments[k];
    for (int p = 0; p < 4; ++p) move[at(p)] = Eigen::Map<const Vec3>(step_.data() + first_row(segment.first + p));
    for (int g = 0; g < kBendPoints; ++g) {
      const BendPoint& point = model_.bends[kBendPoints * k + at(g)];
      const std::array<double, 4> slope = rod::on_points(point.slope);
      Vec3 dv = Vec3::Zero();
      for (int p = 0; p < 4; ++p) dv += slope[at(p)] * move[at(p)];
      const Vec3 v = leg_sum(state.leg, segment.first, point.slope);
      rotation = std::max(rotation, v.cross(dv).norm() / v.squaredNorm());
    }
  }
  for (const int block : rotor_block_)
    if (block >= 0)
      rotation = std::max(rotation, Eigen::Map<const Vec3>(step_.data() + first_row(block)).norm() / arm_);
  return rotation;
}

double System::largest_multiplier(const SplineState& state) const {
  double largest = 0;
  for (const Vec3& force : state.grip) largest = std::max(largest, force.norm());
  for (const Vec3& force : state.slide_force) largest = std::max(largest, force.norm());
  return largest;
}

// Directors go along with the curve to the new legs, and their going along is part of the twist.
void System::carry_directors(SplineState& state, double factor) const {
  for (std::size_t k = 0; k < model_.segments.size(); ++k) {
    const Segment& segment = model_.segments[k];
    const double from = factor * angle_step(segment.node[0]);
    const double to = factor * angle_step(segment.node[1]);
    state.twist[k] += to - from;
    for (int g = 0; g < kBendPoints; ++g) {
      const std::size_t index = kBendPoints * k + at(g);
      const BendPoint& point = model_.bends[index];
      const Vec3 v = leg_sum(new_leg_, segment.first, point.slope);
      state.twist[k] += point.weight * rod::carried_twist(leg_sum(state.leg, segment.first, point.slope),
                                                          leg_sum(state.leg, segment.first, point.bend), v,
                                                          leg_sum(new_leg_, segment.first, point.bend));
      state.bend_frame[index] = rod::carried_frame(state.bend_frame[index], v, from + point.share * (to - from));
    }
  }
  for (int node = 0; node < static_cast<int>(state.node_frame.size()); ++node) {
    const NodeCurve& curve = model_.curve[at(node)];
    state.node_frame[at(node)] = rod::carried_frame(
        state.node_frame[at(node)], leg_sum(new_leg_, curve.first, curve.slope), factor * angle_step(node));
  }
}

void System::advance(SplineState& state, double factor) {
  const auto move = [&](int control) { return Vec3(Eigen::Map<const Vec3>(step_.data() + first_row(control))); };
  new_leg_ = state.leg;
  for (const RodSpline& rod : model_.rods)
    for (int i = rod.first_control; i + 1 < rod.first_control + rod.knots.controls(); ++i)
      new_leg_[at(i)] += factor * (move(i + 1) - move(i));
  if (averages())
    for (std::size_t node = 0; node < turn_.size(); ++node) turn_[node] += factor * angle_step(static_cast<int>(node));
  else
    carry_directors(state, factor);
  // what a laid rope's torque adds to the tension of a segment, by this step
  const auto laid_step = [&](int index) {
    const Segment& segment = model_.segments[at(index)];
    if (segment.lay == 0) return 0.0;
    double sum = 0;
    for (int p = 0; p < 4; ++p) sum += laid_slope_[at(index)].segment<3>(4 * p).dot(move(segment.first + p));
    for (int end = 0; end < 2; ++end)
      sum += laid_slope_[at(index)][4 * segment.turner[at(end)] + 3] * arm_ * angle_step(segment.node[at(end)]);
    return sum;
  };
  // the axial force follows the linear prediction, not the lengthening that the finite rotation brings
  for (std::size_t g = 0; g < model_.stretches.size(); ++g) {
    const StretchPoint& point = model_.stretches[g];
    const Segment& segment = model_.segments[at(point.segment)];
    const std::array<double, 4> slope = rod::on_points(point.slope);
    Vec3 dv = Vec3::Zero();
    for (int p = 0; p < 4; ++p) dv += slope[at(p)] * move(segment.first + p);
    state.tension[g] += factor * (axial_[g] + axial_gradient_[g].dot(dv) + laid_step(point.segment) - state.tension[g]);
  }
  std::swap(state.leg, new_leg_);
  for (int i = 0; i < model_.controls; ++i) state.control[at(i)] += factor * move(i);
  for (std::size_t r = 0; r < rotor_block_.size(); ++r)
    if (rotor_block_[r] >= 0)
      state.rotor[r] =
          math::exp_so3(factor / arm_ * Eigen::Map<const Vec3>(step_.data() + first_row(rotor_block_[r]))) *
          state.rotor[r];
  for (std::size_t k = 0; k < model_.grips.size(); ++k)
    state.grip[k] += factor * stiffness_scale_ *
                     Eigen::Map<const Vec3>(step_.data() + first_row(model_.grips[k].control) + grip_row_[k]);
  advance_sliders(state, factor);
}

}  // namespace filum::spline
