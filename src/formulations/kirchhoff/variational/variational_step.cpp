#include "formulations/kirchhoff/variational/variational_step.hpp"

#include "base/index.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "rod/binormal_bending.hpp"

#include <algorithm>
#include <cmath>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

// A state whose edges are longer or shorter than the rod's by more than this share does not come from this stepper.
constexpr double kForeignStrain = 1e-9;
// Share of the gap between an edge and the difference of its nodes' positions that a step closes: enough to keep
// round-off from adding up over millions of steps, too little to let the noise of large coordinates in.
constexpr double kCloseGap = 1e-3;

constexpr const char* kTooLarge = "time step too large for the rod's bending";
constexpr const char* kWouldPass = "something would go through something else within the step";
constexpr const char* kTooTaut =
    "time step too large for a rod this taut: take a shorter one, or the stepper 'implicit'";
constexpr const char* kTooHard =
    "time step too large: no tensions keep the rod's lengths in it, a blow or a pull is too hard; take a shorter step, "
    "move the holds more gently, or take the stepper 'implicit'";

}  // namespace

VariationalStepper::VariationalStepper(const VariationalSetup& setup)
    : setup_(setup), model_(setup.model), contact_(setup.model) {
  const auto edges = model_.edges.size();
  const auto sides = at(setup.layout.sides);
  const auto joints = setup.layout.joints.size();
  tangent_.assign(sides, Vec3::Zero());
  rail_.assign(sides, Vec3::Zero());
  gradient_.assign(sides, Vec3::Zero());
  turning_.assign(sides, Vec3::Zero());
  section_.assign(model_.sections.size(), Mat3::Identity());
  torque_.assign(joints, 0);
  viscous_moment_.assign(joints, Vec3::Zero());
  total_twist_.assign(setup.layout.spans.size(), 0);
  turn_.assign(setup.layout.turn_classes.size(), Vec2(1, 0));
  rotor_goal_.assign(model_.rotors.size(), Mat3::Identity());
  rotor_move_.assign(model_.rotors.size(), Vec3::Zero());
  force_.assign(at(model_.nodes), Vec3::Zero());
  before_.assign(at(model_.nodes), Vec3::Zero());
  moved_.assign(edges, Vec3::Zero());
  tension_.assign(edges, 0);
  edge_.assign(edges, Vec3::Zero());
  damping_.resize(joints);
  for (const RodRange& range : model_.rods) {
    chains_.emplace_back();
    chains_.back().resize(at(range.mesh.edges()), range.mesh.closed);
  }
}

StepReport VariationalStepper::step(RodState& state, const Targets& targets, double dt) {
  StepReport report;
  report.why = kTooLarge;
  kick_ = 0.5 * ((state.moving ? state.last_step : 0) + dt);
  if (setup_.step_limit > 0 && dt > setup_.step_limit) return report;
  // where everything is, and where the holds are going
  find_tangents(state);
  find_sections(state);
  if (!lay_on_constraint(state, report)) return report;
  if (!plan_turns(state, targets)) {
    report.why = "a hold turns by half a turn or more in one step";
    return report;
  }
  // forces, motion without and with the lengths kept
  start_ = state.position;
  find_torques(state);
  find_forces(state, targets, dt);
  if (!state.moving && is_too_taut(state, dt)) {
    report.why = kTooTaut;
    return report;
  }
  kick(state, targets, dt);
  if (!keep_lengths(state, dt, report)) return report;
  move(state, targets, dt);
  settle_holds(state);
  note_moments(state);
  settle_contact(state);
  if (!contact_.empty()) {
    if (contact_.leads_through(state, start_)) {
      report.why = kWouldPass;
      return report;
    }
    contact_.remember(dt, start_, state);
  }
  // the frames that go with it
  turn_rotors(state, targets, dt);
  find_tangents(state);
  find_sections(state);
  carry_frames(state);
  state.moving = true;
  state.last_step = dt;
  report.converged = report.usable = true;
  report.why = "";
  return report;
}

std::optional<double> VariationalStepper::elastic_energy(const RodState& state) {
  find_tangents(state);
  find_sections(state);
  find_torques(state);
  double energy = rod::bending_energy(setup_.layout.joints, tangent_);
  for (std::size_t s = 0; s < setup_.layout.spans.size(); ++s)
    if (const TwistSpan& span = setup_.layout.spans[s]; span.ends != SpanEnds::Loose)
      energy += 0.5 * total_twist_[s] * total_twist_[s] / span.compliance;
  return energy;
}

