#include "channel/catalogue.hpp"

#include "base/index.hpp"
#include "channel/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace filum::channel {
namespace {

constexpr int kLinks = 10;        // at most
constexpr int kLevels = 9;
constexpr int kArcSteps = 2;
constexpr int kZones = 5;         // across the channel
constexpr int kChains = 20000;    // in the order of their energies
constexpr int kBroughtToRest = 400;
constexpr int kLowest = 200;      // besides
constexpr double kSame = 1e-6;    // of energies, relative

// Through which fifths of the channel the chain passes.
std::string zones_of(const Passage& passage, const Linkage& chain) {
  std::string zones;
  for (const Spot& spot : chain.spots) {
    const Ruling ruling = passage.ruling(spot.u);
    const double share = (spot.y + ruling.right) / (ruling.left + ruling.right);
    zones += static_cast<char>('0' + std::clamp(static_cast<int>(share * kZones), 0, kZones - 1));
  }
  return zones;
}

// The first chain of each way through the zones.
std::vector<Linkage> chains_of(const Passage& passage, const Trellis& trellis, const Beam& beam, Catalogue& catalogue,
                               const ParallelFor& parallel) {
  const Sweep swept = sweep(trellis, beam, true, parallel);
  std::vector<Linkage> all = k_lowest(trellis, beam, swept, kChains);
  catalogue.chains = static_cast<int>(all.size());
  if (catalogue.chains == kChains) catalogue.highest = all.back().energy;
  std::vector<Linkage> kept;
  std::set<std::string> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Linkage& chain = all[i];
    // the lowest of all in any case
    const bool another = known.insert(zones_of(passage, chain)).second;
    if (!another && i >= at(kLowest)) continue;
    if (static_cast<int>(kept.size()) == kBroughtToRest + kLowest) {
      catalogue.highest = std::min(catalogue.highest, chain.energy);
      break;
    }
    kept.push_back(std::move(chain));
  }
  return kept;
}

bool same(const Linkage& a, const Linkage& b) {
  if (std::abs(a.energy - b.energy) > kSame * (1 + std::abs(a.energy))) return false;
  double most = 0;
  for (std::size_t i = 0; i < a.angles.size(); ++i) most = std::max(most, std::abs(a.angles[i] - b.angles[i]));
  return most < 1e-3;
}

}  // namespace

Catalogue make_catalogue(const ChannelProblem& problem, const Passage& passage, double thrust,
                         const ParallelFor& parallel) {
  Catalogue catalogue;
  catalogue.links = std::min(problem.search.links, kLinks);
  catalogue.levels = kLevels;
  if (catalogue.links < 3) return catalogue;
  Beam beam = make_beam(problem, passage, catalogue.links, problem.loads.front());
  if (beam.tip) beam.thrust = thrust;
  const Trellis trellis = full_lattice(passage, beam, kLevels, kArcSteps, parallel);
  const std::vector<Linkage> chains = chains_of(passage, trellis, beam, catalogue, parallel);
  // friction comes later
  beam.friction = 0;
  std::vector<Linkage> rested(chains.size());
  for_ranges(parallel, static_cast<int>(chains.size()), 8, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Polished polished = polish(passage, beam, chains[at(i)].angles);
      if (!polished.converged || !polished.stable) continue;
      rested[at(i)].angles = polished.configuration.angles;
      rested[at(i)].energy = energy(beam, polished.configuration.angles).total();
    }
  });
  for (std::size_t i = 0; i < rested.size(); ++i) {
    Linkage& shape = rested[i];
    if (shape.energy == kNever) continue;
    const bool known = std::any_of(catalogue.shapes.begin(), catalogue.shapes.end(),
                                   [&](const Linkage& other) { return same(shape, other); });
    if (known) continue;
    catalogue.margin = std::max(catalogue.margin, chains[i].energy - shape.energy);
    catalogue.shapes.push_back(std::move(shape));
  }
  std::stable_sort(catalogue.shapes.begin(), catalogue.shapes.end(),
                   [](const Linkage& a, const Linkage& b) { return a.energy < b.energy; });
  return catalogue;
}

}  // namespace filum::channel
