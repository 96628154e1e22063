// Contact at rest: a cable that lies over a part follows a hand.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// A cable of 100 segments over a part of 10⁵ triangles, one end moved by 5 mm at a time to and fro: of two thousand such
// moves the one that only two others surpass in iterations.
Bench cable_over_mesh();

}  // namespace filum::bench
