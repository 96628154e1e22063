#include "channel/scatter.hpp"

#include "base/index.hpp"
#include "channel/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

namespace filum::channel {
namespace {

constexpr int kMostStarts = 1000;
constexpr int kFewestStarts = 150;
constexpr int kLinksInAll = 10000;       // of all starts together
constexpr int kMostPlaces = 12;          // along the beam
constexpr double kSteepestStart = 0.95;  // sine of a link against the channel
constexpr std::size_t kWaves = 4;        // of headings
constexpr double kSteepestWave = 1.4;    // rad
constexpr double kSameMinimum = 1e-4;    // of energies, relative
constexpr double kSameHeading = 0.02;    // rad, in the mean

class Starts {
 public:
  Starts(const Passage& passage, const Beam& beam) : passage_(passage), beam_(beam) {}

  // In turn: as rough as can be, by way of some places, by waves of the headings.
  std::vector<double> next() {
    const int kind = count_++ % 3;
    if (kind == 2) return waves();
    const int most = std::min(beam_.links, kMostPlaces);
    const int places = kind == 0 ? beam_.links : 1 + static_cast<int>(share() * most);
    std::vector<double> across(at(places + 1), 0.5);
    for (int i = 1; i <= places; ++i) across[at(i)] = share();
    std::vector<double> angles;
    double y = 0;
    for (int i = 0; i < beam_.links; ++i) {
      const double place = (i + 1.0) * places / beam_.links;
      const int before = std::min(static_cast<int>(place), places - 1);
      const double wanted = across[at(before)] + (place - before) * (across[at(before + 1)] - across[at(before)]);
      const Ruling ruling = passage_.ruling(passage_.u_of((i + 1) * beam_.step));
      const double to = wanted * (ruling.left + ruling.right) - ruling.right;
      angles.push_back(ruling.heading + std::asin(std::clamp((to - y) / beam_.step, -kSteepestStart, kSteepestStart)));
      y = to;
    }
    return angles;
  }

 private:
  // They may leave the channel: what comes in again from there comes to rest elsewhere.
  std::vector<double> waves() {
    std::array<double, kWaves> swing{}, phase{};
    for (std::size_t m = 0; m < kWaves; ++m) {
      swing[m] = kSteepestWave * (2 * share() - 1);
      phase[m] = 2 * std::numbers::pi * share();
    }
    std::vector<double> angles;
    for (int i = 0; i < beam_.links; ++i) {
      double turned = 0;
      for (std::size_t m = 0; m < kWaves; ++m)
        turned +=
            swing[m] * std::sin(std::numbers::pi * static_cast<double>(m + 1) * (i + 0.5) * beam_.step + phase[m]);
      const Ruling ruling = passage_.ruling(passage_.u_of((i + 1) * beam_.step));
      angles.push_back(ruling.heading + std::clamp(turned, -kSteepestWave, kSteepestWave));
    }
    return angles;
  }

  double share() { return static_cast<double>(random_()) / static_cast<double>(std::mt19937::max()); }

  const Passage& passage_;
  const Beam& beam_;
  std::mt19937 random_{1};
  int count_ = 0;
};

bool same_minimum(const Linkage& a, const Linkage& b) {
  if (std::abs(a.energy - b.energy) > kSameMinimum * (1 + std::abs(a.energy))) return false;
  double sum = 0;
  for (std::size_t i = 0; i < a.angles.size(); ++i) sum += std::abs(a.angles[i] - b.angles[i]);
  return sum < kSameHeading * static_cast<double>(a.angles.size());
}

}  // namespace

Scatter scatter(const Passage& passage, const Beam& beam, const ParallelFor& parallel) {
  Scatter found;
  found.starts = std::clamp(kLinksInAll / beam.links, kFewestStarts, kMostStarts);
  Starts starts(passage, beam);
  std::vector<std::vector<double>> from(at(found.starts));
  for (std::vector<double>& angles : from) angles = starts.next();
  std::vector<Scatter::Minimum> rested(from.size());
  for_ranges(parallel, found.starts, 8, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Polished polished = polish(passage, beam, from[at(i)]);
      const Configuration& shape = polished.configuration;
      if (!polished.converged || !polished.stable || !forward(shape.angles, shape.places)) continue;
      rested[at(i)].shape.angles = shape.angles;
      rested[at(i)].shape.energy = energy(beam, shape.angles).total();
      rested[at(i)].met = 1;
      rested[at(i)].polished = std::move(polished);
    }
  });
  for (Scatter::Minimum& each : rested) {
    if (each.met == 0) continue;
    ++found.rested;
    const auto known =
        std::find_if(found.minima.begin(), found.minima.end(),
                     [&](const Scatter::Minimum& other) { return same_minimum(each.shape, other.shape); });
    if (known != found.minima.end())
      ++known->met;
    else
      found.minima.push_back(std::move(each));
  }
  std::stable_sort(found.minima.begin(), found.minima.end(),
                   [](const auto& a, const auto& b) { return a.shape.energy < b.shape.energy; });
  return found;
}

}  // namespace filum::channel
