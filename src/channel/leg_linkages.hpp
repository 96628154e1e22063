// Different shapes from the fast sweep over legs.
#pragma once

#include "channel/lattice_size.hpp"
#include "channel/viterbi.hpp"

#include <vector>

namespace filum::channel {

struct LegLinkages {
  std::vector<Linkage> linkages;  // that end on different levels and differ, lowest first
  double spacing = 0;         // largest between levels
  ChannelCost cost;
};

// At most `most` of them.
LegLinkages leg_linkages(const Passage& passage, const Beam& beam, const LatticeSize& size, int most,
                             const ParallelFor& parallel);

}  // namespace filum::channel
