// How fine the lattice of the first search is, and what it will take.
#pragma once

#include "channel/beam.hpp"

namespace filum::channel {

inline constexpr double kReach = 0.25;  // run-in and run-out, in the beam's length [Wang2016, appendix C]

struct LatticeSize {
  int links = 0;
  int levels = 0;
  int arc_steps = 0;
  int legs = 0;  // straight pieces of channel, of the method that cuts it into some
  double bytes = 0;  // about what the search will need
};

// The given levels, or so many that headings are about 0.16 rad apart, closer where that is cheap; fewer links where
// the channel is so wide or the beam so finely cut that this would be too many.
LatticeSize lattice_size(const ChannelProblem& problem, const Passage& passage);

}  // namespace filum::channel
