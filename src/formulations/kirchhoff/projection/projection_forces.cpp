#include "formulations/kirchhoff/projection/projection_forces.hpp"

#include "base/index.hpp"
#include "formulations/kirchhoff/projection/projection_twist.hpp"
#include "rod/binormal_bending.hpp"

namespace filum::kirchhoff {

using namespace discrete;

namespace {

// Strain rates matter.
bool is_damped(const ModelData& model, const RodRange& range) {
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
    if (!model.joints[at(k)].viscosity.isZero(0)) return true;
  return false;
}

rod::BinormalStrain strain_of(const ModelData& model, const RodState& state, int joint) {
  const Joint& j = model.joints[at(joint)];
  return rod::binormal_strain(side_frame(model, state, j.left, j.offset), side_frame(model, state, j.right, 0),
                              state.twist[at(joint)]);
}

}  // namespace

BinormalForces::BinormalForces(const ModelData& model) : model_(model) {
  for (const RodRange& range : model.rods) {
    bool round = true;
    const bool damped = is_damped(model, range);
    for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
      round = round && is_round(model.joints[at(k)]);
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

void BinormalForces::add_general(const RodRange& range, RodState& state) {
  const bool damped = damped_[at(static_cast<int>(&range - model_.rods.data()))] != 0;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const Joint& joint = model_.joints[at(k)];
    const rod::JointElasticity& e = elasticity_[at(k)];
    const rod::BinormalStrain strain = strain_of(model_, state, k);
    const Vec3& value = strain.value;
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
    const Vec3 moment = strain.gradient * components;
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
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    Vec3 value = strain_of(model_, state, static_cast<int>(k)).value;
    value[2] = state.twist[k];
    sum += rod::binormal_energy(value, elasticity_[k]);
  }
  return sum;
}

void remember_strains(const ModelData& model, RodState& state) {
  state.past_strain.assign(model.joints.size(), Vec3::Zero());
  for (const RodRange& range : model.rods) {
    if (!is_damped(model, range)) continue;
    for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
      state.past_strain[at(k)] = strain_of(model, state, k).value;
  }
}

}  // namespace filum::kirchhoff
