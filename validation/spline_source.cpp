// The experiments of the source of spline rods [Theetten2006, table 2], with its numbers of control points, against exact
// solutions; in motion at its step of 1 ms.
#include "validation/cantilever.hpp"
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include <filum/run.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

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

// At the source's step.
Result<Outcome> moved(Scene scene, const Setting& setting, Integrator integrator, double end) {
  scene.simulation.formulation = setting.formulation;
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.start = StartKind::AsShaped;
  scene.simulation.integrator = integrator;
  scene.simulation.step = 1e-3;
  scene.simulation.end = end;
  return filum::run(scene, {});
}

// Comes through a third of a second of its fall, and halves no step.
void add_motion(Sheet& sheet, const std::string& name, const Scene& scene, const Setting& setting) {
  const Result<Outcome> outcome = moved(scene, setting, Integrator::ImplicitEuler, 0.3);
  if (!outcome.ok()) return sheet.fail(outcome.error().text());
  sheet.at_least(name + ", implicit Euler at 1 ms: time reached, s", outcome->run->end, 0.3 - 1e-9, "its end");
  sheet.at_most(name + ", implicit Euler at 1 ms: steps halved", static_cast<double>(outcome->run->failed_steps), 0,
                "stable at its step");
}

// 4.06 m between supports of one height, 3 m apart (the source does not say how far). Sixteen control points.
void add_catenary(Sheet& sheet, const Setting& setting) {
  constexpr double kSpan = 3, kLength = 4.06;
  const Section section = bar(0.02, 6000, 5e6);
  Scene scene = straight_rod(section, Vec3::Zero(), Vec3(kSpan, 0, 0), 13);
  scene.rods[0].length = kLength;
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.holds = {pin(kStart), pin(kEnd)};
  const double weight = kGravity * section.mass_per_length;
  const double half = 0.5 * kLength;
  // the pull at the lowest point, by halving: half a span rises with it
  double low = 1e-3 * weight, high = 1e3 * weight;
  for (int k = 0; k < 200; ++k) {
    const double pull = 0.5 * (low + high);
    const double reach = pull / weight * std::asinh(weight * half / pull) + pull * half / section.EA;
    (reach < 0.5 * kSpan ? low : high) = pull;
  }
  const double pull = 0.5 * (low + high);
  const double sag = (std::hypot(pull, weight * half) - pull) / weight + weight * half * half / (2 * section.EA);
  const Outcome outcome = sheet.solve(scene);
  double lowest = 0;
  for (const Vec3& x : rod_pose(outcome).position) lowest = std::min(lowest, x.z());
  sheet.absolute("catenary of 5 MPa, 16 control points: sag of the elastic catenary, share of the span",
                 -lowest / kSpan, sag / kSpan, 5e-3, "a bar of 20 mm bends at its supports, a catenary does not");
  add_motion(sheet, "catenary of 5 MPa", scene, setting);
}

struct Pendulum {
  double diameter;   // m
  double young;      // Pa
  double tolerance;  // of its energy, share of what moves
};

// 1.14 m on a pin, let go from the horizontal. Seven control points. The source takes RK4 for the thick ones.
void add_pendulum(Sheet& sheet, const Setting& setting, const Pendulum& pendulum) {
  const auto name = fmt::format("pendulum of {:g} mm and {:g} MPa", 1e3 * pendulum.diameter, pendulum.young / 1e6);
  Scene scene = straight_rod(bar(pendulum.diameter, 4000, pendulum.young), Vec3::Zero(), Vec3(1.14, 0, 0), 4);
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.holds = {pin(kStart)};
  const Result<Outcome> outcome = moved(scene, setting, Integrator::EnergyMomentum, 1.5);
  if (!outcome.ok()) return sheet.fail(outcome.error().text());
  sheet.at_least(name + ", default step of 1 ms: time reached, s", outcome->run->end, 1.5 - 1e-9, "its end");
  sheet.at_most(name + ", default step of 1 ms: error of the energy",
                outcome->run->max_energy_error / outcome->run->energy_scale, pendulum.tolerance,
                "kept, with what is drained where a step does not settle");
  add_motion(sheet, name, scene, setting);
}

// The period of a small swing of the stiffest, 2π √(2L/3g) of a rigid rod.
void add_small_swing(Sheet& sheet, const Setting& setting) {
  const Section section = bar(0.04, 4000, 700e6);
  Scene scene = straight_rod(section, Vec3::Zero(), 1.14 * Vec3(std::sin(0.05), 0, -std::cos(0.05)), 4);
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.holds = {pin(kStart)};
  Probe tip_probe;
  tip_probe.name = "tip";
  tip_probe.point = {scene.rods[0].name, {1, 0}};
  scene.record.probes = {tip_probe};
  const Result<Outcome> outcome = moved(scene, setting, Integrator::EnergyMomentum, 2.5);
  if (!outcome.ok()) return sheet.fail(outcome.error().text());
  std::vector<double> crossings;
  const auto& history = outcome->history;
  for (std::size_t i = 1; i < history.size(); ++i) {
    const double a = history[i - 1].probe[0][0], b = history[i].probe[0][0];
    if (a * b < 0) crossings.push_back(history[i - 1].t + (history[i].t - history[i - 1].t) * a / (a - b));
  }
  if (crossings.size() < 3) return sheet.fail("the pendulum does not swing");
  sheet.relative("pendulum of 40 mm and 700 MPa, small swing: period, s", crossings[2] - crossings[0],
                 2 * std::numbers::pi * std::sqrt(2 * 1.14 / (3 * kGravity)), 5e-3, "of a rigid rod; amplitude 0.05");
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

// The cable of the car door, dragged by its end. Eighteen control points. The scene car-door has its clips.
Scene door_cable() {
  Scene scene = straight_rod(bar(0.0108, 5000, 5e9), Vec3::Zero(), Vec3(2, 0, 0), 15);
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.holds = {clamp(kStart), pin(kEnd)};
  Driver hand;
  hand.kind = DriverKind::Hold;
  hand.target = scene.holds[1].name;
  hand.path.resize(2);
  hand.path[0].position = Vec3(2, 0, 0);
  hand.path[1].t = 0.3;
  hand.path[1].position = Vec3(1.9, 0, -0.3);
  scene.drivers = {hand};
  return scene;
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
  add_catenary(sheet, setting);
  for (const Pendulum& pendulum : {Pendulum{0.04, 7e6, 1e-6}, Pendulum{0.04, 35e6, 1e-6}, Pendulum{0.04, 700e6, 1e-6},
                                   Pendulum{0.01, 700e6, 1e-6}})
    add_pendulum(sheet, setting, pendulum);
  add_small_swing(sheet, setting);
  add_motion(sheet, "cable of the car door, 18 control points, dragged by its end", door_cable(), setting);
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
