// Ties, gripped cross-sections and free bodies over a step that is averaged.
//
// What is gripped is closed at the end of the step; its multipliers act through the whole of it. For their work to be
// nil, as it is for a constraint, forces act along mean directions and torques through mean arms: with R1 − R0 =
// [Θ]× (R0 + R1)/2, Θ Cayley's vector of the step,
//
//     Δ(s·r′)            =  s̄·Δr′ + Θ·(s̄ × r̄′)
//     Δ(r − r' − R·arm)  =  Δr − Δr' − Θ × (R̄ arm),
//
// so that both do on the rods what they do on the rotor, and the angular momentum of the two is kept as well [Simo1991].
// The multiplier ν of twist is the moment ν t̄ on the node's frame, t̄ the mean of its tangents, and −ν t̄ on the rotor. On
// the frame it is a torque alone (rod/place_turn.hpp), that on 2 tan(α/2), α the node's turn in the step; while gripped, both
// turn by the same rotation.
#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "body/spin_inertia.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"
#include "rod/place_turn.hpp"

#include <algorithm>
#include <cmath>

namespace filum::spline {

Mat3 System::acting_rotor(const SplineState& state, int rotor) const {
  if (!averages()) return state.rotor[at(rotor)];
  return 0.5 * (motion_->rotor[at(rotor)] + state.rotor[at(rotor)]);
}

void System::grip_tie_over_step(const SplineState& state, int index, Balance& balance) {
  const Grip& grip = model_.grips[at(index)];
  const discrete::Tie& tie = model_.nodes.ties[at(grip.tie)];
  const Vec3 lambda = state.grip[at(index)];
  const Vec3 end_arm = state.rotor[at(tie.rotor)] * tie.arm;
  const Vec3 arm = acting_rotor(state, tie.rotor) * tie.arm;
  const Vec3 gap = node_sum(model_, end_control_, tie.slave) - node_sum(model_, end_control_, tie.master) - end_arm;
  balance.constraint = std::max(balance.constraint, gap.norm() / size());
  push(tie.slave, lambda);
  push(tie.master, -lambda);
  rotor_moment_[at(tie.rotor)] -= arm.cross(lambda);
  const int own = grip_row_[at(index)];
  const int row = first_row(grip.control) + own;
  for (int axis = 0; axis < 3; ++axis) gradient_[at(row + axis)] = share() * stiffness_scale_ * gap[axis];
  if (!want_tangent_) return;
  for (const int node : {tie.slave, tie.master}) {
    const NodeCurve& curve = model_.curve[at(node)];
    const double sign = node == tie.slave ? stiffness_scale_ : -stiffness_scale_;
    for (int p = 0; p < curve.points; ++p)
      couple(grip.control, own, curve.first + p, 0, Mat3(sign * curve.value[at(p)] * Mat3::Identity()));
  }
  const int block = rotor_block_[at(tie.rotor)];
  if (block < 0) return;
  const double scale = stiffness_scale_ / arm_;
  couple_split(grip.control, own, block, 0, Mat3(share() * scale * math::skew(end_arm)),
               Mat3(-scale * math::skew(arm)));
  tangent_.add_diagonal(pair(block, block), Mat3(-share() / (arm_ * arm_) * math::skew(lambda) * math::skew(end_arm)));
}

void System::grip_section_over_step(const SplineState& state, int index, Balance& balance) {
  const Grip& grip = model_.grips[at(index)];
  const NodeCurve& curve = model_.curve[at(grip.node)];
  const discrete::Section& section = model_.nodes.sections[at(curve.section)];
  const Mat3 end = state.rotor[at(section.rotor)] * section.base;
  const Mat3 mean = acting_rotor(state, section.rotor) * section.base;
  const Vec3 end_v = leg_sum(end_leg_, curve.first, curve.slope);
  const Vec3 t = end_v.normalized();
  const Vec3 carried = math::transport(end.col(0), end.col(2), t);
  const Vec3 director = rod::carried_frame(state.node_frame[at(grip.node)], end_v, turn_[at(grip.node)]).col(0);
  const Vec3 gap(end.col(0).dot(end_v), end.col(1).dot(end_v), math::signed_angle(carried, director, t));
  balance.constraint = std::max(balance.constraint, gap.norm());

  const Vec3& nu = state.grip[at(index)];
  const Vec3 across = arm_ * (nu[0] * mean.col(0) + nu[1] * mean.col(1));
  const std::array<double, 4> slope = rod::on_points(curve.slope);
  for (int p = 0; p < 4; ++p) {
    const int row = first_row(curve.first + p);
    for (int axis = 0; axis < 3; ++axis) gradient_[at(row + axis)] += slope[at(p)] * across[axis];
    force_sum_[at(curve.first + p)] += std::abs(slope[at(p)]) * across.norm();
  }
  const NodeSpin& spin = spin_[at(grip.node)];
  gradient_[at(first_row(curve.angle) + 3)] += nu[2] * rod::tan_share(turn_[at(grip.node)]).value;
  const Vec3 moment = across.cross(leg_sum(state.leg, curve.first, curve.slope)) - arm_ * nu[2] * spin.mean_tangent;
  section_moment_[at(index)] = moment;
  rotor_moment_[at(section.rotor)] += moment;
  moment_sum_ = std::max(moment_sum_, moment.norm());
  const int row = first_row(grip.control) + grip_row_[at(index)];
  for (int i = 0; i < 3; ++i) gradient_[at(row + i)] = (i < 2 ? share() : 1) * stiffness_scale_ * arm_ * gap[i];
  if (want_tangent_) couple_section_over_step(state, index, mean);
}

void System::couple_section_over_step(const SplineState& state, int index, const Mat3& mean) {
  const Grip& grip = model_.grips[at(index)];
  const NodeCurve& curve = model_.curve[at(grip.node)];
  const discrete::Section& section = model_.nodes.sections[at(curve.section)];
  const Mat3 end = state.rotor[at(section.rotor)] * section.base;
  const Vec3 end_v = leg_sum(end_leg_, curve.first, curve.slope);
  const Vec3 v = leg_sum(state.leg, curve.first, curve.slope);
  const Vec3 t = end_v.normalized();
  const int own = grip_row_[at(index)];
  const std::array<double, 4> slope = rod::on_points(curve.slope);
  const auto rows = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    Mat3 m;
    m.row(0) = a.transpose(), m.row(1) = b.transpose(), m.row(2) = c.transpose();
    return m;
  };
  const NodeSpin& spin = spin_[at(grip.node)];
  const rod::TanShare tan = rod::tan_share(turn_[at(grip.node)]);
  const Mat3 by_slope = rows(end.col(0), end.col(1), 2 * spin.carry);
  const Mat3 along = rows(mean.col(0), mean.col(1), Vec3::Zero()).transpose();
  for (int p = 0; p < 4; ++p) {
    const double scale = stiffness_scale_ * arm_ * slope[at(p)];
    couple_split(grip.control, own, curve.first + p, 0, Mat3(scale * by_slope), Mat3(scale * along));
  }
  using One = Eigen::Matrix<double, 1, 1>;
  const Vec3& nu = state.grip[at(index)];
  couple_split(grip.control, own + 2, curve.angle, 3, One(stiffness_scale_), One(stiffness_scale_ * tan.value));
  tangent_.add_at(first_row(curve.angle) + 3, nu[2] * tan.slope / arm_);
  const int block = rotor_block_[at(section.rotor)];
  if (block < 0) return;
  const Mat3 by_turn = rows(0.5 * end.col(0).cross(end_v), 0.5 * end.col(1).cross(end_v), -t);
  const Mat3 turning = rows(mean.col(0).cross(v), mean.col(1).cross(v), -spin.mean_tangent).transpose();
  couple_split(grip.control, own, block, 0, Mat3(stiffness_scale_ * by_turn), Mat3(stiffness_scale_ * turning));
  const Mat3 end_across = math::skew(arm_ * (nu[0] * end.col(0) + nu[1] * end.col(1)));
  const Mat3 across = math::skew(arm_ * (nu[0] * mean.col(0) + nu[1] * mean.col(1)));
  // the mean tangent turns with the end's: (1 − t tᵀ)/(2λ) of the end, twice that of the middle
  const Mat3 twisting = nu[2] / end_v.norm() * (Mat3::Identity() - t * t.transpose());
  for (int p = 0; p < 4; ++p)
    couple_split(curve.first + p, 0, block, 0, Mat3(-0.5 * slope[at(p)] / arm_ * end_across),
                 Mat3(slope[at(p)] / arm_ * across - slope[at(p)] * twisting));
  tangent_.add_diagonal(pair(block, block), Mat3(0.5 / (arm_ * arm_) * math::skew(v) * end_across));
}

