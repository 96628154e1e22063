// The lattice heuristic of Z. Wang's dissertation (2016), appendix C, as it was published: for comparison and as the
// baseline of the benches. Filum's own search is in src/channel.
//
// A quarter circle is cut into S straight sections. Nodes lie on M levels across a section; where they lie along it
// follows from the path. The state is the pair of levels of a link's ends. Since in a bent channel the energy of what
// follows depends on the place along too, which is not in the state, the result need not be the lowest of its own
// lattice: the published claim of a global minimum holds in straight channels alone.
//
// Plain and serial on purpose: the triple loop over levels as in the source; only the M³ temporaries and the copied
// paths of the source are replaced by a running minimum and back-pointers.
#pragma once

#include <filum/types.hpp>

#include <vector>

namespace filum::published {

struct WangChannel {
  double radius = 1;          // R of the centreline
  double outer = 0.05;        // distance of the outer wall
  double inner_start = 0.05;  // distance of the inner wall at the start …
  double inner_end = 0.05;    // … and at the end, linear in the angle
  int sections = 10;          // S
  int links = 60;             // N
  int levels = 301;           // M, odd
  Vec2 load = Vec2::Zero();   // T* = T L²/EI
  // The published energies were computed with links of length L/(N + 2) in the energy alone; the right one is L/N.
  bool published_energy = false;
};

struct WangShape {
  double energy = 0;            // U = F L/EI; infinite: none fits
  std::vector<Vec2> positions;  // of all nodes, the clamped one first
  double breach = 0;            // how far beyond the true, round walls the farthest node is
  double evaluations = 0;       // of the inner loop
};

// The beam has the length of the centreline, π R/2.
WangShape wang_search(const WangChannel& channel);

}  // namespace filum::published
