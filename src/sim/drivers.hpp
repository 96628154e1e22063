// Drivers: what holds, bodies, loads and lengths are asked to do at a time.
//
// A value that a path's first keyframe does not name starts from what the scene says; between keyframes that name it,
// it is interpolated (positions, turns, factors and lengths linearly, orientations along the shortest arc); before the
// first and after the last it stays.
#pragma once

#include "formulations/formulation.hpp"

#include <filum/scene.hpp>

namespace filum::sim {

// Where the shapes and bodies put everything before any driver acts.
Targets resting_targets(const Scene& scene);

Targets targets_at(const Scene& scene, const Targets& resting, double t);

// The time of the last keyframe, at least simulation.end.
double last_time(const Scene& scene);

// Between two sets of targets: `from` at share 0, `to` at 1.
Targets blend(const Targets& from, const Targets& to, double share);

}  // namespace filum::sim
