// Random starts: are there minima that neither the sweep nor the catalogue has shown?
//
// Nodes anywhere across the channel, at a random number of places along the beam and straight between, or headings by a few
// random waves, are brought to rest, each as a beam of all its links. How often each minimum is met tells how many are still unseen: if every one was met
// twice at least, the share of starts that lead to others is about 1/n at most (Good's estimate, [Good1953]).
#pragma once

#include "channel/polish.hpp"
#include "channel/viterbi.hpp"

namespace filum::channel {

struct Scatter {
  struct Minimum {
    Linkage shape;      // at rest, without spots
    Polished polished;  // the same, with its contacts: a shallow one is not found again from its headings alone
    int met = 0;        // by so many starts
  };
  std::vector<Minimum> minima;  // lowest first
  int starts = 0;
  int rested = 0;  // of those came to a minimum
};

// `beam` rests without friction. The same for the same problem, whatever the threads.
Scatter scatter(const Passage& passage, const Beam& beam, const ParallelFor& parallel);

}  // namespace filum::channel
