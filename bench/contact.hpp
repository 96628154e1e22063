// Rods that touch themselves.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// Steps of 1/240 s of a ply of ten turns that is wound on.
Bench plectoneme_step(int segments);

// Of the steps of 1/1000 s in which a cord winds about itself, the one that one in a thousand surpasses in iterations.
Bench plectoneme_rare_step(int segments);

}  // namespace filum::bench