// A state of another origin (as drawn, from the statics of stretchable rods) is brought to the rod's lengths, every
// node by as little as it can, and its twist spread evenly. True if there is nothing to do.
bool VariationalStepper::lay_on_constraint(RodState& state, StepReport& report) {
  if (state.moving && worst_strain_ <= kForeignStrain) return true;
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const RodRange& range = model_.rods[r];
    const auto edges = at(range.mesh.edges());
    const auto first = at(range.first_edge);
    const auto nodes = std::span(setup_.inverse_mass).subspan(at(range.first_node), at(range.mesh.nodes()));
    const auto tension = std::span(tension_).subspan(first, edges);
    const auto direction = std::span<const Vec3>(tangent_).subspan(first, edges);
    std::fill(tension.begin(), tension.end(), 0.0);
    const auto outcome = chains_[r].solve({.direction = direction,
                                           .moved = std::span<const Vec3>(state.edge).subspan(first, edges),
                                           .length = std::span<const double>(setup_.length).subspan(first, edges),
                                           .inverse_mass = nodes,
                                           .scale = 1},
                                          tension, std::span(edge_).subspan(first, edges));
    report.residual = std::max(report.residual, outcome.residual);
    if (!outcome.converged) {
      report.why =
          has_tight_rod(model_, state.position) ? kTightRod : "the rod's shape cannot be brought to its length";
      return false;
    }
    for (std::size_t j = first; j < first + edges; ++j) {
      const Vec3 pull = tension_[j] * tangent_[j];
      state.position[at(model_.edges[j].a)] += setup_.inverse_mass[at(model_.edges[j].a)].cwiseProduct(pull);
      state.position[at(model_.edges[j].b)] -= setup_.inverse_mass[at(model_.edges[j].b)].cwiseProduct(pull);
      state.edge[j] = edge_[j];
    }
  }
  find_tangents(state);
  find_torques(state);
  std::fill(rotor_move_.begin(), rotor_move_.end(), Vec3::Zero());
  carry_frames(state);
  return true;
}

// One torque for each span, from the sum of its joints' twists.
void VariationalStepper::find_torques(const RodState& state) {
  for (std::size_t s = 0; s < setup_.layout.spans.size(); ++s) {
    const TwistSpan& span = setup_.layout.spans[s];
    double total = 0;
    if (span.ends != SpanEnds::Loose)
      for (int k = span.first; k < span.first + span.count; ++k)
        total += state.twist[at(setup_.layout.model_joint[at(k)])];
    total_twist_[s] = total;
    const double torque = span.ends != SpanEnds::Loose ? total / span.compliance : 0;
    for (int k = span.first; k < span.first + span.count; ++k) torque_[at(k)] = torque;
  }
}

// ∂P/∂ė of viscous bending and twist, from the velocities at the start of the step.
void VariationalStepper::add_viscous_forces(RodState& state) {
  for (std::size_t j = 0; j < setup_.length.size(); ++j) {
    const Edge& edge = model_.edges[j];
    turning_[j] = setup_.inverse_length[j] * tangent_[j].cross(state.velocity[at(edge.b)] - state.velocity[at(edge.a)]);
  }
  for (std::size_t s = 0; s < section_.size(); ++s) {
    const auto rotor = at(model_.sections[s].rotor);
    turning_[setup_.length.size() + s] = state.rotor[rotor] * state.rotor_spin[rotor];
  }
  for (const TwistSpan& span : setup_.layout.spans) {
    const auto joints = setup_.layout.joints_of(span);
    const auto viscosity =
        std::span<const rod::JointViscosity>(setup_.viscosity).subspan(at(span.first), at(span.count));
    const rod::SpinTies ties{setup_.layout.is_section(span.anchor), span.ends != SpanEnds::Loose};
    state.dissipated += kick_ * damping_.rates(joints, viscosity, tangent_, turning_, ties);
    damping_.add_gradient(joints, tangent_, gradient_);
    for (int k = 0; k < span.count; ++k) viscous_moment_[at(span.first + k)] = damping_.moment(at(k));
  }
}

