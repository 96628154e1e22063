// From a linkage of a coarse lattice to finer ones in a tube around it.
#pragma once

#include "channel/viterbi.hpp"

#include <vector>

namespace filum::channel {

struct Refined {
  Linkage linkage;
  std::vector<ChannelRefinement> steps;  // scaled
};

// Halves the distances of levels and rulings around the linkage until the energy settles.
Refined refine(const Passage& passage, const Beam& beam, Linkage linkage, double spacing, double along,
               const ParallelFor& parallel);

// How far the nodes of the true linkage, with links of exact length, are outside the walls.
double linkage_breach(const Passage& passage, const Beam& beam, const Linkage& linkage);

// Where the linkage's nodes lie on the lattice, brought to `links` links.
std::vector<Vec2> lattice_positions(const Passage& passage, const Beam& beam, const Linkage& linkage, int links);

// The same shape with another number of links.
std::vector<double> resampled(const std::vector<double>& angles, int links);

}  // namespace filum::channel
