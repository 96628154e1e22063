// Whether Newton's method converges as it should where the tangent of a step is exact.
#pragma once

#include "formulations/discrete/system/rod_system.hpp"

#include <doctest/doctest.h>

#include <random>

namespace filum::test {

// Corrections shrink to their squares, from a hundredth of a radian off balance. The motion of the step is set.
inline void check_quadratic(discrete::RodSystem& system, discrete::RodState& state, const Targets& targets) {
  const auto iterate = [&] {
    system.evaluate(state, targets, discrete::RodSystem::Want::TrueTangent);
    REQUIRE(system.solve(0));
    const double rotation = system.largest_rotation(state);
    system.advance(state, 1);
    return rotation;
  };
  for (int k = 0; k < 12; ++k) iterate();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (std::size_t i = 0; i < system.step().size(); ++i)
    system.step()[i] = system.is_free(static_cast<int>(i)) && system.is_primal(static_cast<int>(i)) ? any(random) : 0;
  system.advance(state, 0.01 / system.largest_rotation(state));
  const double first = iterate();
  const double second = iterate();
  const double third = iterate();
  CHECK(first > 1e-3);
  CHECK(second < 50 * first * first);
  CHECK(third < 50 * second * second + 1e-11);
}

}  // namespace filum::test
