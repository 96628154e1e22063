// What the variational stepper knows of a model once and for all: masses, lengths, and the step it stays stable with.
#include "base/index.hpp"
#include "formulations/kirchhoff/variational/variational_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace filum::kirchhoff {

VariationalStepper::VariationalStepper(const ModelData& model) : model_(model), layout_(model), string_(model) {
  measure_nodes();
  measure_stiffness();
  const auto edges = model.edges.size();
  const auto sides = at(layout_.sides);
  const auto joints = layout_.joints.size();
  tangent_.assign(sides, Vec3::Zero());
  rail_.assign(sides, Vec3::Zero());
  gradient_.assign(sides, Vec3::Zero());
  turning_.assign(sides, Vec3::Zero());
  section_.assign(model.sections.size(), Mat3::Identity());
  torque_.assign(joints, 0);
  viscous_moment_.assign(joints, Vec3::Zero());
  total_twist_.assign(layout_.spans.size(), 0);
  turn_.assign(layout_.turn_classes.size(), Vec2(1, 0));
  rotor_goal_.assign(model.rotors.size(), Mat3::Identity());
  rotor_move_.assign(model.rotors.size(), Vec3::Zero());
  force_.assign(at(model.nodes), Vec3::Zero());
  before_.assign(at(model.nodes), Vec3::Zero());
  moved_.assign(edges, Vec3::Zero());
  tension_.assign(edges, 0);
  edge_.assign(edges, Vec3::Zero());
  damping_.resize(joints);
}

void VariationalStepper::measure_nodes() {
  for (int node = 0; node < model_.nodes; ++node) {
    Vec3 inverse = Vec3::Constant(1 / model_.node_mass[at(node)]);
    bool held = false;
    for (int axis = 0; axis < 3; ++axis) {
      if (model_.position_hold[at(node)][at(axis)] < 0) continue;
      inverse[axis] = 0;
      held = true;
    }
    inverse_mass_.push_back(inverse);
    if (held) held_nodes_.push_back(node);
    damped_nodes_ = damped_nodes_ || model_.node_drag[at(node)] > 0 || model_.node_air[at(node)] > 0;
  }
  for (const Edge& edge : model_.edges) {
    const bool judged = model_.scene.rods[at(edge.rod)].extensible && edge.axial_stiffness > 0;
    length_.push_back(edge.rest_length);
    inverse_length_.push_back(1 / edge.rest_length);
    compliance_.push_back(judged ? 1 / edge.axial_stiffness : 0);
  }
  for (const RodRange& range : model_.rods) {
    chains_.emplace_back();
    chains_.back().resize(at(range.mesh.edges()), range.mesh.closed);
  }
}

// The largest ω² of small bending about the straight rod is at most the largest row sum of |M⁻¹K| (Gershgorin), with
// K = Σ k g gᵀ and g the change of a joint's turning angle with its nodes. For even edges this is 16 EI/(μ l⁴), and
// h < 2/ω the limit (l²/2)√(μ/EI). A viscosity η = β k, taken from the velocity at the start of the step, shortens it
// to h = −β + √(β² + 4/ω²).
void VariationalStepper::measure_stiffness() {
  std::vector<double> row(at(model_.nodes), 0);
  std::vector<double> delay(model_.rods.size(), 0);
  bool viscous = false;
  for (std::size_t j = 0; j < layout_.joints.size(); ++j) {
    const rod::SpanJoint& joint = layout_.joints[j];
    const Joint& compiled = model_.joints[at(layout_.model_joint[j])];
    // up to three nodes; those of an edge in opposite directions
    std::array<int, 4> node{-1, -1, -1, -1};
    std::array<double, 4> slope{};
    if (!layout_.is_section(joint.from)) {
      node[0] = model_.edges[at(joint.from)].a, slope[0] = joint.inverse_from;
      node[1] = model_.edges[at(joint.from)].b, slope[1] = joint.inverse_from;
    }
    if (!layout_.is_section(joint.to)) {
      node[2] = model_.edges[at(joint.to)].a, slope[2] = joint.inverse_to;
      node[3] = model_.edges[at(joint.to)].b, slope[3] = joint.inverse_to;
    }
    const double sum = slope[0] + slope[1] + slope[2] + slope[3];
    for (std::size_t n = 0; n < 4; ++n)
      if (node[n] >= 0) row[at(node[n])] += joint.bend * slope[n] * sum;
    if (layout_.is_section(joint.from) || layout_.is_section(joint.to)) section_joints_.push_back(static_cast<int>(j));
    const Vec3& eta = compiled.viscosity;
    viscosity_.push_back({eta[0], eta[2]});
    viscous = viscous || eta[0] > 0 || eta[2] > 0;
    delay[at(compiled.rod)] = std::max(delay[at(compiled.rod)], eta[0] / joint.bend);
  }
  if (!viscous) viscosity_.clear();

  step_limit_ = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const RodRange& range = model_.rods[r];
    double bending = 0;
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
      const double inverse = inverse_mass_[at(node)].maxCoeff();
      bending = std::max(bending, inverse * row[at(node)]);
    }
    bending_rate_.push_back(bending);
    if (bending > 0) step_limit_ = std::min(step_limit_, std::sqrt(delay[r] * delay[r] + 4 / bending) - delay[r]);
  }
  if (!std::isfinite(step_limit_)) step_limit_ = 0;
}

void VariationalStepper::prepare(RodState& state) const {
  if (state.multiplier.size() != model_.edges.size()) state.multiplier = state.tension;
}

std::unique_ptr<RodStepper> make_variational_stepper(const ModelData& model) {
  return std::make_unique<VariationalStepper>(model);
}

}  // namespace filum::kirchhoff
