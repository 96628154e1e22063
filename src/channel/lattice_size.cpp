#include "channel/lattice_size.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::channel {
namespace {

// How far apart neighbouring headings of a link are, and how many levels are chosen at most.
struct Fineness {
  double headings;  // rad
  int levels;
};
constexpr Fineness kUsual{0.16, 65};     // finer ones led to no other shapes
constexpr Fineness kIfCheap{0.05, 201};  // where there are no rulings, and so fewer states
constexpr int kMostLinks = 80;
constexpr int kFewestLinks = 12;
constexpr int kFewestForWaves = 30;
constexpr double kLinksPerWave = 9;

int links_for_waves(const ChannelProblem& problem) {
  double force = 0;
  for (const ChannelLoad& load : problem.loads) force = std::max(force, load.force.norm());
  const double waves = problem.beam.length * std::sqrt(force / problem.beam.EI) / (2 * std::numbers::pi);
  return std::max(kFewestForWaves, static_cast<int>(std::ceil(kLinksPerWave * std::min(waves, 1e4))));
}

}  // namespace

LatticeSize lattice_size(const ChannelProblem& problem, const Passage& passage) {
  LatticeSize size;
  size.arc_steps = problem.search.arc_steps;
  size.links = problem.search.links;
  // whole links together where there are many
  if (size.links > kMostLinks) size.links = (size.links + size.links / 60 - 1) / (size.links / 60);
  const double width = std::max(1e-9, passage.widest() + 2 * passage.give());
  // no rulings are needed where the place along is not in the state or plays no part
  const bool no_rulings =
      problem.search.method == ChannelMethod::Sections || (passage.uniform() && !problem.loads.front().push);
  size.levels = problem.search.levels;
  if (size.levels == 0) {
    const Fineness fineness = no_rulings ? kIfCheap : kUsual;
    // a dead force bends the beam in waves of 2π/√T*: there is no need to cut them finer where that is costly
    if (!no_rulings && !problem.loads.front().push) size.links = std::min(size.links, links_for_waves(problem));
    const int most = static_cast<int>(fineness.levels * fineness.headings / width);
    size.links = std::clamp(most, std::min(kFewestLinks, size.links), size.links);
    const double wanted = width * size.links / fineness.headings;
    size.levels = std::clamp(static_cast<int>(wanted) | 1, 9, fineness.levels);
  }
  size.legs = problem.search.sections > 0 ? problem.search.sections : std::max(2, size.links / 2);
  // links of the lattice, and what is kept of them at each stage
  const double step = 1.0 / size.links;
  const double spacing = width / (size.levels - 1);
  const double out = std::min<double>(size.levels, 2 * step / spacing + 1);
  const double rulings = no_rulings ? 1 : (passage.length() + kReach) * size.links * size.arc_steps;
  const double states = rulings * size.levels * out;
  // 8 for the energy, 2 for each of two pointers
  size.bytes = states * (68 + 0.6 * 12 * size.links);
  return size;
}

}  // namespace filum::channel
