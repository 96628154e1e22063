#include "sim/refusal.hpp"

#include "sim/formulations.hpp"

namespace filum::sim {

std::optional<scene::Problem> refusal(const Scene& scene) {
  const std::unique_ptr<Formulation> formulation = make_formulation(scene.simulation.formulation);
  if (!formulation)
    return scene::Problem{{"simulation", "formulation"},
                          "not yet supported: formulation " + scene.simulation.formulation};
  const std::vector<scene::Problem> refused = formulation->check(scene);
  if (!refused.empty()) return refused.front();
  return std::nullopt;
}

}  // namespace filum::sim
