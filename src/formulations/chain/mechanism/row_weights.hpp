// How much of a step's end and of its beginning an elastic row sees.
//
// A row of compliance ε and damping time β answers to its strain at three times, h apart,
//
//     ελ = −(φ + (γh + β) J v⁺ − γ′h J v),      γ = 1/(1 + ρ)²,  γ′ = ρ² γ,
//
// v and v⁺ the velocities before and after the step. Of the oscillator φ̈ = −ω²φ the roots at ωh → ∞ meet at −ρ, so that
// it is stable at any ω; slow motion is damped by (1 − ρ)/(1 + ρ) of what backward Euler (ρ = 0) takes. It is the
// three-step form of Newmark's method with β = γ, γ_N = ½ + γ − γ′. [Hughes1987, section 9.1; Servin2007, (11),
// is ρ = 0]
//
// A rope that swings under the load it can just bear stretches by per cents, to and fro twice a swing: backward Euler
// takes a noticeable share of the swing. Where strain changes within a step by as much as there is of it (a blow, a
// slack rope), nothing is gained by remembering, and ρ is zero.
//
// Twist swings slowly, for minutes, and what a step takes of it adds up. Its row looks back two steps,
//
//     ελ = −(φ + (⅔h + β) J v⁺ − ⅓h (J v + J v⁻)),
//
// which takes (ωh)⁴/6 of the amplitude a step (backward Euler: (ωh)²/2). The roots z³ − 2z² + z + ω²h² (⅔z³ + ⅓) = 0 lie
// within the unit circle at any ω, at ωh → ∞ on 0.79.
#pragma once

#include <algorithm>

namespace filum::chain {

struct RowWeights {
  double now = 1;     // γ
  double before = 0;  // γ′
  double older = 0;   // of the velocity before that
};

inline constexpr RowWeights kTwistWeights{2.0 / 3, 1.0 / 3, 1.0 / 3};

// Radius for strains that change slowly, and the share of the strain, changed in a step, from which on it is zero.
inline constexpr double kRadius = 0.6;
inline constexpr double kSudden = 0.25;

// By the size of the strain and its change in a step.
inline RowWeights row_weights(double strain, double change) {
  const double slow = strain > 0 ? std::max(0.0, 1 - change / (kSudden * strain)) : 0;
  const double radius = kRadius * slow;
  const double now = 1 / ((1 + radius) * (1 + radius));
  return {now, radius * radius * now, 0};
}

}  // namespace filum::chain
