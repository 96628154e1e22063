// Natural modes end to end: the equilibrium at an instant, then small motions about it.
#include <filum/modes.hpp>

#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "sim/live/living_scene.hpp"
#include "sim/refusal.hpp"

#include <algorithm>

namespace filum {

namespace {

// A load without a potential makes the tangent unsymmetric: what oscillates then may also feed on it.
const char* load_without_potential(const Scene& scene) {
  if (!scene.torques.empty()) return "a torque";
  const bool follows = std::any_of(scene.forces.begin(), scene.forces.end(), [](const auto& f) { return f.follow; });
  return follows ? "a force that follows the rod" : nullptr;
}

}  // namespace

Result<ModesOutcome> modes(const Scene& scene, const ModesOptions& options) {
  if (const auto why = sim::why_no_modes(scene)) return *why;
  if (const char* load = load_without_potential(scene))
    return Error{ErrorCode::NotSupported,
                 std::string("natural modes need loads that have a potential: ") + load + " has none",
                 {},
                 0,
                 0};
  sim::LivingScene living(scene, sim::make_formulation(scene.simulation.formulation));
  ModesOutcome outcome;
  outcome.solve = living.find_equilibrium(sim::targets_at(scene, living.resting(), options.at), options.progress);
  if (outcome.solve.converged) outcome.modes = living.modes(options.count, options.progress);
  outcome.pose = living.pose();
  return outcome;
}

}  // namespace filum
