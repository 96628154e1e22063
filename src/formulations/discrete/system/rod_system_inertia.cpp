// Inertia and damping in the balance of a moving model: docs/theory/dynamics.md.
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

// A node: inertia, Rayleigh's mass term, the drag of the air.
void RodSystem::add_inertia(const RodState& state, int node) {
  const double stiffness = motion_->inertia * model_.node_mass[at(node)];
  const Vec3& x = state.position[at(node)];
  const Vec3 force = stiffness * (x - motion_->reference[at(node)]);
  node_force_[at(node)] += force;
  node_force_sum_[at(node)] += force.norm();
  largest_.inertia = std::max(largest_.inertia, stiffness * stiffness * x.squaredNorm());
  if (want_tangent_)
    for (int axis = 0; axis < 3; ++axis) tangent_.add_at(node_row_[at(node)] + axis, stiffness);
  if (!model_.damped) return;

  const Vec3 v = motion_->rate * (x - motion_->velocity_reference[at(node)]);
  const double speed = v.norm();
  const double linear = model_.node_drag[at(node)] + model_.node_air[at(node)] * speed;
  node_force_[at(node)] += linear * v;
  node_force_sum_[at(node)] += linear * speed;
  if (!want_tangent_) return;
  // ∂(|v| v)/∂v = |v| + v vᵀ/|v|
  Mat3 k = motion_->rate * linear * Mat3::Identity();
  if (speed > 0) k += motion_->rate * model_.node_air[at(node)] / speed * v * v.transpose();
  tangent_.add_diagonal(tangent_.pair(node, node), k);
}

// Rotors with inertia.
void RodSystem::add_rotor_spin(const RodState& state) {
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    const int block = model_.rotors[r].spins() ? rotor_block(static_cast<int>(r)) : -1;
    if (block < 0) continue;
    if (conserving()) {
      const body::SpinInertia spin = body::spin_over_step(model_.rotors[r].inertia, motion_->start_rotor[r],
                                                          state.rotor[r], motion_->step, motion_->known_spin[r]);
      rotor_moment_[r] += spin.torque;
      rotor_moment_sum_[r] += spin.torque.norm();
      if (want_tangent_) tangent_.add_diagonal(tangent_.pair(block, block), Mat3(spin.tangent / (arm_ * arm_)));
      continue;
    }
    const body::SpinInertia spin =
        body::spin_inertia(model_.rotors[r].inertia, motion_->start_rotor[r], state.rotor[r], motion_->spin,
                           motion_->known_spin[r], motion_->known_momentum[r]);
    rotor_moment_[r] += spin.torque;
    rotor_moment_sum_[r] += spin.torque.norm();
    if (!want_tangent_) continue;
    // on increments in exponential coordinates the turning of the torque itself counts half: as for a dead torque
    const Mat3 k = spin.tangent + 0.5 * math::skew(spin.torque);
    tangent_.add_diagonal(tangent_.pair(block, block), Mat3(k / (arm_ * arm_)));
  }
}

}  // namespace filum::discrete
