// Steps of a chain: loads on cables, solved directly or by sweeps.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// A swinging load on a rope of so many elements, in yardsticks per step.
Bench chain_step(int elements);

// The same with level of detail.
Bench chain_detail_step(int elements);

// A crane with a sling, and a load on four cables, of 100 elements each; no sweeps: solved directly.
Bench crane_step(int sweeps);
Bench cables_step(int sweeps);

}  // namespace filum::bench