void System::add_bodies(const SplineState& state) {
  for (const discrete::FreeBody& body : model_.nodes.bodies) {
    const int control = model_.curve[at(body.node)].first;
    const double mass = model_.control_mass[at(control)];
    const Vec3 pull = mass * motion_->inertia * (state.control[at(control)] - motion_->reference[at(control)]);
    force_sum_[at(control)] += pull.norm();
    inertia_ = std::max(inertia_, mass * motion_->inertia * state.control[at(control)].norm());
    for (int axis = 0; axis < 3; ++axis) {
      gradient_[at(first_row(control) + axis)] += pull[axis];
      if (want_tangent_) tangent_.add_at(first_row(control) + axis, mass * motion_->inertia);
    }
    const auto r = at(body.rotor);
    const Mat3& inertia = model_.nodes.rotors[r].inertia;
    const int block = rotor_block_[r];
    if (block < 0 || inertia.isZero(0)) continue;
    const body::SpinInertia spin = body_spin(state, body.rotor);
    rotor_moment_[r] += spin.torque;
    moment_sum_ = std::max(moment_sum_, spin.torque.norm());
    if (!want_tangent_) continue;
    // on increments in exponential coordinates the turning of the torque itself counts half, as for a dead torque
    const Mat3 k = averages() ? spin.tangent : Mat3(spin.tangent + 0.5 * math::skew(spin.torque));
    tangent_.add_diagonal(pair(block, block), Mat3(k / (arm_ * arm_)));
  }
}

body::SpinInertia System::body_spin(const SplineState& state, int rotor) const {
  const auto r = at(rotor);
  const Mat3& inertia = model_.nodes.rotors[r].inertia;
  const Mat3& start = motion_->rotor[r];
  const Vec3& spin = motion_->rotor_spin[r];
  if (averages()) return body::spin_over_step(inertia, start, state.rotor[r], motion_->step, spin);
  const double rate = 1 / motion_->step;
  return body::spin_inertia(inertia, start, state.rotor[r], {rate, rate}, Vec3::Zero(), rate * start * inertia * spin);
}

}  // namespace filum::spline
