// A beam in a quarter bend at T* = 500, N = 60, S = 10: the published heuristic as it was, and ours.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// The published heuristic, serial, on so many levels; 301 is the published case and takes half a minute.
Bench channel_published(int levels);

// The same lattice and the same state, swept as fast as we can, on all threads.
Bench channel_sections(int levels);

// Our search on as many levels with four places along per link in the state: exact, on all threads.
Bench channel_exact(int levels);

// From the problem to the lowest equilibrium: coarse lattice, tubes, polish.
Bench channel_coarse_to_fine();

}  // namespace filum::bench
