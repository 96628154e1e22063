// The experiments of the source of spline rods [Theetten2006, table 2], with its numbers of control points, against exact
// solutions; in motion at its step of 1 ms.
#include "validation/cantilever.hpp"
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include <filum/run.hpp>

#include <fmt/format.h>
#include <cmath>
#include <numbers>

namespace filum::validation {

namespace spline_source_case {
namespace {

// A round bar of diameter D, density ρ, Young's modulus E and ν = 1/3, as a section of given stiffnesses.
Section bar(double diameter, double density, double young) {
  const double area = std::numbers::pi * diameter * diameter / 4;
  const double inertia = area * diameter * diameter / 16;
  Section section =
      given_section(young * area, Vec2::Constant(young * inertia), young / 1.33 * inertia, density * area);
  section.radius = diameter / 2;
  return section;
}

struct Beam {
  double young;      // Pa
  double tolerance;  // of the tip, share of the length
};

// Seven control points: four segments.
Scene cantilever(double young) {
  Scene scene = straight_rod(bar(0.04, 2000, young), Vec3::Zero(), Vec3(1.6, 0, 0), 4);
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.holds = {clamp(kStart)};
  return scene;
}

void add_cantilever(Sheet& sheet, const Beam& beam) {
  const Section section = bar(0.04, 2000, beam.young);
  Cantilever exact;
  exact.length = 1.6;
  exact.EA = section.EA;
  exact.EI = section.EI;
  exact.GJ = section.GJ;
  exact.frame.col(0) = Vec3::UnitY(), exact.frame.col(1) = Vec3::UnitZ(), exact.frame.col(2) = Vec3::UnitX();
  exact.load = Vec3(0, 0, -kGravity * section.mass_per_length);
  const Outcome outcome = sheet.solve(cantilever(beam.young));
  sheet.absolute(fmt::format("cantilever of {:g} MPa, 7 control points: tip, share of the length", beam.young / 1e6),
                 (tip(outcome) - integrate(exact).tip).norm() / 1.6, 0, beam.tolerance,
                 "fourth order in four segments; the softer the more it bends near the clamp");
}

// Comes through a third of a second of its fall at the source's step, and halves none.
void add_motion(Sheet& sheet, const std::string& name, Scene scene, const Setting& setting) {
  scene.simulation.formulation = setting.formulation;
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.start = StartKind::AsShaped;
  scene.simulation.integrator = Integrator::ImplicitEuler;
  scene.simulation.step = 1e-3;
  scene.simulation.end = 0.3;
  const Result<Outcome> outcome = filum::run(scene, {});
  if (!outcome.ok()) return sheet.fail(outcome.error().text());
  sheet.at_least(name + ", implicit Euler at 1 ms: time reached, s", outcome->run->end, 0.3 - 1e-9, "its end");
  sheet.at_most(name + ", implicit Euler at 1 ms: steps halved", static_cast<double>(outcome->run->failed_steps), 0,
                "stable at its step");
}

// The height at which a column under its own weight stops standing, m. Eight control points.
double tallest(Sheet& sheet) {
  double low = 0.63;
  double high = 3.25;
  for (int k = 0; k < 12; ++k) {
    const double middle = 0.5 * (low + high);
    Scene scene = straight_rod(bar(0.04, 2400, 56e6), Vec3::Zero(), Vec3(0, 0, middle), 5);
    scene.gravity = Vec3(0, 0, -kGravity);
    scene.holds = {clamp(kStart)};
    (sheet.stable(scene) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Result<std::vector<Row>> run(const Setting& given) {
  Setting setting = given;
  setting.formulation = "spline";
  Sheet sheet(setting);
  for (const Beam& beam : {Beam{35e6, 5e-3}, Beam{70e6, 2e-3}, Beam{700e6, 2e-5}, Beam{7000e6, 2e-7}}) {
    add_cantilever(sheet, beam);
    add_motion(sheet, fmt::format("cantilever of {:g} MPa", beam.young / 1e6), cantilever(beam.young), setting);
    setting.tell(0.1);
  }
  const Section column = bar(0.04, 2400, 56e6);
  const double critical = std::cbrt(7.8373474 * column.EI[0] / (kGravity * column.mass_per_length));
  sheet.relative("column under its own weight, 8 control points: tallest that stands, m", tallest(sheet), critical,
                 2e-3, "twelve halvings of 2.6 m leave 6e-4 m");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace spline_source_case

Case spline_source() {
  return {.name = "spline-source",
          .shows = "The experiments of the source of spline rods, with its few control points and its step of 1 ms",
          .source = "the extensible rod's equations integrated to 1e-11; Timoshenko and Gere 1961 for the column",
          .run = spline_source_case::run};
}

}  // namespace filum::validation
