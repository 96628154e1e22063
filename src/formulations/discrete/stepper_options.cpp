#include "formulations/discrete/stepper_options.hpp"

#include "scene/check/fault_list.hpp"

#include <filum/scene.hpp>

namespace filum::discrete {

std::vector<scene::Problem> stepper_option_refusals(const Simulation& simulation) {
  scene::Report report;
  const scene::Where around{nullptr, "simulation"};
  const scene::Where integrator = around.in("integrator");
  if (simulation.integrator != Simulation{}.integrator && simulation.stepper != Stepper::Implicit)
    report.fail(integrator, "an integrator is chosen for the stepper implicit; the other steppers have their own");
  if (!report.failed()) return {};
  return {*report.problem()};
}

}  // namespace filum::discrete
