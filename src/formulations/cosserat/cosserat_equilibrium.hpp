// Equilibrium of a cosserat model: Newton's method on the constrained minimum, held on course by a merit that falls.
//
// Torques and following forces have no energy: with them the tangent is unsymmetric, and Newton's steps are shortened
// to half a radian and otherwise taken as they come.
//
// Sequential quadratic programming with exact second derivatives (Nocedal & Wright, Numerical Optimization, 2nd ed.,
// ch. 18): the step solves the linearised conditions of the Lagrangian; where the energy is not convex along the
// constraints, as the signs of the pivots tell, the rotations are stiffened until it is. A step is shortened to half a
// radian, and taken if the merit, energy + weight × gaps, falls. If it does not, the gaps that the curvature of the
// rotations opened are closed first (second-order correction), then the step is halved. The weight exceeds every force
// that a constraint exerts, so that the merit has its minimum where the energy has.
#pragma once

#include "formulations/cosserat/cosserat_system.hpp"

#include <filum/outcome.hpp>

#include <functional>

namespace filum::cosserat {

// What the solver went through; for tests and studies.
struct Course {
  int refused = 0;        // steps whose merit did not fall and that were shortened
  int corrections = 0;    // second-order corrections taken
  int stiffened = 0;      // iterations that needed a shift
  double worst_rise = 0;  // largest rise of the merit in an accepted step, share of its terms: 0 if it always fell
};

// Puts a state where a march from the free end leads; false: nowhere (discrete/free_end.hpp).
using Elsewhere = std::function<bool(CableState&)>;

// `elsewhere`: tried where Newton's steps lead nowhere and there is no energy to watch.
SolveReport find_minimum(System& system, CableState& state, const Progress& progress, Course* course = nullptr,
                         const Elsewhere& elsewhere = {});

void judge_stability(System& system, CableState& state, bool conservative, SolveReport& report);

// A tenth of a radian along the softest direction of an unstable equilibrium.
void leave_along_softest(System& system, CableState& state);

}  // namespace filum::cosserat
