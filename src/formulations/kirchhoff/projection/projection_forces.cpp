#include "formulations/kirchhoff/projection/projection_forces.hpp"

#include "base/index.hpp"
#include "formulations/kirchhoff/projection/projection_twist.hpp"
#include "rod/binormal_bending.hpp"

namespace filum::kirchhoff {

BinormalForces::BinormalForces(const ModelData& model) : model_(model) {
  for (const RodRange& range : model.rods) {
    bool round = true;
    bool damped = false;
    for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
      round = round && is_round(model.joints[at(k)]);
      damped = damped || !model.joints[at(k)].viscosity.isZero(0);
    }
    round_.push_back(round && !damped ? 1 : 0);
    damped_.push_back(damped ? 1 : 0);
  }
  for (const Joint& joint : model.joints) {
    const rod::JointElasticity& e = joint.elasticity;
    round_joint_.push_back({joint.left.edge, joint.left.section, joint.right.edge, joint.right.section, e.stiffness[0],
                            e.stiffness[2], e.rest[2]});
    elasticity_.push_back(rod::binormal_elasticity(e));
  }
  tangent_.resize(model.edges.size());
  inverse_length_.resize(model.edges.size());
  edge_moment_.resize(model.edges.size());
  section_tangent_.resize(model.sections.size());
  node_force_.resize(at(model.nodes));
  section_moment_.resize(model.sections.size());
}

void BinormalForces::evaluate(RodState& state) {
  dissipation_ = 0;
  for (Vec3& force : node_force_) force.setZero();
  for (Vec3& moment : section_moment_) moment.setZero();
  for (std::size_t k = 0; k < model_.sections.size(); ++k) {
    const discrete::Section& section = model_.sections[k];
    section_tangent_[k] = state.rotor[at(section.rotor)] * section.base.col(2);
  }
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const double inverse = 1 / state.edge[j].norm();
    inverse_length_[j] = inverse;
    tangent_[j] = inverse * state.edge[j];
    edge_moment_[j].setZero();
  }
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    if (round_[r] != 0)
      add_round(model_.rods[r], state);
    else
      add_general(model_.rods[r], state);
    add_edges(model_.rods[r]);
  }
}

void BinormalForces::add_round(const RodRange& range, const RodState& state) {
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const RoundJoint& joint = round_joint_[at(k)];
    const Vec3& t0 = joint.left_edge >= 0 ? tangent_[at(joint.left_edge)] : section_tangent_[at(joint.left_section)];
    const Vec3& t1 = joint.right_edge >= 0 ? tangent_[at(joint.right_edge)] : section_tangent_[at(joint.right_section)];
    const double torque = joint.twisting * (state.twist[at(k)] - joint.rest_twist);
    const Vec3 moment = rod::round_moment(t0, t1, joint.bending, torque);
    Vec3& left = joint.left_edge >= 0 ? edge_moment_[at(joint.left_edge)] : section_moment_[at(joint.left_section)];
    Vec3& right = joint.right_edge >= 0 ? edge_moment_[at(joint.right_edge)] : section_moment_[at(joint.right_section)];
    left -= moment;
    right += moment;
  }
}

Vec3 BinormalForces::strain(const RodState& state, int joint, Mat3& gradient) const {
  const Joint& j = model_.joints[at(joint)];
  const rod::BinormalStrain strain = rod::binormal_strain(
      side_frame(model_, state, j.left, j.offset), side_frame(model_, state, j.right, 0), state.twist[at(joint)]);
  gradient = strain.gradient;
  return strain.value;
}

void BinormalForces::add_general(const RodRange& range, RodState& state) {
  const bool damped = damped_[at(static_cast<int>(&range - model_.rods.data()))] != 0;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const Joint& joint = model_.joints[at(k)];
    const rod::JointElasticity& e = elasticity_[at(k)];
    Mat3 gradient;
    const Vec3 value = strain(state, k, gradient);
    Vec3 components = e.stiffness.cwiseProduct(value - e.rest);
    if (damped) {
      // a state that has not moved has no rates
      const Vec3 rate = state.last_step > 0 ? Vec3((value - state.past_strain[at(k)]) / state.last_step) : Vec3::Zero();
      const Vec3 drag = joint.viscosity.cwiseProduct(rate);
      components += drag;
      // that of twist is counted where twist settles
      dissipation_ += drag.head<2>().dot(rate.head<2>());
      state.past_strain[at(k)] = value;
    }
    const Vec3 moment = gradient * components;
    (joint.left.is_edge() ? edge_moment_[at(joint.left.edge)] : section_moment_[at(joint.left.section)]) -= moment;
    (joint.right.is_edge() ? edge_moment_[at(joint.right.edge)] : section_moment_[at(joint.right.section)]) += moment;
  }
}

// ∂E/∂e = (T × t)/|e|: the force on the edge's far node is its opposite.
void BinormalForces::add_edges(const RodRange& range) {
  for (int j = range.first_edge; j < range.first_edge + range.mesh.edges(); ++j) {
    const Edge& edge = model_.edges[at(j)];
    const Vec3 gradient = inverse_length_[at(j)] * edge_moment_[at(j)].cross(tangent_[at(j)]);
    node_force_[at(edge.a)] += gradient;
    node_force_[at(edge.b)] -= gradient;
  }
}

double BinormalForces::energy(const RodState& state) const {
  double sum = 0;
  Mat3 gradient;
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    Vec3 value = strain(state, static_cast<int>(k), gradient);
    value[2] = state.twist[k];
    sum += rod::binormal_energy(value, elasticity_[k]);
  }
  return sum;
}

void BinormalForces::remember_strains(RodState& state) const {
  Mat3 gradient;
  state.past_strain.assign(model_.joints.size(), Vec3::Zero());
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const RodRange& range = model_.rods[r];
    for (int k = range.first_joint; damped_[r] != 0 && k < range.first_joint + range.joints; ++k)
      state.past_strain[at(k)] = strain(state, k, gradient);
  }
}

}  // namespace filum::kirchhoff
