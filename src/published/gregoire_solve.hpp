// How Grégoire's cable finds its equilibrium: a minimum of the energy inside, integral forces outside.
//
// The inner loop starts from the state as it is. Each iteration tries, in this order, and takes the first that lowers
// the energy:
//   1. Newton's step H h = F, F = −∂E/∂X;
//   2. one step of nonlinear conjugate gradients, H taken anew;
//   3. steepest descent, of the length FᵀF/(FᵀHF) that is best for this H (one step of linear conjugate gradients,
//   which
//      the source lists on its own, is the same step);
//   4. steepest descent of length 2⁻ᵏ, the first k that goes down.
// H may be indefinite; nothing is done about it but refusing steps that climb. Nothing keeps Newton's method from a
// saddle.
//
// The outer loop lets integral forces grow after each inner one until the geometry is as good as asked for.
//
// Reference: [Gregoire2007, section 6.1 and ch. 4]. The thesis gives no values for its thresholds. Ours to add: where a step
// changes the energy by less than its round-off, the force decides instead.
#pragma once

#include "published/gregoire_cable.hpp"

#include <array>

namespace filum::published {

enum class Step { Newton, ConjugateGradient, SteepestDescent, LineSearch };
inline constexpr int kStepKinds = 4;

struct InnerSettings {
  double force = 1e-9;  // largest |F| that may be left, in units of the unknowns
  double energy = 0;    // change of the energy by a step of Newton's method that ends the loop, J
  double step = 1e-14;  // largest change of an unknown by such a step that does
  int iterations = 500;
};

struct InnerReport {
  bool converged = false;  // one of the thresholds met, or no step lowers the energy any more
  int iterations = 0;
  std::array<int, kStepKinds> taken{};  // how often each kind of step was
  double force = 0;                     // largest |F| left
  double energy = 0;
  double largest_rise = 0;  // of the energy in a step: zero but for round-off
};

InnerReport solve_inner(const Cable& cable, const InnerSettings& settings, CableState& state);

struct OuterSettings {
  InnerSettings inner;
  IntegralShares shares;
  double length = 1e-8;  // errors to be met, as in ConstraintErrors
  double coherence = 1e-8;
  int iterations = 200;
};

struct OuterReport {
  bool converged = false;
  int outer = 0;  // inner solves
  int inner = 0;  // iterations of all of them
  ConstraintErrors errors;
  InnerReport last;
};

OuterReport solve(const Cable& cable, const OuterSettings& settings, CableState& state);

}  // namespace filum::published
