// Finding equilibria: Newton with capped rotations, and a descent that always goes downhill when Newton loses its way.
#pragma once

#include "formulations/discrete/system/rod_system.hpp"

namespace filum::kirchhoff {

// Newton to convergence from `state`. The path, fast: 4 to 10 iterations from afar. Not monotone in anything: a linear
// step lengthens the edges it turns, energy and residual jump, and both collapse in the next iteration.
//
// While a step still turns an edge far, an indefinite matrix is shifted until it is not: its step would lead uphill to
// some distant saddle. Near by, `Keep` takes the pure step, which stays at an unstable equilibrium if that is where the
// state is; `Leave` goes on shifting, and so goes downhill from it.
enum class Branch { Keep, Leave };
SolveReport newton(discrete::RodSystem& system, discrete::RodState& state, const Targets& targets, Branch branch,
                   const Progress& progress);

// Modified Newton with a shift that keeps the matrix positive and the energy falling: the safeguard. Conservative
// scenes only.
SolveReport descend(discrete::RodSystem& system, discrete::RodState& state, const Targets& targets,
                    const Progress& progress);

// Whether the equilibrium at `state` is a minimum of the energy, by the inertia of the tangent.
void judge_stability(discrete::RodSystem& system, discrete::RodState& state, const Targets& targets, bool conservative,
                     SolveReport& report);

// Moves `state` off an unstable equilibrium along its softest direction.
void leave_along_softest(discrete::RodSystem& system, discrete::RodState& state, const Targets& targets);

}  // namespace filum::kirchhoff
