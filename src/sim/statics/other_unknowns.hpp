// An equilibrium begun from that of another formulation.
//
// Formulations differ in their unknowns, and one often finds its way where another is lost: rotations and forces do not
// know the stiffness of stretch that positions have to crawl along. What another has found is carried over and is a
// start that needs few iterations more.
#pragma once

#include "sim/statics/equilibrium.hpp"

namespace filum::sim {

// For `model` of this scene. Not converged: nothing was found; the iterations count all the same.
Equilibrium begin_from_another(const Model& model, Workspace& workspace, const Scene& scene, const Targets& targets,
                               const Progress& progress);

}  // namespace filum::sim
