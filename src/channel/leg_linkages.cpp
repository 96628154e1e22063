#include "channel/leg_linkages.hpp"

#include "base/index.hpp"
#include "channel/distinct.hpp"
#include "channel/leg_sweep.hpp"

#include <algorithm>

namespace filum::channel {

LegLinkages leg_linkages(const Passage& passage, const Beam& beam, const LatticeSize& size, int most,
                             const ParallelFor& parallel) {
  LegLinkages found;
  const LegLattice lattice = leg_lattice(passage, beam, size.legs, size.levels, kReach);
  for (const StraightSection& leg : lattice.legs)
    found.spacing = std::max(found.spacing, leg.width / (size.levels - 1));
  const LegSweep swept = sweep_legs(lattice, beam, size.levels, parallel);
  found.cost = {size.links, size.levels, size.legs, swept.states, swept.visited, swept.bytes};
  const double near = alike_within(size.levels, found.spacing);
  for (const LegLinkage& each : swept.linkages) {
    if (static_cast<int>(found.linkages.size()) >= most) break;
    // where its nodes lie between the true walls
    Linkage linkage;
    linkage.energy = each.energy;
    linkage.angles = each.angles;
    const std::vector<Place> seen = places(passage, positions(beam, each.angles));
    for (std::size_t node = 2; node < seen.size(); ++node) {
      const Place& place = seen[node];
      linkage.spots.push_back({place.u, std::clamp(place.y, -passage.right(place.s).value, passage.left(place.s).value)});
    }
    add_if_new(found.linkages, std::move(linkage), near);
  }
  return found;
}

}  // namespace filum::channel
