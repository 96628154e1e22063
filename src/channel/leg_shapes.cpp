#include "channel/leg_shapes.hpp"

#include "base/index.hpp"
#include "channel/distinct.hpp"
#include "channel/leg_sweep.hpp"

#include <algorithm>

namespace filum::channel {

SectionChains section_chains(const Passage& passage, const Beam& beam, const LatticeSize& size, int most,
                             const ParallelFor& parallel) {
  SectionChains found;
  const SectionLattice lattice = section_lattice(passage, beam, size.sections, size.levels, kReach);
  for (const StraightSection& section : lattice.sections)
    found.spacing = std::max(found.spacing, section.width / (size.levels - 1));
  const SectionSweep swept = sweep_sections(lattice, beam, size.levels, parallel);
  found.cost = {size.links, size.levels, size.sections, swept.states, swept.visited, swept.bytes};
  const double near = alike_within(size.levels, found.spacing);
  for (const SectionChain& each : swept.chains) {
    if (static_cast<int>(found.chains.size()) >= most) break;
    // where its nodes lie between the true walls
    Chain chain;
    chain.energy = each.energy;
    chain.angles = each.angles;
    const std::vector<Place> seen = places(passage, positions(beam, each.angles));
    for (std::size_t node = 2; node < seen.size(); ++node) {
      const Place& place = seen[node];
      chain.spots.push_back({place.u, std::clamp(place.y, -passage.right(place.s).value, passage.left(place.s).value)});
    }
    add_if_new(found.chains, std::move(chain), near);
  }
  return found;
}

}  // namespace filum::channel