void VariationalStepper::find_forces(RodState& state, const Targets& targets, double dt) {
  std::fill(gradient_.begin(), gradient_.end(), Vec3::Zero());
  rod::add_gradient(setup_.layout.joints, tangent_, torque_, gradient_);
  if (!setup_.viscosity.empty()) add_viscous_forces(state);
  // weight, loads, and what the edges do to their nodes
  const Vec3 gravity = targets.load * model_.gravity;
  for (std::size_t n = 0; n < force_.size(); ++n)
    force_[n] = model_.node_mass[n] * gravity + targets.load * model_.distributed[n];
  for (const PointLoad& load : model_.forces)
    force_[at(load.node)] += targets.load * targets.force_scale[at(load.index)] * load.value;
  for (std::size_t j = 0; j < setup_.length.size(); ++j) {
    force_[at(model_.edges[j].a)] += gradient_[j];
    force_[at(model_.edges[j].b)] -= gradient_[j];
  }
  if (contact_.empty()) return;
  contact_.find(state, targets, dt);
  contact_.add_forces(force_);
}

// Work and losses of what touches, over the kick.
void VariationalStepper::settle_contact(RodState& state) {
  if (contact_.empty()) return;
  contact_.account(
      kick_, [&](int node) -> Vec3 { return 0.5 * (before_[at(node)] + state.velocity[at(node)]); }, state);
}

// Damping takes its share of the velocity, v̇ = −(α + k|v|/m) v solved exactly, then the forces act.
void VariationalStepper::push(RodState& state) {
  for (std::size_t n = 0; n < before_.size(); ++n) {
    before_[n] = state.velocity[n];
    if (setup_.damped_nodes && (model_.node_drag[n] > 0 || model_.node_air[n] > 0)) {
      const double mass = model_.node_mass[n];
      const double square = before_[n].squaredNorm();
      const double keep =
          std::exp(-kick_ * model_.node_drag[n] / mass) / (1 + kick_ * model_.node_air[n] * std::sqrt(square) / mass);
      state.dissipated += 0.5 * mass * square * (1 - keep * keep);
      before_[n] *= keep;
    }
    state.velocity[n] = before_[n] + kick_ * setup_.inverse_mass[n].cwiseProduct(force_[n]);
  }
}

// Velocities without the tensions, and what the edges would become; held nodes go where their holds do.
void VariationalStepper::kick(RodState& state, const Targets& targets, double dt) {
  push(state);
  for (const int node : setup_.held_nodes)
    for (int axis = 0; axis < 3; ++axis)
      if (const int hold = model_.position_hold[at(node)][at(axis)]; hold >= 0)
        state.velocity[at(node)][axis] = (targets.holds[at(hold)].position[axis] - state.position[at(node)][axis]) / dt;
  for (std::size_t j = 0; j < setup_.length.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const Vec3 gap = state.position[at(edge.b)] - state.position[at(edge.a)] - state.edge[j];
    moved_[j] = state.edge[j] + dt * (state.velocity[at(edge.b)] - state.velocity[at(edge.a)]) + kCloseGap * gap;
  }
}

// Tensions that keep the edges' lengths. False if there are none, or if they make the step unstable.
bool VariationalStepper::keep_lengths(RodState& state, double dt, StepReport& report) {
  tension_.swap(state.multiplier);
  report.residual = 0;
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const RodRange& range = model_.rods[r];
    const auto edges = at(range.mesh.edges());
    const auto first = at(range.first_edge);
    const auto tension = std::span(tension_).subspan(first, edges);
    const auto outcome = chains_[r].solve(
        {.direction = std::span<const Vec3>(tangent_).subspan(first, edges),
         .moved = std::span<const Vec3>(moved_).subspan(first, edges),
         .length = std::span<const double>(setup_.length).subspan(first, edges),
         .inverse_mass =
             std::span<const Vec3>(setup_.inverse_mass).subspan(at(range.first_node), at(range.mesh.nodes())),
         .scale = dt * kick_},
        tension, std::span(edge_).subspan(first, edges));
    report.iterations = std::max(report.iterations, outcome.iterations);
    report.residual = std::max(report.residual, outcome.residual);
    if (!outcome.converged) {
      report.why = has_tight_rod(model_, state.position) ? kTightRod : kTooHard;
      return false;
    }
    for (std::size_t j = first; j < first + edges; ++j)
      report.neglected_strain = std::max(report.neglected_strain, std::abs(tension_[j]) * setup_.compliance[j]);
    // a taut rod vibrates faster: the same limit with what the tension adds; the first step may hold an impact
    if (state.moving && is_too_long(r, tension_, dt)) {
      report.why = kTooTaut;
      return false;
    }
  }
  tension_.swap(state.multiplier);
  return true;
}

// Whether the tensions make a rod vibrate too fast for the step.
bool VariationalStepper::is_too_long(std::size_t rod, std::span<const double> tension, double dt) const {
  const RodRange& range = model_.rods[rod];
  return (setup_.bending_rate[rod] + setup_.string.fastest(tension, range.first_edge, range.mesh.edges())) * dt * dt >
         4;
}

