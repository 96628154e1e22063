// The heavy cantilever let go from the horizontal: what the default integrator does to the energy of a stiff rod at the
// step of a display, 1/60 s.
#include "validation/cases.hpp"
#include "validation/heavy_rod.hpp"
#include "validation/motion.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace cantilever_energy_case {
namespace {

constexpr double kStep = 1.0 / 60;

// What «share» means here: of the weight times the length.
double weight_times_length(double gamma) {
  return heavy_section(gamma).mass_per_length * heavy_gravity().norm();
}

struct Fall {
  double largest = 0;  // |energy error|, share of mgL
  double lost = 0;     // at the end, likewise, < 0 if energy went
};

Fall fall(Sheet& sheet, double gamma, int segments, double end) {
  Scene scene = heavy_scene(gamma, segments);
  scene.simulation.step = kStep;
  Motion motion(sheet, scene);
  const double scale = weight_times_length(gamma);
  double start = 0;
  Fall result;
  motion.watch(end, 1, [&](double t, const Pose& pose) {
    const double kept = pose.energy.balance() - pose.energy.drained;
    if (t == 0) start = kept;
    result.lost = (kept - start) / scale;
    result.largest = std::max(result.largest, std::abs(result.lost));
  });
  if (!motion.fine()) result.largest = result.lost = std::nan("");
  return result;
}

void add_energy(Sheet& sheet, int segments, double end, double bound) {
  sheet.at_most(fmt::format("largest energy error in {} s over mgL, Γ = 10, N = {}", end, segments),
                fall(sheet, 10, segments, end).largest, bound,
                "what Newton leaves; a dissipative generalised-α method loses 0.06 %");
}

// A slack rod cracks like a whip.
void add_limp(Sheet& sheet, double gamma, double end) {
  const Fall result = fall(sheet, gamma, 50, end);
  sheet.at_most(fmt::format("energy gained in {} s over mgL, Γ = {}, N = 50", end, gamma), result.lost, 1e-5,
                "a limp rod whips, it must not gain");
  sheet.at_most(fmt::format("energy lost in {} s over mgL, Γ = {}, N = 50", end, gamma), -result.lost, 1e-5,
                "nor lose: whips are shorter than the step, and kept");
}

// The tip after a second, against a fine mesh and a fine step of an independent program.
void add_tip(Sheet& sheet) {
  Scene scene = heavy_scene(10, 200);
  scene.simulation.step = 1.0 / 480;
  Motion motion(sheet, scene);
  motion.watch(1, 480, [](double, const Pose&) {});
  if (!motion.fine()) return;
  const Vec3 end = motion.pose().rods.front().position.back();
  sheet.absolute("tip x after 1 s, m, Γ = 10, N = 200, step 1/480 s", end[0], 0.79457, 2e-3,
                 "second order in the step, amplified by a fast swing");
  sheet.absolute("tip z after 1 s, m, Γ = 10, N = 200, step 1/480 s", end[2], -0.57279, 2e-3, "the same");
}

Result<std::vector<Row>> short_rows(const Setting& setting) {
  Sheet sheet(setting);
  add_energy(sheet, 50, 10, 1e-6);
  setting.tell(0.2);
  add_energy(sheet, 200, 10, 1e-6);
  setting.tell(0.6);
  add_limp(sheet, 100, 10);
  add_limp(sheet, 1000, 10);
  setting.tell(0.8);
  add_tip(sheet);
  return std::move(sheet).result();
}

Result<std::vector<Row>> long_rows(const Setting& setting) {
  Sheet sheet(setting);
  add_energy(sheet, 1000, 10, 1e-6);
  setting.tell(0.3);
  add_energy(sheet, 200, 100, 1e-5);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace cantilever_energy_case

Case cantilever_energy() {
  return {.name = "cantilever-energy",
          .shows = "A cantilever let go from the horizontal keeps its energy at steps of 1/60 s",
          .source = "Conservation of energy; the tip: a reference solution with a fine mesh and step",
          .run = cantilever_energy_case::short_rows};
}

Case cantilever_energy_long() {
  return {.name = "cantilever-energy-long",
          .shows = "The same on a fine mesh, and for a hundred seconds",
          .source = "Conservation of energy",
          .takes_long = true,
          .run = cantilever_energy_case::long_rows};
}

}  // namespace filum::validation
