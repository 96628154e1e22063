// What a run costs beside its steps: sampling, checks, frames, the result and its report.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// A falling cantilever with a frame after each step, over the time of its steps alone.
Bench recorded_run(int segments);

}  // namespace filum::bench
