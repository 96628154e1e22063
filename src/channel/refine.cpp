#include "channel/refine.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

constexpr int kMostHalvings = 6;
constexpr double kSettled = 1e-3;  // relative change of the energy: what the polish takes from there

}  // namespace

double linkage_breach(const Passage& passage, const Beam& beam, const Linkage& linkage) {
  return breach(passage, places(passage, positions(beam, linkage.angles)));
}

Refined refine(const Passage& passage, const Beam& beam, Linkage linkage, double spacing, double along,
               const ParallelFor& parallel) {
  Refined refined;
  refined.linkage = std::move(linkage);
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    spacing /= 2;
    along /= 2;
    // a tube too short along the channel for links of their length is tried again longer
    Linkage finer;
    for (int rulings = 5; rulings <= 20 && finer.energy == kNever; rulings *= 2) {
      const Trellis tube = tube_lattice(passage, beam, refined.linkage.spots, {spacing, along, 4, rulings}, parallel);
      finer = lowest(tube, beam, sweep(tube, beam, false, {}));
    }
    if (finer.energy == kNever) break;
    const double change = std::abs(finer.energy - refined.linkage.energy);
    refined.linkage = std::move(finer);
    refined.steps.push_back({"tube", spacing, refined.linkage.energy, linkage_breach(passage, beam, refined.linkage)});
    if (change < kSettled * (1 + std::abs(refined.linkage.energy))) break;
  }
  return refined;
}

std::vector<Vec2> lattice_positions(const Passage& passage, const Beam& beam, const Linkage& linkage, int links) {
  std::vector<Vec2> nodes{beam.start, beam.start + beam.step * direction(beam.heading)};
  for (const Spot& spot : linkage.spots) {
    const Ruling ruling = passage.ruling(spot.u);
    nodes.emplace_back(ruling.point + spot.y * ruling.normal);
  }
  if (links == beam.links) return nodes;
  std::vector<Vec2> fine;
  for (int node = 0; node <= links; ++node) {
    const double place = static_cast<double>(node) * beam.links / links;
    const int before = std::min(static_cast<int>(place), beam.links - 1);
    fine.emplace_back(nodes[at(before)] + (place - before) * (nodes[at(before + 1)] - nodes[at(before)]));
  }
  return fine;
}

std::vector<double> resampled(const std::vector<double>& angles, int links) {
  const int old = static_cast<int>(angles.size());
  if (old == links) return angles;
  std::vector<double> fine{angles.front()};
  for (int link = 1; link < links; ++link) {
    // the middle of the link on the old linkage, linear between middles
    const double place = std::clamp((link + 0.5) * old / links - 0.5, 0.0, old - 1.0);
    const int before = std::min(static_cast<int>(place), old - 2);
    const double share = place - before;
    fine.push_back((1 - share) * angles[at(before)] + share * angles[at(before + 1)]);
  }
  return fine;
}

}  // namespace filum::channel
