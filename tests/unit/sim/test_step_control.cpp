// The length of adaptive steps: it follows the error, and ends where no length will do.
#include "sim/run/step_control.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_step_control {

TEST_CASE("an error that is no number makes the step hopeless instead of endless") {
  Simulation simulation;
  simulation.step = 0.01;
  simulation.tolerance = 1e-5;
  sim::StepControl control(simulation);
  CHECK_FALSE(control.is_hopeless(simulation));
  CHECK_FALSE(control.judge(simulation, {0.01, 0.01}, 1, std::nan("")));
  CHECK(control.is_hopeless(simulation));
}

TEST_CASE("a step grows where its error is small, up to the scene's, and shrinks where it is large") {
  Simulation simulation;
  simulation.step = 0.01;
  simulation.tolerance = 1e-5;
  sim::StepControl control(simulation);
  CHECK_FALSE(control.judge(simulation, {0.01, 0.01}, 1, 1e-3));
  const double shorter = control.trial();
  CHECK(shorter < 0.01);
  CHECK(control.judge(simulation, {shorter, shorter}, 1, 1e-9));
  CHECK(control.trial() == doctest::Approx(2 * shorter));
}

}  // namespace filum::test_step_control
