// What holds, joins and loads the rods: rows of multipliers at the nodes, forces and torques.
//
// The Lagrangian has, for each grip, its multipliers times how far it is from being closed:
//
//     place     r − x̂                                        by world axes
//     tie       r_slave − r_master − R·arm
//     section   (s1·r′, s2·r′, φ) times the arm of rotations,  s = R·base the gripped cross-section
//
// with φ the angle of the node's frame about its tangent, from the cross-section carried there without twist. The
// component of r′ along the cross-section's normal stays free: the rod stretches in a clamp too. Where the tangent is
// along s3, φ = θ − t·w − ½ (δr′⊥/|r′|)·w to second order in the turn w of the rotor.
#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::spline {

// A force on a node, on the side of the residual.
void System::push(int node, const Vec3& force) {
  const NodeCurve& curve = model_.curve[at(node)];
  for (int p = 0; p < curve.points; ++p) {
    const int row = first_row(curve.first + p);
    for (int axis = 0; axis < 3; ++axis) gradient_[at(row + axis)] += curve.value[at(p)] * force[axis];
    force_sum_[at(curve.first + p)] += curve.value[at(p)] * force.norm();
  }
}

void System::add_weight(const SplineState& state, const Targets& targets, Balance& balance) {
  const int bodies = static_cast<int>(model_.nodes.bodies.size());
  for (int i = 0, rod = 0; i < model_.controls; ++i) {
    const bool is_body = i >= model_.controls - bodies;
    while (!is_body && i >= model_.rods[at(rod)].first_control + model_.rods[at(rod)].knots.controls()) ++rod;
    const double factor = targets.load * (is_body ? 1 : state.length_factor[at(rod)]);
    const Vec3 weight = factor * model_.control_mass[at(i)] * model_.nodes.gravity;
    const Vec3 force = weight + factor * model_.control_load[at(i)];
    balance.gravity -= weight.dot(state.control[at(i)]);
    balance.potential -= force.dot(state.control[at(i)]);
    for (int axis = 0; axis < 3; ++axis) gradient_[at(first_row(i) + axis)] -= force[axis];
    force_sum_[at(i)] += force.norm();
  }
}

void System::add_loads(const SplineState& state, const Targets& targets, Balance& balance) {
  for (const discrete::PointLoad& load : model_.nodes.forces) {
    Vec3 force = targets.load * targets.force_scale[at(load.index)] * load.value;
    const Vec3 at_end = load.follow ? Vec3(state.rotor[at(load.rotor)] * force) : force;
    if (load.follow)
      force = acting_rotor(state, load.rotor) * force;
    else
      balance.potential -= force.dot(node_position(model_, state, load.node));
    push(load.node, -force);
    const int block = load.follow ? rotor_block_[at(load.rotor)] : -1;
    if (!want_tangent_ || block < 0) continue;
    // a force that follows turns with the rotor: δF = w × F
    const NodeCurve& curve = model_.curve[at(load.node)];
    for (int p = 0; p < curve.points; ++p)
      tangent_.add_one_sided(pair(curve.first + p, block),
                             Mat3(share() * curve.value[at(p)] / arm_ * math::skew(at_end)));
  }
  for (const discrete::PointLoad& load : model_.nodes.torques) {
    Vec3 torque = targets.load * targets.torque_scale[at(load.index)] * load.value;
    const Vec3 at_end = load.follow ? Vec3(state.rotor[at(load.rotor)] * torque) : torque;
    if (load.follow) torque = acting_rotor(state, load.rotor) * torque;
    rotor_moment_[at(load.rotor)] -= torque;
    moment_sum_ = std::max(moment_sum_, torque.norm());
    // generalised force in exponential coordinates: T + ½ T × w for a dead torque, T − ½ T × w for one that follows;
    // over a step its plain derivative
    const double half = load.follow ? 0.5 : averages() ? 0 : -0.5;
    if (const int block = rotor_block_[at(load.rotor)]; want_tangent_ && block >= 0)
      tangent_.add_diagonal(pair(block, block), Mat3(half / (arm_ * arm_) * math::skew(at_end)));
  }
}

void System::add_grip(const SplineState& state, const Targets& targets, int index, Balance& balance) {
  switch (model_.grips[at(index)].kind) {
    case GripKind::Place:
      return grip_place(state, targets, index, balance);
    case GripKind::Tie:
      return averages() ? grip_tie_over_step(state, index, balance) : grip_tie(state, index, balance);
    case GripKind::Section:
      return averages() ? grip_section_over_step(state, index, balance) : grip_section(state, index, balance);
  }
}

void System::grip_place(const SplineState& state, const Targets& targets, int index, Balance& balance) {
  const Grip& grip = model_.grips[at(index)];
  const NodeCurve& curve = model_.curve[at(grip.node)];
  const Vec3 there = node_sum(model_, gripped_control(state), grip.node);
  Vec3 gap = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis)
    if (const int hold = model_.nodes.position_hold[at(grip.node)][at(axis)]; hold >= 0)
      gap[axis] = there[axis] - targets.holds[at(hold)].position[axis];
  balance.constraint = std::max(balance.constraint, gap.norm() / size());
  push(grip.node, state.grip[at(index)]);
  const int row = first_row(grip.control) + grip_row_[at(index)];
  for (int axis = 0; axis < 3; ++axis) gradient_[at(row + axis)] = share() * stiffness_scale_ * gap[axis];
  if (!want_tangent_) return;
  Mat3 unit = Mat3::Zero();
  for (int axis = 0; axis < 3; ++axis) unit(axis, axis) = grip.rows[at(axis)] ? stiffness_scale_ : 0;
  for (int p = 0; p < curve.points; ++p)
    couple(grip.control, grip_row_[at(index)], curve.first + p, 0, Mat3(curve.value[at(p)] * unit));
}

