// The three steppers on one motion: a soft, inextensible cantilever that falls from the horizontal.
//
// On a given mesh each stepper has its own discrete rod: the implicit one measures bending by the turning angle and
// stretches, the other two by the curvature binormal and do not stretch. With the step gone to zero and the mesh
// refined all three must meet.
#include "validation/cases.hpp"
#include "validation/heavy_rod.hpp"
#include "validation/motion.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace {

constexpr double kGamma = 100;
constexpr double kDuration = 0.25;  // s

Vec3 tip_of_fall(Sheet& sheet, Stepper stepper, int segments, double step) {
  Scene scene = heavy_scene(kGamma, segments);
  scene.rods.front().extensible = false;
  scene.sections.front().section.EA = 1e6;  // strains of 1e-6: the implicit stepper's rod hardly stretches
  scene.simulation.stepper = stepper;
  scene.simulation.step = step;
  Motion motion(sheet, scene);
  motion.watch(kDuration, 1000000, [](double, const Pose&) {});
  return motion.fine() ? motion.pose().rods.front().position.back() : Vec3::Constant(std::nan(""));
}

// What is left when the step goes to zero, by extrapolation from two steps.
Vec3 limit(Sheet& sheet, Stepper stepper, int segments, double step) {
  const Vec3 coarse = tip_of_fall(sheet, stepper, segments, step);
  const Vec3 fine = tip_of_fall(sheet, stepper, segments, step / 2);
  return stepper == Stepper::Implicit ? Vec3(fine + (fine - coarse) / 3) : Vec3(2 * fine - coarse);
}

void add_step_order(Sheet& sheet, Stepper stepper, const char* name, double order, const char* why) {
  constexpr int kSegments = 10;
  const Vec3 exact = limit(sheet, stepper, kSegments, kDuration / 6400);
  std::vector<double> errors;
  const std::vector<double> steps = {400, 800, 1600};
  for (const double n : steps) errors.push_back((tip_of_fall(sheet, stepper, kSegments, kDuration / n) - exact).norm());
  sheet.at_least(fmt::format("order in the step, {}, N = 10", name), observed_order(errors, steps), order, why);
}

Result<std::vector<Row>> rows(const Progress& progress) {
  Sheet sheet;
  add_step_order(sheet, Stepper::Projection, "projection", 0.9, "symplectic Euler is of first order");
  add_step_order(sheet, Stepper::Variational, "variational", 1.8,
                 "the discrete Euler-Lagrange equations of the trapezoidal action");
  progress(0.4);
  // distances between the limits
  for (const int segments : {10, 40}) {
    // the explicit steppers' stability limit goes with the square of the mesh
    const double step = kDuration / (16 * segments * segments);
    const Vec3 implicit = limit(sheet, Stepper::Implicit, segments, kDuration / 400);
    const Vec3 projection = limit(sheet, Stepper::Projection, segments, step);
    const Vec3 variational = limit(sheet, Stepper::Variational, segments, step);
    sheet.at_most(fmt::format("projection against variational at step 0, share of L, N = {}", segments),
                  (projection - variational).norm(), 1e-6, "one discrete rod: what the extrapolation leaves");
    sheet.at_most(fmt::format("projection against implicit at step 0, share of L, N = {}", segments),
                  (projection - implicit).norm(), segments == 10 ? 1e-4 : 3e-5,
                  "curvature measures differ at second order in the mesh; the implicit step is long against it");
    progress(0.4 + 0.6 * segments / 40);
  }
  return std::move(sheet).result();
}

}  // namespace

Case steppers_agree() {
  return {.name = "steppers-agree",
          .shows = "Implicit, projection and variational stepper lead to one motion as step and mesh are refined",
          .source = "Each other: three discretisations that share no code in time",
          .run = rows};
}

}  // namespace filum::validation
