// Michell's ring: a naturally straight rod closed into a ring and twisted.
#include "validation/cases.hpp"
#include "validation/ring.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace {

constexpr double kPi = math::kPi;

void add_energy(Sheet& sheet) {
  const double energy = sheet.solve(twisted_ring_scene(1, 0, 100)).states.back().pose.energy.elastic;
  sheet.relative("energy of the untwisted ring, 2π²EI/L, N = 100", energy, 2 * kPi * kPi, 1e-9,
                 "the joints of a regular polygon turn by 2π in all, as the circle does: exact on any mesh");
}

void add_onset(Sheet& sheet, double bend_over_twist) {
  const double GJ = 1 / bend_over_twist;
  const double reference = 2 * kPi * std::sqrt(3.0) * bend_over_twist;
  // held at one place the ring can still be turned inside out about its tangent there, like a smoke ring, at no cost
  for (const double share : {0.95, 1.05}) {
    Scene held = twisted_ring_scene(GJ, share * reference, 100);
    held.holds = {clamp(kStart)};
    const bool expected = share < 1;
    sheet.absolute(fmt::format("held at one place, stable at {} θ_c, B/C = {}", share, bend_over_twist),
                   sheet.stable(held), expected, 0, expected ? "below the onset" : "above the onset");
  }
  sheet.relative(fmt::format("floating, onset θ_c, rad, B/C = {}, N = 100", bend_over_twist),
                 onset(0.9 * reference, 1.1 * reference,
                       [&](double twist) { return sheet.stable(twisted_ring_scene(GJ, twist, 100)); }),
                 reference, 0.005, "second order in the mesh");
}

Result<std::vector<Row>> run(const Progress& progress) {
  Sheet sheet;
  add_energy(sheet);
  for (const double ratio : {0.75, 1.0, 1.5}) {
    add_onset(sheet, ratio);
    progress(ratio / 1.5);
  }
  return std::move(sheet).result();
}

}  // namespace

Case twisted_ring() {
  return {.name = "twisted-ring",
          .shows = "A ring of a naturally straight rod leaves its plane at the twist 2π√3 EI/GJ",
          .source = "Michell 1889; Zajac 1962",
          .run = run};
}

}  // namespace filum::validation
