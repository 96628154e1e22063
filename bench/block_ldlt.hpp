// The block solver on the matrix of a rod: how near a general sparse solver comes to banded speed.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// Factor and solve of a chain of so many nodes, each coupled to the two before and the two after it.
Bench block_ldlt_chain(int nodes);

}  // namespace filum::bench
