// An equilibrium from the scene's shape, or from another one near by: Newton at one go, then from the equilibrium of
// another formulation, then with loads and hold movements raised in small shares.
#pragma once

#include "sim/statics/equilibrium.hpp"

#include <memory>

namespace filum::sim {

// From the scene's shape.
Equilibrium find_equilibrium(const Model& model, Workspace& workspace, const Scene& scene, const Targets& resting,
                             const Targets& targets, const Progress& progress);

// What is known of the state that a search begins from.
enum class Begins { InBalance, Edited };

// From `state`, in equilibrium at `from` unless the scene was edited since, to `targets`.
SolveReport follow_equilibrium(const Model& model, Workspace& workspace, const Scene& scene,
                               std::unique_ptr<State>& state, Begins begins, const Targets& from,
                               const Targets& targets, const Progress& progress);

}  // namespace filum::sim
