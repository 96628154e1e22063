// Finding equilibria: Newton with capped rotations, and a descent that always goes downhill when Newton loses its way.
#pragma once

#include "formulations/kirchhoff/system.hpp"

namespace filum::kirchhoff {

// Newton to convergence from `state`. The path, fast: 4 to 10 iterations from afar. Not monotone in anything: a linear
// step lengthens the edges it turns, energy and residual jump, and both collapse in the next iteration.
SolveReport newton(System& system, RodState& state, const Targets& targets);

// Modified Newton with a shift that keeps the matrix positive and the energy falling: the safeguard. Conservative
// scenes only.
SolveReport descend(System& system, RodState& state, const Targets& targets);

// Whether the equilibrium at `state` is a minimum of the energy, by the inertia of the tangent.
void judge_stability(System& system, RodState& state, const Targets& targets, bool conservative, SolveReport& report);

// Moves `state` off an unstable equilibrium along its softest direction.
void leave_along_softest(System& system, RodState& state, const Targets& targets);

}  // namespace filum::kirchhoff
