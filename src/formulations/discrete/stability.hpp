// Stability of an equilibrium, and the way off an unstable one, from the tangent there, whatever its unknowns are.
//
// `At` is a system at one state:
//
//     void evaluate()                            residual and tangent, as an energy has them
//     bool solve(double shift)                   of the tangent, shifted; false: not finite
//     bool factor(double shift)                  likewise, without a solution
//     int excess_negative()                      pivots below zero beyond those of the constraints
//     std::vector<double>& step()                right-hand side, then solution
//     bool turns(int row), is_free(int row)      unknowns that a direction is made of, and that are not held
#pragma once

#include <filum/outcome.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace filum::discrete {

// What a nudge turns the edge by that turns most, rad: visible.
inline constexpr double kNudge = 0.1;

// Solves with the smallest of a growing sequence of shifts that leaves no negative direction. False if there is none.
template <class At>
bool solve_shifted(At at, double growth, int most, double& shift) {
  for (int k = 0; k < most; ++k, shift *= growth) {
    at.evaluate();
    if (at.solve(shift) && at.excess_negative() <= 0) return true;
  }
  return false;
}

// Whether the equilibrium is a minimum of the energy, by the inertia of the tangent. A direction that costs nothing, as
// the plane in which a round column bends, must not be judged by round-off: `neutral` is a stiffness that counts as
// none. `assembled`: the tangent is there, as the search left it.
template <class At>
void judge_stability(At at, double neutral, bool conservative, SolveReport& report, bool assembled = false) {
  report.stable.reset();
  if (!report.converged) return;
  if (!conservative) {
    report.why = "a torque or a following force is not conservative: the inertia of the tangent does not tell";
    return;
  }
  if (!assembled) at.evaluate();
  if (at.factor(neutral)) report.stable = at.excess_negative() <= 0;
}

// The softest direction, its largest component 1, by inverse iteration with a shift that leaves no negative one.
template <class At>
std::vector<double> softest_direction(At at, double shift) {
  std::vector<double> direction(at.step().size(), 0);
  for (std::size_t i = 0; i < direction.size(); ++i) {
    const int row = static_cast<int>(i);
    if (at.turns(row) && at.is_free(row)) direction[i] = 1 + 0.3 * std::sin(1.7 * static_cast<double>(i));
  }
  for (int k = 0; k < 30; ++k) {
    at.evaluate();
    at.step() = direction;
    at.solve(shift);
    double norm = 0;
    for (std::size_t i = 0; i < direction.size(); ++i)
      if (at.turns(static_cast<int>(i))) norm = std::max(norm, std::abs(at.step()[i]));
    for (std::size_t i = 0; i < direction.size(); ++i)
      direction[i] = at.turns(static_cast<int>(i)) ? at.step()[i] / norm : 0;
  }
  return direction;
}

}  // namespace filum::discrete