void System::grip_tie(const SplineState& state, int index, Balance& balance) {
  const Grip& grip = model_.grips[at(index)];
  const discrete::Tie& tie = model_.nodes.ties[at(grip.tie)];
  const Vec3 lambda = state.grip[at(index)];
  const Vec3 arm = state.rotor[at(tie.rotor)] * tie.arm;
  const Vec3 gap = node_position(model_, state, tie.slave) - node_position(model_, state, tie.master) - arm;
  balance.constraint = std::max(balance.constraint, gap.norm() / size());
  push(tie.slave, lambda);
  push(tie.master, -lambda);
  rotor_moment_[at(tie.rotor)] -= arm.cross(lambda);
  const int own = grip_row_[at(index)];
  const int row = first_row(grip.control) + own;
  for (int axis = 0; axis < 3; ++axis) gradient_[at(row + axis)] = stiffness_scale_ * gap[axis];
  if (!want_tangent_) return;
  for (const int node : {tie.slave, tie.master}) {
    const NodeCurve& curve = model_.curve[at(node)];
    const double sign = node == tie.slave ? stiffness_scale_ : -stiffness_scale_;
    for (int p = 0; p < curve.points; ++p)
      couple(grip.control, own, curve.first + p, 0, Mat3(sign * curve.value[at(p)] * Mat3::Identity()));
  }
  const int block = rotor_block_[at(tie.rotor)];
  if (block < 0) return;
  // λ·(w × arm) = w·(arm × λ), and to second order −½ λ·(w × (w × arm))
  couple(grip.control, own, block, 0, Mat3(stiffness_scale_ / arm_ * math::skew(arm)));
  const Mat3 curved = lambda.dot(arm) * Mat3::Identity() - 0.5 * (lambda * arm.transpose() + arm * lambda.transpose());
  tangent_.add_diagonal(pair(block, block), Mat3(curved / (arm_ * arm_)));
}

void System::grip_section(const SplineState& state, int index, Balance& balance) {
  const Grip& grip = model_.grips[at(index)];
  const NodeCurve& curve = model_.curve[at(grip.node)];
  const discrete::Section& section = model_.nodes.sections[at(curve.section)];
  const Mat3 s = state.rotor[at(section.rotor)] * section.base;
  const Vec3 v = leg_sum(state.leg, curve.first, curve.slope);
  const double speed = v.norm();
  const Vec3 t = v / speed;
  const Vec3 carried = math::transport(s.col(0), s.col(2), t);
  const double angle = math::signed_angle(carried, state.node_frame[at(grip.node)].col(0), t);
  const Vec3 gap(s.col(0).dot(v), s.col(1).dot(v), angle);
  balance.constraint = std::max(balance.constraint, gap.norm());

  // forces and torques of the multipliers, which are moments over the arm
  const Vec3& nu = state.grip[at(index)];
  const Vec3 across = arm_ * (nu[0] * s.col(0) + nu[1] * s.col(1));
  const std::array<double, 4> slope = rod::on_points(curve.slope);
  for (int p = 0; p < 4; ++p) {
    const int row = first_row(curve.first + p);
    for (int axis = 0; axis < 3; ++axis) gradient_[at(row + axis)] += slope[at(p)] * across[axis];
    force_sum_[at(curve.first + p)] += std::abs(slope[at(p)]) * across.norm();
  }
  gradient_[at(first_row(curve.angle) + 3)] += nu[2];
  const Vec3 moment = across.cross(v) - arm_ * nu[2] * t;
  section_moment_[at(index)] = moment;
  rotor_moment_[at(section.rotor)] += moment;
  moment_sum_ = std::max(moment_sum_, moment.norm());
  const int own = grip_row_[at(index)];
  const int row = first_row(grip.control) + own;
  for (int i = 0; i < 3; ++i) gradient_[at(row + i)] = stiffness_scale_ * arm_ * gap[i];
  if (!want_tangent_) return;

  Mat3 by_slope = Mat3::Zero();
  by_slope.row(0) = s.col(0).transpose();
  by_slope.row(1) = s.col(1).transpose();
  for (int p = 0; p < 4; ++p)
    couple(grip.control, own, curve.first + p, 0, Mat3(stiffness_scale_ * arm_ * slope[at(p)] * by_slope));
  couple(grip.control, own + 2, curve.angle, 3, Eigen::Matrix<double, 1, 1>(stiffness_scale_));
  const int block = rotor_block_[at(section.rotor)];
  if (block < 0) return;
  Mat3 by_turn;
  by_turn.row(0) = s.col(0).cross(v).transpose();
  by_turn.row(1) = s.col(1).cross(v).transpose();
  by_turn.row(2) = -t.transpose();
  couple(grip.control, own, block, 0, Mat3(stiffness_scale_ * by_turn));
  const Mat3 square = Mat3::Identity() - t * t.transpose();
  const Mat3 mixed = -math::skew(across) / arm_ - 0.5 * nu[2] / speed * square;
  for (int p = 0; p < 4; ++p) couple(curve.first + p, 0, block, 0, Mat3(slope[at(p)] * mixed));
  const Mat3 curved = 0.5 * (across * v.transpose() + v * across.transpose()) - across.dot(v) * Mat3::Identity();
  tangent_.add_diagonal(pair(block, block), Mat3(curved / (arm_ * arm_)));
}

}  // namespace filum::spline
