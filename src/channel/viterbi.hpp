// The search: the linkage of links of lowest energy through a lattice, by dynamic programming (Viterbi).
//
// The state is a link. Stage by stage the lowest energy of all linkages that end in each link is kept, with one pointer
// to the link before; no path is ever copied. [Forney1973; Wang2016, section 3.3]
#pragma once

#include "channel/lattice.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace filum::channel {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

// One stage of a sweep: the links [begin, begin + back.size()) of its table were looked at.
struct Stage {
  int begin = 0;
  std::vector<std::uint16_t> back;  // which of the incoming links of its first node came before
  std::vector<double> cost;         // lowest energy up to and with the link; kept if asked for
};

struct Sweep {
  std::vector<Stage> stages;
  std::vector<double> last;  // energies of the links of the last stage
  double visited = 0;        // states over all stages
  double bytes = 0;
};

// A linkage on the lattice.
struct Linkage {
  double energy = kNever;
  std::vector<int> links;      // of each stage's table
  std::vector<double> angles;  // of all links of the beam
  std::vector<Spot> spots;     // where the free links end on the lattice
};

// Which links may end the beam.
std::vector<bool> allowed_ends(const Trellis& trellis, const Beam& beam);

Sweep sweep(const Trellis& trellis, const Beam& beam, bool keep_costs, const ParallelFor& parallel);

// The linkage that ends in this link of this stage, without its energy.
Linkage trace(const Trellis& trellis, const Beam& beam, const Sweep& swept, int stage, int link);

// The lowest linkage; its energy is infinite if none fits.
Linkage lowest(const Trellis& trellis, const Beam& beam, const Sweep& swept);

// The k lowest linkages, lowest first, all different (serial list-Viterbi after [Seshadri1994]: the sweep's own energies
// guide a best-first walk back from the end, which meets the linkages in their order). Needs kept costs.
std::vector<Linkage> k_lowest(const Trellis& trellis, const Beam& beam, const Sweep& swept, int k);

// Sets angles and spots of a linkage from its links.
void set_shape(const Trellis& trellis, const Beam& beam, Linkage& linkage);

}  // namespace filum::channel
