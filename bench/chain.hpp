// Steps of a chain: a cable with a load, one direct solve each.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// A swinging load on a rope of so many elements, in yardsticks per step.
Bench chain_step(int elements);

}  // namespace filum::bench
