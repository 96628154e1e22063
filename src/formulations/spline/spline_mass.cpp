// The mass matrix of spline rods in the unknowns of their tangent: what natural modes ask for, and changes that are least
// in its norm.
#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"

#include <algorithm>
#include <cmath>

namespace filum::spline {

void System::set_mass(const SplineState& state, bool spins) {
  // a rod of another length is more or less of the same stock
  segment_stock_.clear();
  for (const Segment& segment : model_.segments) segment_stock_.push_back(state.length_factor[at(segment.rod)]);
  angle_mass_.assign(state.node_frame.size(), 0);
  for (std::size_t k = 0; spins && k < model_.segments.size(); ++k)
    for (const int node : model_.segments[k].node)
      angle_mass_[at(node)] += 0.5 * segment_stock_[k] * model_.nodes.edges[k].spin_inertia / (arm_ * arm_);
  rotor_mass_.clear();
  for (std::size_t r = 0; r < model_.nodes.rotors.size(); ++r)
    rotor_mass_.emplace_back(state.rotor[r] * model_.nodes.rotors[r].inertia * state.rotor[r].transpose() /
                             (arm_ * arm_));
}

void System::add_mass(double factor) {
  for (std::size_t k = 0; k < model_.segments.size(); ++k) {
    const Segment& segment = model_.segments[k];
    int pair = 0;
    for (std::size_t p = 0; p < 4; ++p) {
      const double stock = factor * segment_stock_[k];
      tangent_.add_diagonal(slots_[k].own[p], Mat3(stock * segment.mass[p][p] * Mat3::Identity()));
      for (std::size_t q = p + 1; q < 4; ++q)
        tangent_.add(slots_[k].pair[at(pair++)], Mat3(stock * segment.mass[p][q] * Mat3::Identity()));
    }
  }
  for (std::size_t node = 0; node < angle_mass_.size(); ++node)
    if (angle_mass_[node] > 0) tangent_.add_at(first_row(model_.curve[node].angle) + 3, factor * angle_mass_[node]);
  for (const discrete::FreeBody& body : model_.nodes.bodies) {
    const int control = model_.curve[at(body.node)].first;
    for (int axis = 0; axis < 3; ++axis)
      tangent_.add_at(first_row(control) + axis, factor * model_.control_mass[at(control)]);
  }
  for (std::size_t r = 0; r < rotor_block_.size(); ++r)
    if (const int block = rotor_block_[r]; block >= 0)
      tangent_.add_diagonal(pair(block, block), Mat3(factor * rotor_mass_[r]));
}

void System::weigh(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.setZero(x.size());
  for (std::size_t k = 0; k < model_.segments.size(); ++k) {
    const Segment& segment = model_.segments[k];
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q)
        y.segment<3>(first_row(segment.first + p)) +=
            segment_stock_[k] * segment.mass[at(p)][at(q)] * x.segment<3>(first_row(segment.first + q));
  }
  for (std::size_t node = 0; node < angle_mass_.size(); ++node) {
    const int row = first_row(model_.curve[node].angle) + 3;
    y[row] = angle_mass_[node] * x[row];
  }
  for (const discrete::FreeBody& body : model_.nodes.bodies) {
    const int control = model_.curve[at(body.node)].first;
    y.segment<3>(first_row(control)) = model_.control_mass[at(control)] * x.segment<3>(first_row(control));
  }
  for (std::size_t r = 0; r < rotor_block_.size(); ++r)
    if (const int block = rotor_block_[r]; block >= 0)
      y.segment<3>(first_row(block)) = rotor_mass_[r] * x.segment<3>(first_row(block));
  for (std::size_t row = 0; row < fixed_.size(); ++row)
    if (fixed_[row] != 0) y[static_cast<Eigen::Index>(row)] = 0;
}

bool System::factor_mass(const SplineState& state, const Targets& targets, double factor) {
  want_tangent_ = true;
  tangent_.set_zero();
  Balance ignored;
  for (int k = 0; k < static_cast<int>(model_.grips.size()); ++k) add_grip(state, targets, k, ignored);
  set_mass(state, true);
  add_mass(factor);
  tangent_.strike_out();
  return tangent_.factor();
}

bool System::least_change(const SplineState& state, const Targets& targets, const std::vector<double>& miss,
                          const std::vector<Vec3>& back, double mass_factor) {
  want_tangent_ = true;
  tangent_.set_zero();
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  Balance ignored;
  for (int k = 0; k < static_cast<int>(model_.grips.size()); ++k) add_grip(state, targets, k, ignored);
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  for (std::size_t k = 0; k < model_.grips.size(); ++k)
    for (int axis = 0; axis < 3 && model_.grips[k].kind == GripKind::Place; ++axis)
      gradient_[at(first_row(model_.grips[k].control) + grip_row_[k] + axis)] = stiffness_scale_ * back[k][axis];
  set_mass(state, true);
  add_mass(mass_factor);
  for (int k = 0; k < static_cast<int>(model_.segments.size()); ++k) {
    const Segment& segment = model_.segments[at(k)];
    Element element = empty_element(state.length_factor[at(segment.rod)]);
    for (int g = segment.stretch[0]; g < segment.stretch[1]; ++g) {
      const StretchPoint& point = model_.stretches[at(g)];
      const double pull = segment.axial * point.weight;
      const Vec3 t = leg_sum(state.leg, segment.first, point.slope).normalized();
      const Mat3 h = pull / (element.length_factor * point.rest_speed) * t * t.transpose();
      const std::array<double, 4> slope = rod::on_points(point.slope);
      for (int p = 0; p < 4; ++p) {
        element.force.segment<3>(4 * p) += slope[at(p)] * pull * miss[at(g)] * t;
        for (int q = 0; q < 4; ++q) element.stiffness.block<3, 3>(4 * p, 4 * q) += slope[at(p)] * slope[at(q)] * h;
      }
    }
    scatter(segment, k, element);
  }
  for (std::size_t row = 0; row < step_.size(); ++row) step_[row] = fixed_[row] != 0 ? 0 : -gradient_[row];
  if (!factor()) return false;
  tangent_.solve(step_.data());
  return std::all_of(step_.begin(), step_.end(), [](double v) { return std::isfinite(v); });
}

bool System::factor() {
  tangent_.strike_out();
  tangent_.shift(idle_, kSpinShift * spin_stiffness_);
  return tangent_.factor();
}

}  // namespace filum::spline
