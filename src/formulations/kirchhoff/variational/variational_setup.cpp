#include "formulations/kirchhoff/variational/variational_setup.hpp"

#include "base/index.hpp"
#include "formulations/kirchhoff/penalty_contact.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace filum::kirchhoff {

using namespace discrete;

VariationalSetup::VariationalSetup(const ModelData& compiled) : model(compiled), layout(compiled), string(compiled) {
  measure_nodes();
  measure_stiffness();
}

void VariationalSetup::measure_nodes() {
  for (int node = 0; node < model.nodes; ++node) {
    Vec3 inverse = Vec3::Constant(1 / model.node_mass[at(node)]);
    bool held = false;
    for (int axis = 0; axis < 3; ++axis) {
      if (model.position_hold[at(node)][at(axis)] < 0) continue;
      inverse[axis] = 0;
      held = true;
    }
    inverse_mass.push_back(inverse);
    if (held) held_nodes.push_back(node);
    damped_nodes = damped_nodes || model.node_drag[at(node)] > 0 || model.node_air[at(node)] > 0;
  }
  for (const Edge& edge : model.edges) {
    const bool judged = model.scene->rods[at(edge.rod)].extensible && edge.axial_stiffness > 0;
    length.push_back(edge.rest_length);
    inverse_length.push_back(1 / edge.rest_length);
    compliance.push_back(judged ? 1 / edge.axial_stiffness : 0);
  }
}

// The largest ω² of small bending about the straight rod is at most the largest row sum of |M⁻¹K| (Gershgorin), with
// K = Σ k g gᵀ and g the change of a joint's turning angle with its nodes. For even edges this is 16 EI/(μ l⁴), and
// h < 2/ω the limit (l²/2)√(μ/EI). A viscosity η = β k, taken from the velocity at the start of the step, shortens it
// to h = −β + √(β² + 4/ω²).
void VariationalSetup::measure_stiffness() {
  std::vector<double> row(at(model.nodes), 0);
  std::vector<double> delay(model.rods.size(), 0);
  bool viscous = false;
  for (std::size_t j = 0; j < layout.joints.size(); ++j) {
    const rod::SpanJoint& joint = layout.joints[j];
    const Joint& compiled = model.joints[at(layout.model_joint[j])];
    // up to three nodes; those of an edge in opposite directions
    std::array<int, 4> node{-1, -1, -1, -1};
    std::array<double, 4> slope{};
    if (!layout.is_section(joint.from)) {
      node[0] = model.edges[at(joint.from)].a, slope[0] = joint.inverse_from;
      node[1] = model.edges[at(joint.from)].b, slope[1] = joint.inverse_from;
    }
    if (!layout.is_section(joint.to)) {
      node[2] = model.edges[at(joint.to)].a, slope[2] = joint.inverse_to;
      node[3] = model.edges[at(joint.to)].b, slope[3] = joint.inverse_to;
    }
    const double sum = slope[0] + slope[1] + slope[2] + slope[3];
    for (std::size_t n = 0; n < 4; ++n)
      if (node[n] >= 0) row[at(node[n])] += joint.bend * slope[n] * sum;
    if (layout.is_section(joint.from) || layout.is_section(joint.to)) section_joints.push_back(static_cast<int>(j));
    const Vec3& eta = compiled.viscosity;
    viscosity.push_back({eta[0], eta[2]});
    viscous = viscous || eta[0] > 0 || eta[2] > 0;
    delay[at(compiled.rod)] = std::max(delay[at(compiled.rod)], eta[0] / joint.bend);
  }
  if (!viscous) viscosity.clear();

  step_limit = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    const RodRange& range = model.rods[r];
    double bending = 0;
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
      const double inverse = inverse_mass[at(node)].maxCoeff();
      bending = std::max(bending, inverse * row[at(node)]);
    }
    bending_rate.push_back(bending);
    if (bending > 0) step_limit = std::min(step_limit, std::sqrt(delay[r] * delay[r] + 4 / bending) - delay[r]);
  }
  if (!std::isfinite(step_limit)) step_limit = 0;
  if (!PenaltyContact(model).empty()) step_limit *= PenaltyContact::kStepShare;
}

// That of bending with what the tensions of the last step add to it. They are taken with room to grow, and up to
// the next power of two, so that the step seldom changes: a symplectic step keeps its energy only while it does not.
double VariationalSetup::longest_step_from(const RodState& state) const {
  double longest = longest_step();
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    const RodRange& range = model.rods[r];
    const double taut = string.fastest(state.multiplier, range.first_edge, range.mesh.edges());
    if (!(taut > 0)) continue;
    const double even = std::exp2(std::ceil(std::log2(taut)));
    const double limit = 2 / std::sqrt(bending_rate[r] / (kSafety * kSafety) + even / (kTautSafety * kTautSafety));
    longest = longest > 0 ? std::min(longest, limit) : limit;
  }
  return longest;
}

}  // namespace filum::kirchhoff
