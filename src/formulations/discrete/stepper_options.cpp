#include "formulations/discrete/stepper_options.hpp"

#include "scene/check/fault_list.hpp"

namespace filum::discrete {

std::vector<scene::Problem> stepper_option_refusals(const Simulation& simulation) {
  scene::Report report;
  const scene::Where around{nullptr, "simulation"};
  const scene::Where integrator = around.in("integrator");
  const double radius = simulation.spectral_radius;
  if (!(radius >= 0 && radius <= 1))
    report.fail(integrator.in("spectral_radius"),
                "spectral_radius must be within 0 and 1, found " + scene::text(radius));
  if (simulation.integrator != Simulation{}.integrator && simulation.stepper != Stepper::Implicit)
    report.fail(integrator, "an integrator is chosen for the stepper implicit; the other steppers have their own");
  if (!report.failed()) return {};
  return {*report.problem()};
}

}  // namespace filum::discrete
