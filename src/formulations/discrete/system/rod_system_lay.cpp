// Laid ropes in the balance (rod/rope_lay.hpp): what a joint's torque does to the lengths of its edges, and what these do
// to it. Joints' moments have their part in their law (joint_law.hpp).
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/laid_rods.hpp"
#include "formulations/discrete/system/lay_step.hpp"
#include "formulations/discrete/system/step_chunk.hpp"
#include "rod/rope_lay.hpp"

namespace filum::discrete {

// At one instant: what a joint's torque does to the lengths of its edges. Returns what it adds to their coupling.
rod::Mat4 RodSystem::add_lay(const RodState& state, int index) {
  const Joint& joint = model_.joints[at(index)];
  const rod::JointStrain& strain = strain_[at(index)];
  // what is viscous in the torque acts on twist alone
  const rod::JointElasticity elastic = joint_elasticity(model_, state, nullptr, index);
  const double torque = rod::joint_moment_components(strain, elastic)[2];
  const double k = elastic.stiffness[2];
  std::array<rod::LaidSide, 2> sides;
  for (const bool right : {false, true}) {
    const Side& side = right ? joint.right : joint.left;
    if (!side.is_edge()) continue;
    const auto j = at(side.edge);
    const double per_length = lay_per_length(model_, joint, right);
    lay_pull_[j] += torque * per_length;
    lay_rate_[j] += k * per_length * per_length;
    const Vec3 tangent = state.frame[j].col(2);
    rod::Mat34 turning = rod::turning(tangent, state.edge[j].norm());
    turning.col(3) /= model_.edges[j].rest_length * state.length_factor[at(joint.rod)];
    rod::LaidSide& own = sides[right ? 1 : 0];
    own = rod::laid_side(turning, strain.twist_gradient(), right ? 1 : -1, tangent, per_length);
    lay_own_[j] += rod::lay_stiffness(k, own, own);
  }
  const bool edge_left = joint.left.is_edge();
  if (edge_left && joint.right.is_edge()) return rod::lay_stiffness(k, sides[0], sides[1]);
  // the rotor's rotation turns one side
  const rod::LaidSide& own = sides[edge_left ? 0 : 1];
  const rod::Mat43 h = (edge_left ? k : -k) / arm_ * own.stretch * strain.twist_gradient().transpose();
  if (want_tangent_) scatter_rotor(joint, h, h.transpose());
  return rod::Mat4::Zero();
}

// The torque of a step is K (σ0 + σ1)/2, which does exactly the work of its energy on τ and on the lengths.
LayStep RodSystem::lay_step(const RodState& state, const rod::JointStep& step, int index) {
  const Joint& joint = model_.joints[at(index)];
  const double factor = state.length_factor[at(joint.rod)];
  const double k = joint.elasticity.stiffness[2] / factor;
  const double twist = 0.5 * (motion_->joint_start[at(index)].strain[2] + strain_[at(index)].vector()[2]);
  LayStep lay;
  lay.torque = k * (twist - factor * joint.elasticity.rest[2] + mean_lay_turn(model_, state, *motion_, index));
  lay.twist_gradient = 0.5 * k * step.end_gradient.col(2);
  // how the moment grows with the torque
  const double left = step.change[2] - step.gradient.col(2).dot(step.relative);
  const Vec3 by_torque = step.gradient.col(2) + left * step.per_square * step.relative;
  for (const bool right : {false, true}) {
    const Side& side = right ? joint.right : joint.left;
    if (!side.is_edge()) continue;
    LayStep::Edge& e = lay.edge[right ? 1 : 0];
    const auto j = at(side.edge);
    const rod::AxialStart& start = motion_->start_edge[j];
    const double length = state.edge[j].norm();
    const double per_length = lay_per_length(model_, joint, right);
    const Vec3 tangent = state.frame[j].col(2);
    e.pull = lay.torque * per_length;
    e.force.head<3>() = per_length / (start.length + length) * (start.edge + state.edge[j]);
    rod::Mat34 turning = rod::turning(tangent, length);
    turning.col(3) /= model_.edges[j].rest_length * factor;
    const rod::LaidSide own = rod::laid_side(turning, step.end_gradient.col(2), right ? 1 : -1, tangent, per_length);
    e.torque = 0.5 * k * own.sum();
    e.moment = by_torque * (0.5 * k * own.stretch).transpose();
    lay_pull_[j] += e.pull;
    if (want_tangent_) lay_own_[j] += e.force * e.torque.transpose();
  }
  return lay;
}

// Joints that `add_joint_rows` has done.
void RodSystem::add_lay_rows(const RodState& state, int begin, int count, int joint) {
  StepChunk& chunk = *chunk_;
  for (int i = 0; i < count; ++i) {
    const int row = begin + i;
    if (model_.joints[at(joint + i)].lay.isZero(0)) continue;
    const rod::JointStep step =
        rod::joint_step(motion_->joint_start[at(joint + i)], strain_[at(joint + i)], chunk.law.load<double>(row),
                        chunk.turn.load<double>(row - 1).turn, chunk.turn.load<double>(row).turn);
    const LayStep lay = lay_step(state, step, joint + i);
    if (!want_tangent_) continue;
    const rod::Mat34 by_a = chunk.end_slope.load<double>(row - 1) + lay.edge[0].moment;
    const rod::Mat34 by_b = chunk.start_slope.load<double>(row) + lay.edge[1].moment;
    chunk.end_slope.store<double>(row - 1, by_a);
    chunk.start_slope.store<double>(row, by_b);
    chunk.ab.store<double>(
        row, -chunk.map.load<double>(row - 1) * by_b + lay.edge[0].force * lay.edge[1].torque.transpose());
    chunk.ba.store<double>(row,
                           chunk.map.load<double>(row) * by_a + lay.edge[1].force * lay.edge[0].torque.transpose());
  }
}

// The rotor's rotation turns one side of the joint.
void RodSystem::scatter_lay_rotor(const Joint& joint, const LayStep& lay) {
  const bool edge_left = joint.left.is_edge();
  const LayStep::Edge& e = lay.edge[edge_left ? 0 : 1];
  const double sign = edge_left ? 1 : -1;
  scatter_rotor(joint, sign / arm_ * e.force * lay.twist_gradient.transpose(), sign / arm_ * e.moment);
}

}  // namespace filum::discrete
