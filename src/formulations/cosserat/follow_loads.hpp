// The path of equilibria along which all loads grow together, followed round its bends.
//
// Loads without a potential leave Newton's method nothing to watch: a step that leads nowhere looks like any other. But
// with no load there is one equilibrium that is easily found, and from it a path leads to the full load, along which the
// load may fall for a while. It is followed by its own length, not by the load: a step along the tangent, then Newton's
// iterations square to it in rotations and load (pseudo-arclength continuation, [Keller1977]).
#pragma once

#include "formulations/cosserat/cosserat_system.hpp"

namespace filum::cosserat {

// Moves `state` from an equilibrium without loads to the full load of `targets`, nearly: Newton has to end it. True: it
// got there. `iterations` counts Newton's. The system is left with `targets`.
bool follow_load_path(System& system, CableState& state, const Targets& targets, const Progress& progress,
                      int& iterations);

}  // namespace filum::cosserat
