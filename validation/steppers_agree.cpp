// The three steppers on one motion: an all but inextensible cantilever that falls from the horizontal and swings.
//
// On a given mesh each stepper has its own discrete rod: the implicit one measures bending by the turning angle and
// stretches, the other two by the curvature binormal and do not stretch. So orders in the step are measured on one mesh
// against each stepper's own limit for a step of zero, and orders in the mesh by those limits against one reference:
// the implicit stepper's, on meshes that are finer still, extrapolated. Three discretisations that are of the orders
// they claim and meet in one point.
#include "validation/cases.hpp"
#include "validation/heavy_rod.hpp"
#include "validation/motion.hpp"

#include <fmt/format.h>
#include <array>
#include <cmath>

namespace filum::validation {

namespace steppers_agree_case {
namespace {

constexpr double kGamma = 10;
constexpr double kDuration = 0.25;  // s: the tip is a quarter of the length down and on its way

struct Entry {
  Stepper stepper;
  const char* name;
  int order;  // in the step
  const char* why;
};
constexpr std::array<Entry, 3> kEntries{
    {{Stepper::Implicit, "implicit", 2, "energy-momentum is of second order"},
     {Stepper::Projection, "projection", 1, "symplectic Euler is of first order"},
     {Stepper::Variational, "variational", 2, "the discrete Euler-Lagrange equations of the trapezoidal action"}}};

Vec3 tip_of_fall(Sheet& sheet, Stepper stepper, int segments, int steps) {
  Scene scene = heavy_scene(kGamma, segments);
  scene.rods.front().extensible = false;
  scene.sections.front().section.EA = 1e7;  // strains of 1e-7: the implicit stepper's rod hardly stretches
  scene.simulation.stepper = stepper;
  scene.simulation.step = kDuration / steps;
  Motion motion(sheet, scene);
  motion.watch(kDuration, 1000000, [](double, const Pose&) {});
  return motion.fine() ? motion.pose().rods.front().position.back() : Vec3::Constant(std::nan(""));
}

// What is left when the step goes to zero, by extrapolation from two steps.
Vec3 limit(Sheet& sheet, const Entry& entry, int segments, int steps) {
  const Vec3 coarse = tip_of_fall(sheet, entry.stepper, segments, steps);
  const Vec3 fine = tip_of_fall(sheet, entry.stepper, segments, 2 * steps);
  return fine + (fine - coarse) / (std::pow(2, entry.order) - 1);
}

// The explicit steppers' stability limit goes with the square of the mesh.
int steps_for(const Entry& entry, int segments) {
  return entry.stepper == Stepper::Implicit ? 800 : std::max(800, 8 * segments * segments);
}

void add_step_order(Sheet& sheet, const Entry& entry) {
  constexpr int kSegments = 10;
  const Vec3 exact = limit(sheet, entry, kSegments, 3200);
  std::vector<double> errors;
  const std::vector<double> steps = {400, 800, 1600};
  for (const double n : steps)
    errors.push_back((tip_of_fall(sheet, entry.stepper, kSegments, static_cast<int>(n)) - exact).norm());
  sheet.absolute(fmt::format("order in the step, {}, N = 10", entry.name), observed_order(errors, steps), entry.order,
                 0.15, entry.why);
}

using Limits = std::array<Vec3, kEntries.size()>;  // per stepper: the tip at step 0

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  for (const Entry& entry : kEntries) add_step_order(sheet, entry);
  setting.tell(0.3);

  // the limits on three meshes, and the common one: step and mesh to zero
  const std::vector<double> segments = {8, 16, 32};
  std::vector<Limits> limits(segments.size());
  for (std::size_t k = 0; k < kEntries.size(); ++k)
    for (std::size_t m = 0; m < segments.size(); ++m) {
      const int count = static_cast<int>(segments[m]);
      limits[m][k] = limit(sheet, kEntries[k], count, steps_for(kEntries[k], count));
    }
  const Vec3 coarse = limit(sheet, kEntries[0], 64, 800);
  const Vec3 fine = limit(sheet, kEntries[0], 128, 800);
  const Vec3 exact = fine + (fine - coarse) / 3;
  setting.tell(0.9);

  for (std::size_t k = 0; k < kEntries.size(); ++k) {
    std::vector<double> off;
    for (const Limits& on_mesh : limits) off.push_back((on_mesh[k] - exact).norm());
    sheet.absolute(fmt::format("order in the mesh at step 0, {}, N = 8 to 32", kEntries[k].name),
                   observed_order(off, segments), 2, 0.25, "one limit for all three; coarse meshes have a next term");
    sheet.at_most(fmt::format("off the common limit at step 0, share of L, {}, N = 32", kEntries[k].name), off.back(),
                  1e-3, "lumped masses, the same for all three");
  }
  sheet.at_most("implicit against projection at step 0, share of L, N = 32",
                (limits.back()[0] - limits.back()[1]).norm(), 3e-5, "two measures of curvature");
  sheet.at_most("projection against variational at step 0, share of L, N = 32",
                (limits.back()[1] - limits.back()[2]).norm(), 1e-6, "one discrete rod: what the extrapolation leaves");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace steppers_agree_case

Case steppers_agree() {
  return {.name = "steppers-agree",
          .shows = "Implicit, projection and variational stepper lead to one motion, at the orders they claim",
          .source = "Each other: three discretisations that share no code in time",
          .run = steppers_agree_case::rows};
}

}  // namespace filum::validation
