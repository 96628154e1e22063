// An equilibrium begun from that of another formulation.
//
// Formulations differ in their unknowns, and one often finds its way where another is lost: rotations and forces do not
// know the stiffness of stretch that positions have to crawl along. What another has found is carried over and is a
// start that needs few iterations more.
#pragma once

#include "sim/statics/equilibrium.hpp"

#include <string_view>

namespace filum::sim {

// For `model` of this scene. Not converged: nothing was found; the iterations count all the same.
Equilibrium begin_from_another(const Model& model, Workspace& workspace, const Scene& scene, const Targets& targets,
                               const Progress& progress);

// Whether a formulation searches for the equilibrium of this scene in positions and angles, whatever its own unknowns
// are: where things touch, all that share equilibria do.
bool searches_in_positions(const Formulation& formulation, const Scene& scene);

// Iterations after which its search is better left (sim/formulations.hpp); in positions those of the default formulation.
int patience_for(std::string_view formulation, const Scene& scene);

}  // namespace filum::sim
