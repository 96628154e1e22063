#include "channel/lattice_size.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

constexpr double kHeadingStep = 0.12;  // rad between neighbouring headings of a link
constexpr int kMostLevels = 65;        // chosen by ourselves
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
  size.levels = problem.search.levels;
  if (size.levels == 0) {
    const int most = static_cast<int>(kMostLevels * kHeadingStep / width);
    size.links = std::clamp(most, std::min(kFewestLinks, size.links), size.links);
    const double wanted = width * size.links / kHeadingStep;
    size.levels = std::clamp(static_cast<int>(wanted) | 1, 9, kMostLevels);
  }
  // links of the lattice, and what is kept of them at each stage
  const double step = 1.0 / size.links;
  const double spacing = width / (size.levels - 1);
  const double out = std::min<double>(size.levels, 2 * step / spacing + 1);
  const bool one_ruling = passage.uniform() && !problem.loads.front().push;
  const double rulings = one_ruling ? 1 : (passage.length() + kReach) * size.links * size.arc_steps;
  const double states = rulings * size.levels * out;
  // 8 for the energy, 2 for each of two pointers
  size.bytes = states * (68 + 0.6 * 12 * size.links);
  return size;
}

}  // namespace filum::channel
