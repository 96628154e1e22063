#include "channel/lattice_size.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace

LatticeSize lattice_size(const ChannelProblem& problem, const Passage& passage) {
  LatticeSize size;
  size.arc_steps = problem.search.arc_steps;
  size.links = problem.search.links;
  // whole links together where there are many
  if (size.links > kMostLinks) size.links = (size.links + size.links / 60 - 1) / (size.links / 60);
  const double width = std::max(1e-9, passage.widest());
  // no rulings are needed where the place along is not in the state or plays no part
  const bool no_rulings =
      problem.search.method == ChannelMethod::Sections || (passage.uniform() && !problem.loads.front().push);
  size.levels = problem.search.levels;
  if (size.levels == 0) {
    const Fineness fineness = no_rulings ? kIfCheap : kUsual;
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
