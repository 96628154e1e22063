// All shapes of a coarse lattice: which minima are there besides the lowest?
//
// Minima that a sweep does not show, because they differ from lower ones in several places, are looked for one by one: the
// chains of a coarse lattice in the order of their energies (channel/viterbi.hpp), of those that pass through the same fifths
// of the channel the first, and the lowest of all, each brought to rest as a beam of as many links. What rests there is a start for the beam itself.
#pragma once

#include "channel/polish.hpp"
#include "channel/viterbi.hpp"

namespace filum::channel {

struct Catalogue {
  std::vector<Linkage> shapes;  // at rest, lowest first; without spots
  int links = 0, levels = 0;    // of its lattice
  int chains = 0;               // looked at, in the order of their energies
  double highest = kNever;      // up to here chains were looked at; above all if there are no more
  double margin = 0;            // by how much the lattice's energies are above those at rest, at most
};

// `links` of the beam's own. At most so many chains are brought to rest.
Catalogue make_catalogue(const ChannelProblem& problem, const Passage& passage, double thrust,
                         const ParallelFor& parallel);

}  // namespace filum::channel
