// The search in a tube: dynamic programming over links between points of cross-sections.
//
// Sections of the tube lie at even steps of its centreline, with points on rings about the centre in a frame that does
// not twist. From each point one link leads to each point of the section nearest to a link's length ahead. Bending is
// φ²/2Δs with φ the angle between neighbouring links: isotropic; twist plays no part. A joint costs a look at every pair of
// links through a point, so the work is N · A/2 · P³ with P points across, A sections; the number of states grows as P²,
// and with it the memory. `keep` bounds both by dropping the states of highest energy.
#pragma once

#include "channel/tube_wall.hpp"

#include <filum/tube.hpp>

namespace filum::channel {

struct TubeLattice {
  int links = 0;  // of the beam on the lattice
  int rings = 0;
  int arc_steps = 0;
  int keep = 0;
};

// A chain on the lattice, scaled.
struct TubeChain {
  double energy = 0;
  std::vector<Vec3> nodes;
};

struct TubeFound {
  std::vector<TubeChain> chains;  // lowest first, each with another end
  double states = 0, visited = 0;
  bool pruned = false;
};

TubeFound search_tube_lattice(const SpacePassage& passage, const TubeWall& wall, const SpaceBeam& beam,
                              const TubeLattice& lattice, int most, const ChannelOptions& options);

}  // namespace filum::channel
