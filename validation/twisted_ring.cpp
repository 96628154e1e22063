// Michell's ring: a naturally straight rod closed into a ring and twisted.
#include "validation/cases.hpp"
#include "validation/ring.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace filum::validation {

namespace twisted_ring_case {
namespace {

constexpr double kPi = math::kPi;

void add_energy(Sheet& sheet) {
  const double energy = sheet.solve(twisted_ring_scene(1, 0, 100)).states.back().pose.energy.elastic;
  sheet.relative("energy of the untwisted ring, 2π²EI/L, N = 100", energy, 2 * kPi * kPi, 1e-9,
                 "the joints of a regular polygon turn by 2π in all, as the circle does: exact on any mesh");
}

// Whether the ring is at rest in its plane with the twist it was given. One formulation stays in an unstable
// equilibrium, another leaves it, and may come to lie flat again with two turns less, having passed through itself.
bool lies_flat(Sheet& sheet, const Scene& scene, double twist) {
  const Outcome outcome = sheet.solve(scene);
  double lift = 0;
  for (const Vec3& x : rod_pose(outcome).position) lift = std::max(lift, std::abs(x[2]));
  const bool twisted = std::abs(2 * kPi * rod_pose(outcome).turns - twist) < 0.01;
  return outcome.solve.stable.value_or(false) && lift < 0.01 && twisted;
}

void add_onset(Sheet& sheet, double bend_over_twist) {
  const double GJ = 1 / bend_over_twist;
  const double reference = 2 * kPi * std::sqrt(3.0) * bend_over_twist;
  // held at one place the ring can still be turned inside out about its tangent there, like a smoke ring, at no cost
  for (const double share : {0.95, 1.05}) {
    Scene held = twisted_ring_scene(GJ, share * reference, 100);
    held.holds = {clamp(kStart)};
    const bool expected = share < 1;
    sheet.absolute(fmt::format("held at one place, stable and flat at {} θ_c, B/C = {}", share, bend_over_twist),
                   lies_flat(sheet, held, share * reference), expected, 0,
                   expected ? "below the onset" : "above the onset");
  }
  sheet.relative(fmt::format("floating, onset θ_c, rad, B/C = {}, N = 100", bend_over_twist),
                 onset(0.9 * reference, 1.1 * reference,
                       [&](double twist) { return sheet.stable(twisted_ring_scene(GJ, twist, 100)); }),
                 reference, 0.005, "second order in the mesh");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_energy(sheet);
  for (const double ratio : {0.75, 1.0, 1.5}) {
    add_onset(sheet, ratio);
    setting.tell(ratio / 1.5);
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace twisted_ring_case

Case twisted_ring() {
  return {.name = "twisted-ring",
          .shows = "A ring of a naturally straight rod leaves its plane at the twist 2π√3 EI/GJ",
          .source = "Michell 1889; Zajac 1962",
          .equilibria = true,
          .run = twisted_ring_case::run};
}

}  // namespace filum::validation
