// Cosserat statics: what it costs to follow a hand that moves an end by 5 mm.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// A cable of 0.5 m and so many segments between two clamps.
Bench cable_again(int segments);
// The same, for the 99.9th percentile of random moves of its ends.
Bench cable_rare_move(int segments);

// A trunk with 59 branches, 3 000 segments in all; the end of one branch is moved.
Bench harness_again();

}  // namespace filum::bench
