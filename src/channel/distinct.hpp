// Different buckled shapes from one lattice.
//
// The k lowest linkages of a fine lattice are all the same shape, shifted by a level here and there. What a user asks for
// are other minima. So the lowest energy of all linkages through each lattice point is computed, by one sweep forward and
// one back; where, across the channel, this has a minimum at some stage, the linkage through it is a minimum of its own,
// and linkages that stay near a lower one all along are left out.
#pragma once

#include "channel/viterbi.hpp"

#include <vector>

namespace filum::channel {

// At most `most` linkages that differ, lowest first; the lowest of all is the first. Needs a full lattice and kept costs.
std::vector<Linkage> distinct_linkages(const Trellis& trellis, const Beam& beam, const Sweep& swept, int most,
                                   const ParallelFor& parallel);

// Adds a linkage unless it stays within `near` of one that is there, all along.
void add_if_new(std::vector<Linkage>& linkages, Linkage linkage, double near);

// Three levels, or an eighth of the way across.
double alike_within(int levels, double spacing);

}  // namespace filum::channel
