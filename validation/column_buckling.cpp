// Columns: when the straight one stops being stable, and where the bent one goes.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace column_buckling_case {
namespace {

constexpr double kPi = math::kPi;
constexpr int kSegments = 100;
// The column shortens by 4e-6 of its length at most before it buckles: too little to move the onset.
constexpr double kStretchStiffness = 1e7;

// A column along x, EI = 1, L = 1, clamped at its start.
Scene column(int segments = kSegments) {
  Scene scene =
      straight_rod(given_section(kStretchStiffness, Vec2::Ones(), 0.8, 1), Vec3::Zero(), Vec3::UnitX(), segments);
  scene.holds = {clamp(kStart)};
  return scene;
}

Scene pressed(double force, int segments = kSegments) {
  Scene scene = column(segments);
  scene.forces.push_back({{"rod", kEnd}, "", Vec3(-force, 0, 0), false});
  return scene;
}

void add_onsets(Sheet& sheet) {
  const std::string reason = "second order in the mesh; the shortening before the onset adds 4e-6";
  const double free_load = kPi * kPi / 4;
  sheet.relative("clamped-free, P_cr L²/EI",
                 onset(0.8 * free_load, 1.2 * free_load, [&](double p) { return sheet.stable(pressed(p)); }), free_load,
                 0.005, reason);

  // own weight, downwards along −x
  sheet.relative("own weight, ρAgL³/EI",
                 onset(6, 9,
                       [&](double weight) {
                         Scene scene = column();
                         scene.gravity = Vec3(-weight, 0, 0);
                         return sheet.stable(scene);
                       }),
                 7.837347, 0.005, reason);

  // both ends clamped, one free to slide along the axis
  const double clamped_load = 4 * kPi * kPi;
  sheet.relative("clamped-clamped, P_cr L²/EI",
                 onset(0.8 * clamped_load, 1.2 * clamped_load,
                       [&](double p) {
                         Scene scene = pressed(p);
                         scene.holds.push_back(guide(kEnd));
                         return sheet.stable(scene);
                       }),
                 clamped_load, 0.005, reason);
}

// The bent column, reached from the straight one by a nudge.
void add_bent(Sheet& sheet, double ratio, double x, double y, int degrees) {
  const double force = ratio * kPi * kPi / 4;
  SolveOptions options;
  options.nudge = true;
  std::vector<double> errors;
  for (const int segments : {50, 100, 200}) {
    const Outcome outcome = sheet.solve(pressed(force, segments), options);
    const Vec3 end = tip(outcome);
    errors.push_back(std::hypot(end[0] - x, std::hypot(end[1], end[2]) - y));
    if (segments == 50)
      sheet.at_least(fmt::format("stable after the nudge, tip at {}°", degrees), outcome.solve.stable.value_or(false),
                     1, "the bent branch is a minimum");
  }
  sheet.absolute(fmt::format("tip error, share of L, tip at {}°, N = 50", degrees), errors[0], 0, 1e-3,
                 "second order; just above the onset the shape is as sensitive as 1 / (P − P_cr)");
  sheet.at_least(fmt::format("observed order, tip at {}°, N = 50…200", degrees), observed_order(errors, {50, 100, 200}),
                 1.9, "the scheme is of second order");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_onsets(sheet);
  setting.tell(0.5);
  add_bent(sheet, 1.151720, 0.7410196, 0.5932076, 60);
  add_bent(sheet, 1.518389, 0.3489893, 0.7915395, 100);
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace column_buckling_case

Case column_buckling() {
  return {.name = "column-buckling",
          .shows = "The straight column loses its stability at Euler's load, and the nudged one bends as the elastica",
          .source = "Euler 1744; Greenhill 1881; Timoshenko & Gere 1961, chapter 2; figures by elliptic integrals",
          .equilibria = true,
          .run = column_buckling_case::run};
}

}  // namespace filum::validation
