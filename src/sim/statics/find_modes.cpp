// Natural modes end to end: the equilibrium at an instant, then small motions about it.
#include <filum/modes.hpp>

#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "sim/live/living_scene.hpp"
#include "sim/refusal.hpp"

namespace filum {

Result<ModesOutcome> modes(const Scene& scene, const ModesOptions& options) {
  if (const auto why = sim::why_no_modes(scene)) return *why;
  sim::LivingScene living(scene, sim::make_formulation(scene.simulation.formulation));
  ModesOutcome outcome;
  outcome.solve = living.find_equilibrium(sim::targets_at(scene, living.resting(), options.at), options.progress);
  if (outcome.solve.converged) outcome.modes = living.modes(options.count, options.progress);
  outcome.pose = living.pose();
  return outcome;
}

}  // namespace filum
