// Kirchhoff statics: what one Newton iteration costs, and what a whole solve costs.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// One iteration on the heavy cantilever of so many segments: residual and tangent, factor and solve, moving the state.
Bench newton_iteration(int segments);

// From the scene to the equilibrium of the heavy cantilever (Γ = 10, 200 segments, straight at first): model, start,
// Newton, stability. The pose that is read off it at the end is left out.
Bench cold_start();

// The same with all that a caller of filum::solve gets: pose, writhe, checks.
Bench whole_solve();

// A brake hose of 60 segments whose far end has moved by 5 mm since the last solve.
Bench hose_again();

}  // namespace filum::bench
