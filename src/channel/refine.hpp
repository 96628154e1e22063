// From a chain of a coarse lattice to finer ones in a tube around it.
#pragma once

#include "channel/viterbi.hpp"

#include <vector>

namespace filum::channel {

struct Refined {
  Chain chain;
  std::vector<ChannelRefinement> steps;  // scaled
};

// Halves the distances of levels and rulings around the chain until the energy settles.
Refined refine(const Passage& passage, const Beam& beam, Chain chain, double spacing, double along,
               const ParallelFor& parallel);

// How far the nodes of the true chain, with links of exact length, are outside the walls.
double chain_breach(const Passage& passage, const Beam& beam, const Chain& chain);

// Where the chain's nodes lie on the lattice, brought to `links` links.
std::vector<Vec2> lattice_positions(const Passage& passage, const Beam& beam, const Chain& chain, int links);

// The same shape with another number of links.
std::vector<double> resampled(const std::vector<double>& angles, int links);

}  // namespace filum::channel