// The tensions' share in forces and velocities.
void VariationalStepper::pull(RodState& state) {
  for (std::size_t j = 0; j < setup_.length.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const Vec3 pull = state.multiplier[j] * tangent_[j];
    force_[at(edge.a)] += pull;
    force_[at(edge.b)] -= pull;
    state.velocity[at(edge.a)] += kick_ * setup_.inverse_mass[at(edge.a)].cwiseProduct(pull);
    state.velocity[at(edge.b)] -= kick_ * setup_.inverse_mass[at(edge.b)].cwiseProduct(pull);
  }
}

// Velocities with the tensions, then positions and edges; the work of the loads.
void VariationalStepper::move(RodState& state, const Targets& targets, double dt) {
  pull(state);
  for (std::size_t j = 0; j < setup_.length.size(); ++j) {
    state.edge[j] = edge_[j];
    state.tension[j] = state.multiplier[j];
  }
  for (const PointLoad& load : model_.forces)
    state.work +=
        dt * targets.load * targets.force_scale[at(load.index)] * load.value.dot(state.velocity[at(load.node)]);
  for (std::size_t n = 0; n < force_.size(); ++n) {
    state.position[n] += dt * state.velocity[n];
    state.work += dt * targets.load * model_.distributed[n].dot(state.velocity[n]);
  }
  // held nodes to the last bit
  for (const int node : setup_.held_nodes)
    for (int axis = 0; axis < 3; ++axis)
      if (const int hold = model_.position_hold[at(node)][at(axis)]; hold >= 0)
        state.position[at(node)][axis] = targets.holds[at(hold)].position[axis];
}

// What the holds did to the nodes, m dv/dt less all other forces, and its work.
void VariationalStepper::settle_holds(RodState& state) {
  std::fill(state.hold_force.begin(), state.hold_force.end(), Vec3::Zero());
  for (const int node : setup_.held_nodes) {
    const auto n = at(node);
    const Vec3 reaction = model_.node_mass[n] / kick_ * (state.velocity[n] - before_[n]) - force_[n];
    for (int axis = 0; axis < 3; ++axis) {
      const int hold = model_.position_hold[n][at(axis)];
      if (hold < 0) continue;
      state.hold_force[at(hold)][axis] = reaction[axis];
      state.work += kick_ * reaction[axis] * 0.5 * (state.velocity[n][axis] + before_[n][axis]);
    }
  }
}

// What the holds do to turn the sections, at the start of the step. Its work takes half of the turn before and half of
// the turn now, so that a steady twist is paid for exactly.
void VariationalStepper::note_moments(RodState& state) {
  std::fill(state.hold_moment.begin(), state.hold_moment.end(), Vec3::Zero());
  const double past = state.moving ? state.last_step : 0;
  for (const int index : setup_.section_joints) {
    const auto k = at(index);
    const rod::SpanJoint& joint = setup_.layout.joints[k];
    const bool from = setup_.layout.is_section(joint.from);
    const Vec3 moment = rod::round_moment(tangent_[at(joint.from)], tangent_[at(joint.to)], joint.bend, torque_[k]) +
                        viscous_moment_[k];
    const Vec3 held = from ? Vec3(-moment) : moment;
    const int rotor = model_.sections[at((from ? joint.from : joint.to) - setup_.layout.edges)].rotor;
    state.hold_moment[at(model_.rotors[at(rotor)].hold)] += held;
    const Vec3 before = past * (state.rotor[at(rotor)] * state.rotor_spin[at(rotor)]);
    state.work += 0.5 * held.dot(before + rotor_move_[at(rotor)]);
  }
}

namespace {

class VariationalScheme final : public StepScheme {
 public:
  explicit VariationalScheme(const ModelData& model) : setup_(model) {}
  [[nodiscard]] std::unique_ptr<RodStepper> stepper() const override {
    return std::make_unique<VariationalStepper>(setup_);
  }
  [[nodiscard]] double longest_step() const override { return setup_.longest_step(); }
  [[nodiscard]] double longest_step_from(const RodState& state) const override {
    return setup_.longest_step_from(state);
  }
  void prepare(RodState& state) const override {
    if (state.multiplier.size() != setup_.length.size()) state.multiplier = state.tension;
  }

 private:
  VariationalSetup setup_;
};

}  // namespace

std::unique_ptr<StepScheme> make_variational_scheme(const ModelData& model) {
  return std::make_unique<VariationalScheme>(model);
}

}  // namespace filum::kirchhoff
