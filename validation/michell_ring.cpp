// Michell's ring in motion: a twisted ring that nothing holds, displaced a little out of its plane and let go.
//
// Below the onset it sways, above it leaves its plane ever faster. The squared rate s² of the motion passes through
// zero at the onset, and nearly along a line: held twists on both sides give it without waiting for slow growth.
#include "validation/cases.hpp"
#include "validation/motion.hpp"
#include "validation/ring.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <array>
#include <cmath>

namespace filum::validation {

namespace michell_ring_case {
namespace {

constexpr int kSegments = 100;
constexpr double kStep = 0.002;      // s; the ring sways in some 0.2 s
constexpr double kDuration = 0.3;    // s
constexpr double kAmplitude = 5e-6;  // of the ring's length: growth stays in the linear range
constexpr std::array<double, 4> kTwists{0.95, 0.98, 1.02, 1.05};

struct Sway {
  double squared_rate = 0;
  double growth = 0;  // largest displacement over the first
};

Sway sway(Sheet& sheet, double GJ, double twist) {
  Scene scene = twisted_ring_scene(GJ, twist, kSegments);
  scene.simulation.step = kStep;
  const ModesOutcome found = modes_of(sheet, scene, 8);
  const NaturalMode& mode = softest(found);
  Motion motion = Motion::released(sheet, scene, mode, kAmplitude);
  const RodPose& rest = found.pose.rods.empty() ? motion.pose().rods.front() : found.pose.rods.front();
  const std::vector<double> masses = node_masses(1, rest);
  std::vector<double> y;
  motion.watch(kDuration, 2,
               [&](double, const Pose& pose) { y.push_back(share_of_mode(mode, masses, pose.rods.front(), rest)); });
  Sway result;
  result.squared_rate = squared_rate(y, 2 * kStep, 8);
  for (const double value : y) result.growth = std::max(result.growth, std::abs(value / y.front()));
  return result;
}

void add_onset(Sheet& sheet, double bend_over_twist) {
  const double GJ = 1 / bend_over_twist;
  const double theory = 2 * math::kPi * std::sqrt(3.0) * bend_over_twist;
  std::vector<double> rates;
  std::vector<double> twists;
  for (const double share : kTwists) {
    const Sway found = sway(sheet, GJ, share * theory);
    twists.push_back(share * theory);
    rates.push_back(found.squared_rate);
    if (share == kTwists.front())
      sheet.at_most(fmt::format("largest over first displacement, {} θ_c, B/C = {}", share, bend_over_twist),
                    found.growth, 1.01, "stable: it sways; what the equilibrium's tolerance excites beside it");
    if (share == kTwists.back())
      sheet.at_least(fmt::format("largest over first displacement, {} θ_c, B/C = {}", share, bend_over_twist),
                     found.growth, 100, "unstable: it grows exponentially");
  }
  // the discrete ring's own onset, by the inertia of its stiffness
  const double discrete = onset(0.9 * theory, 1.1 * theory,
                                [&](double twist) { return sheet.stable(twisted_ring_scene(GJ, twist, kSegments)); });
  const double ours = root_of_line(twists, rates);
  sheet.relative(
      fmt::format("onset from the motion against the discrete ring's, rad, B/C = {}, N = 100", bend_over_twist), ours,
      discrete, 0.005, "s² is not quite a line in the twist");
  sheet.relative(fmt::format("onset from the motion against 2π√3 EI/GJ, rad, B/C = {}, N = 100", bend_over_twist), ours,
                 theory, 0.005, "the same, and second order in the mesh");
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  for (const double ratio : {0.75, 1.0, 1.5}) {
    add_onset(sheet, ratio);
    setting.tell(ratio / 1.5);
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace michell_ring_case

Case michell_ring() {
  return {.name = "michell-ring",
          .shows = "A floating twisted ring sways below the twist 2π√3 EI/GJ and writhes out of its plane above it",
          .source = "Michell 1889; Zajac 1962",
          .run = michell_ring_case::rows};
}

}  // namespace filum::validation
