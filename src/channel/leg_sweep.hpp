// The fast sweep: the state of [Wang2016, section 3.3], the levels of a link's two ends, on a lattice of legs.
//
// The place along a leg is carried with the state and is not part of it. In a straight channel it plays no part and
// the lowest linkage is found; in a bent one the energy of what follows depends on it, so of two linkages to one state the
// dearer is dropped although it may lie better: a heuristic, of some hundredth of the states of the exact sweep.
// `sweep` on `full_lattice` has the place along in its state.
//
// How it is fast, with nothing lost: angles, loads and ends of legs come from tables by the levels climbed, so a
// link that stays in its leg costs a difference, a square and a comparison, several at a time; ways on that cannot
// undercut what is known are left out by a window of angles; of links into a neighbouring leg a lower bound without
// an arc sine is compared first; there is one 16-bit back-pointer per state and stage, and levels are independent of
// each other, so that any number of threads gives the same bits.
#pragma once

#include "channel/leg_lattice.hpp"

#include <vector>

namespace filum::channel {

struct LegLinkage {
  double energy = 0;
  std::vector<double> angles;  // of all links of the beam
};

struct LegSweep {
  std::vector<LegLinkage> linkages;  // the lowest that ends on each level, lowest first; none: nothing fits
  double states = 0;                 // of a stage
  double visited = 0;                // states over all stages
  double bytes = 0;
};

// Dead loads only. At most `most` linkages.
LegSweep sweep_legs(const LegLattice& lattice, const Beam& beam, int most, const ParallelFor& parallel);

}  // namespace filum::channel
