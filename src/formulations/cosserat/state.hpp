// All that a cosserat model remembers: the rods' nodes and frames, and the forces in its spans.
#pragma once

#include "formulations/kirchhoff/state.hpp"

#include <vector>

namespace filum::cosserat {

struct CableState {
  kirchhoff::RodState rods;      // `frame` is what is solved for; positions and edges follow from it
  std::vector<Vec3> span_force;  // per chain, N: the internal force at the far end of a span; nil for a tail
  std::vector<Vec3> peg_force;   // per peg, N: multiplier
};

}  // namespace filum::cosserat
