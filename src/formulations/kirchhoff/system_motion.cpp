// Inertia and damping in the balance of a moving model: docs/theory/dynamics.md.
#include "formulations/kirchhoff/system.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::kirchhoff {

// A viscous joint is an elastic one of stiffness k + η/τ whose rest strain lies between its own and the strain at the
// start of the step, τ before: k (s − rest) + η (s − s0)/τ. The damping of flips, χ k (s − ŝ), joins in the same way.
rod::JointElasticity System::joint_elasticity(const RodState& state, int index) const {
  const Joint& joint = model_.joints[at(index)];
  rod::JointElasticity elasticity = joint.elasticity;
  const double factor = state.length_factor[at(joint.rod)];
  elasticity.stiffness /= factor;
  elasticity.rest *= factor;
  if (motion_ == nullptr || motion_->start_strain.empty()) return elasticity;
  Vec3 sum = elasticity.stiffness;
  Vec3 anchored = elasticity.stiffness.cwiseProduct(elasticity.rest);
  if (model_.damped) {
    const Vec3 viscous = joint.viscosity / (factor * motion_->elapsed);
    sum += viscous;
    anchored += viscous.cwiseProduct(motion_->start_strain[at(index)]);
  }
  if (!motion_->foreseen_strain.empty()) {
    const Vec3 flips = motion_->flip * elasticity.stiffness;
    sum += flips;
    anchored += flips.cwiseProduct(motion_->foreseen_strain[at(index)]);
  }
  elasticity.rest = anchored.cwiseQuotient(sum);
  elasticity.stiffness = sum;
  return elasticity;
}

// Nodes: inertia, Rayleigh's mass term, the drag of the air.
void System::add_inertia(const RodState& state) {
  const bool damped = model_.damped;
  inertia_size_ = 0;
  for (int node = 0; node < model_.nodes; ++node) {
    const double mass = model_.node_mass[at(node)];
    const Vec3& x = state.position[at(node)];
    const Vec3 force = motion_->inertia * mass * (x - motion_->reference[at(node)]);
    node_force_[at(node)] += force;
    node_force_sum_[at(node)] += force.norm();
    inertia_size_ = std::max(inertia_size_, motion_->inertia * mass * x.norm());
    Mat3 k = Mat3::Zero();
    k.diagonal().setConstant(motion_->inertia * mass);
    if (damped) {
      const Vec3 v = motion_->rate * (x - motion_->velocity_reference[at(node)]);
      const double speed = v.norm();
      const double linear = model_.node_drag[at(node)] + model_.node_air[at(node)] * speed;
      node_force_[at(node)] += linear * v;
      node_force_sum_[at(node)] += linear * speed;
      // ∂(|v| v)/∂v = |v| + v vᵀ/|v|
      k.diagonal().array() += motion_->rate * linear;
      if (speed > 0) k += motion_->rate * model_.node_air[at(node)] / speed * v * v.transpose();
    }
    if (want_tangent_) tangent_.add_diagonal(node_slot_[at(node)], k);
  }
}

double System::angle_between(const Mat3& start_frame, const Mat3& frame) {
  const Vec3 direct = rod::carried_director(start_frame, frame.col(2));
  return math::angle_of(-direct.dot(frame.col(1)), direct.dot(frame.col(0)));
}

void System::measure_strains(const RodState& state, std::vector<Vec3>& strains) const {
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    strains[k] = rod::joint_strain_vector(side_frame(state, joint.left, joint.offset),
                                          side_frame(state, joint.right, 0), state.twist[k]);
  }
}

Vec3 System::joint_moment(const RodState& state, int joint) const {
  const rod::JointStrain& s = strain_[at(joint)];
  return rod::joint_moment(s, rod::joint_moment_components(s, joint_elasticity(state, joint)));
}

// Rotations: edges about themselves, and rotors.
void System::add_spin(const RodState& state) {
  if (!motion_->angle_reference.empty())
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      if (model_.edges[j].spin_inertia == 0) continue;
      const double ahead = angle_between(motion_->start_frame[j], state.frame[j]) - motion_->angle_reference[j];
      edge_spin_torque_[j] = motion_->inertia * model_.edges[j].spin_inertia * ahead;
    }
  for (const FreeBody& body : model_.bodies) {
    const int block = rotor_block(body.rotor);
    if (block < 0) continue;
    const auto r = at(body.rotor);
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

}  // namespace filum::kirchhoff
