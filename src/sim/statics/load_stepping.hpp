// An equilibrium from the scene's shape, or from another one near by: Newton at one go, then from the equilibrium of
// another formulation, then with loads and hold movements raised in small shares.
#pragma once

#include "sim/statics/equilibrium.hpp"

#include <memory>

namespace filum::sim {

// From the scene's shape.
Equilibrium find_equilibrium(const Model& model, Workspace& workspace, const Scene& scene, const Targets& resting,
                             const Targets& targets, const Progress& progress);

// From `state`, in equilibrium at `from`, to `targets`.
SolveReport follow_equilibrium(const Model& model, Workspace& workspace, const Scene& scene,
                               std::unique_ptr<State>& state, const Targets& from, const Targets& targets,
                               const Progress& progress);

}  // namespace filum::sim
