// Natural modes end to end: the equilibrium at an instant, then small motions about it.
#include <filum/modes.hpp>

#include "sim/drivers.hpp"
#include "sim/statics/load_stepping.hpp"
#include "sim/formulations.hpp"
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
  const std::unique_ptr<Formulation> formulation = sim::make_formulation(scene.simulation.formulation);
  const std::unique_ptr<Model> model = formulation->compile(scene);

  const Targets resting = sim::resting_targets(scene);
  const Targets targets = sim::targets_at(scene, resting, options.at);
  const sim::Equilibrium found = sim::find_equilibrium(*model, scene, resting, targets, options.progress);
  ModesOutcome outcome;
  outcome.solve = found.report;
  if (found.report.converged) outcome.modes = model->modes(*found.state, targets, options.count, options.progress);
  outcome.pose = model->sample(*found.state, targets);
  return outcome;
}

}  // namespace filum
