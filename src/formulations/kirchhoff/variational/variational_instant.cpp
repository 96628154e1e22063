// A state of the variational stepper as it is at the instant of its positions: velocities and accounts half a step on.
//
// Positions belong to the end of a step, velocities to its middle. What is missing is the first half of the next kick,
//
//     v = v^k + ½h M⁻¹ [F(x^k) + Σ T t(x^k)],      t·(v_b − v_a) = 0 on every edge:
//
// the velocity half of the RATTLE scheme [Andersen1983], of second order, with which kinetic and potential energy add
// up without the error of first order that their being half a step apart makes.
#include "formulations/kirchhoff/variational/variational_step.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace filum::kirchhoff {

using namespace discrete;

void VariationalStepper::synchronise(RodState& state, const Targets& targets) {
  if (!state.moving || !(state.last_step > 0)) return;
  kick_ = 0.5 * state.last_step;
  // what holds did over the last step is told as it is
  const std::vector<Vec3> hold_force = state.hold_force;
  const std::vector<Vec3> hold_moment = state.hold_moment;
  std::vector<Vec3> held;
  for (const int node : setup_.held_nodes) held.push_back(state.velocity[at(node)]);

  // half a kick
  find_tangents(state);
  find_sections(state);
  find_torques(state);
  find_forces(state, targets, state.last_step);
  push(state);
  for (std::size_t k = 0; k < setup_.held_nodes.size(); ++k) {
    const auto n = at(setup_.held_nodes[k]);
    for (int axis = 0; axis < 3; ++axis)
      if (setup_.inverse_mass[n][axis] == 0) state.velocity[n][axis] = held[k][axis];
  }
  for (std::size_t j = 0; j < setup_.length.size(); ++j)
    moved_[j] = state.velocity[at(model_.edges[j].b)] - state.velocity[at(model_.edges[j].a)];
  keep_rates(state.multiplier);
  pull(state);

  // and half of the holds' work
  settle_holds(state);
  std::fill(rotor_move_.begin(), rotor_move_.end(), Vec3::Zero());
  note_moments(state);
  settle_contact(state);
  state.hold_force = hold_force;
  state.hold_moment = hold_moment;
}

// Tensions with which the edges, whose velocities without them are `moved_` after `kick_`, keep their lengths.
void VariationalStepper::keep_rates(std::span<double> tension) {
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const RodRange& range = model_.rods[r];
    const auto edges = at(range.mesh.edges());
    const auto first = at(range.first_edge);
    chains_[r].solve_rates(
        {.direction = std::span<const Vec3>(tangent_).subspan(first, edges),
         .moved = std::span<const Vec3>(moved_).subspan(first, edges),
         .length = std::span<const double>(setup_.length).subspan(first, edges),
         .inverse_mass =
             std::span<const Vec3>(setup_.inverse_mass).subspan(at(range.first_node), at(range.mesh.nodes())),
         .scale = kick_},
        tension.subspan(first, edges));
  }
}

// Whether the forces on a rod that has not moved yet pull it so taut that it vibrates too fast for the step. Velocities
// that do not fit together, a blow, are left out.
bool VariationalStepper::is_too_taut(const RodState& state, double dt) {
  for (std::size_t j = 0; j < setup_.length.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const auto a = at(edge.a);
    const auto b = at(edge.b);
    // what the tension has to keep in, and to bend round
    const Vec3 whirl = (state.velocity[b] - state.velocity[a]).squaredNorm() * setup_.inverse_length[j] * tangent_[j];
    moved_[j] = kick_ * (setup_.inverse_mass[b].cwiseProduct(force_[b]) -
                         setup_.inverse_mass[a].cwiseProduct(force_[a]) + whirl);
  }
  keep_rates(tension_);
  for (std::size_t r = 0; r < model_.rods.size(); ++r)
    if (is_too_long(r, tension_, dt)) return true;
  return false;
}

}  // namespace filum::kirchhoff
