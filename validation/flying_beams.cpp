// Two beams of Simo and Vu-Quoc whose cross-sections have rotary inertia: a right-angled cantilever that is struck out of
// its plane, and a free beam that is pushed and wrenched at one end and flies away, bending. [Simo1986; Simo1988]
//
// The papers show curves. The figures here are from a program of its own: a shear-flexible beam of two-noded elements
// with rotations as unknowns, moved by Runge and Kutta's explicit rule, with 20 and 40 elements a leg, extrapolated. With
// a hundredfold shear stiffness its figures change by less than 2e-3.
#include "validation/cases.hpp"
#include "validation/motion.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace flying_beams_case {
namespace {

Section section(double EA, double EI, const Vec3& inertia) {
  Section made = given_section(EA, Vec2(EI, EI), EI, 1);
  made.inertia = inertia;
  return made;
}

// A load that rises to its value and falls again.
Driver triangle(DriverKind kind, int index, double peak) {
  Driver driver;
  driver.kind = kind;
  driver.index = index;
  for (const double t : {0.0, 1.0, 2.0}) {
    Keyframe key;
    key.t = t * peak;
    key.scale = t == 1 ? 1 : 0;
    driver.path.push_back(key);
  }
  return driver;
}

Scene right_angle(int segments, double step) {
  const Section leg = section(1e6, 1e3, Vec3(10, 10, 20));
  Scene scene = straight_rod(leg, Vec3::Zero(), Vec3(10, 0, 0), segments);
  add_rod(scene, "far", leg, line(Vec3(10, 0, 0), Vec3(10, 10, 0)), segments);
  scene.holds = {clamp(kStart)};
  Junction elbow;
  elbow.name = "elbow";
  elbow.rods = {{"rod", kEnd}, {"far", kStart}};
  scene.junctions = {elbow};
  scene.forces = {{{"rod", kEnd}, {}, Vec3(0, 0, 50), false}};
  scene.drivers = {triangle(DriverKind::Force, 0, 1)};
  scene.simulation.step = step;
  scene.simulation.rotary_inertia = true;
  return scene;
}

Result<std::vector<Row>> cantilever_rows(const Setting& setting) {
  Sheet sheet(setting);
  Motion motion(sheet, right_angle(20, 0.02));
  struct Known {
    double t;
    double elbow;
    double tip;
  };
  constexpr Known kKnown[] = {{3, 5.5017, 1.5072}, {8, 1.6333, 7.9605}, {10, -3.0960, 4.4631}, {15, 0.1599, -9.2044}};
  double after = 0;
  double worst = 0;
  motion.watch(15, 1, [&](double t, const Pose& pose) {
    for (const Known& known : kKnown) {
      if (std::abs(t - known.t) > 1e-6) continue;
      sheet.absolute(fmt::format("elbow out of the plane at {} s", known.t), pose.rods[0].position.back().z(),
                     known.elbow, 0.1, "1 % of a leg: second order in the segment, 20 a leg, and in the step, 20 ms");
      sheet.absolute(fmt::format("tip out of the plane at {} s", known.t), pose.rods[1].position.back().z(), known.tip,
                     0.1, "the same");
    }
    if (t < 2 + 1e-6) after = pose.energy.balance();
    worst = std::max(worst, std::abs(pose.energy.balance() - after));
    setting.tell(t / 15);
  });
  sheet.at_most("largest energy error over the elastic and kinetic energy put in", worst / motion.report().energy_scale,
                1e-6, "the ledger closes to Newton's tolerance");
  return std::move(sheet).result();
}

Scene free_beam(int segments, double step) {
  Scene scene = straight_rod(section(1e4, 500, Vec3(10, 10, 10)), Vec3(6, 0, 0), Vec3(0, 8, 0), segments);
  scene.forces = {{{"rod", kStart}, {}, Vec3(8, 0, 0), false}};
  scene.torques = {{{"rod", kStart}, {}, Vec3(0, 40, -80), false}};
  scene.drivers = {triangle(DriverKind::Force, 0, 2.5), triangle(DriverKind::Torque, 0, 2.5)};
  scene.simulation.step = step;
  scene.simulation.rotary_inertia = true;
  return scene;
}

Result<std::vector<Row>> flight_rows(const Setting& setting) {
  Sheet sheet(setting);
  Motion motion(sheet, free_beam(20, 0.02));
  const Vec3 pushed(4.0644, 1.0461, 0.8760), other(11.9823, 6.8420, -1.0336);
  const Vec3 pushed_late(22.0041, 1.2098, 1.0902), other_late(13.9783, 6.7915, -1.0244);
  Vec3 spin = Vec3::Zero();
  double drift = 0;
  motion.watch(10, 1, [&](double t, const Pose& pose) {
    const RodPose& rod = pose.rods[0];
    const char* reason = "1 % of its length and 2 % later: second order, 20 segments, 20 ms";
    if (std::abs(t - 5) < 1e-6) {
      sheet.absolute("pushed end at 5 s, distance", (rod.position.front() - pushed).norm(), 0, 0.1, reason);
      sheet.absolute("other end at 5 s, distance", (rod.position.back() - other).norm(), 0, 0.1, reason);
      sheet.relative("momentum once it is let go", pose.momentum.x(), 20, 1e-9, "the impulse, exactly");
      spin = pose.angular_momentum;
    }
    if (std::abs(t - 10) < 1e-6) {
      sheet.absolute("pushed end at 10 s, distance", (rod.position.front() - pushed_late).norm(), 0, 0.2, reason);
      sheet.absolute("other end at 10 s, distance", (rod.position.back() - other_late).norm(), 0, 0.2, reason);
    }
    if (t > 5) drift = std::max(drift, (pose.angular_momentum - spin).norm() / spin.norm());
    setting.tell(t / 10);
  });
  sheet.at_most("change of the angular momentum in free flight", drift, 1e-8, "kept to Newton's tolerance");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace flying_beams_case

Case right_angle_cantilever() {
  return {.name = "right-angle-cantilever",
          .shows = "A right-angled cantilever, struck out of its plane, swings as far as it is long",
          .source = "Simo & Vu-Quoc 1988, section 5; figures by an explicit finite element program",
          .run = flying_beams_case::cantilever_rows};
}

Case flying_beam() {
  return {.name = "flying-beam",
          .shows = "A free beam, pushed and wrenched at one end, flies away bending and keeps its momenta",
          .source = "after Simo & Vu-Quoc 1986, 1988; figures by an explicit finite element program",
          .run = flying_beams_case::flight_rows};
}

}  // namespace filum::validation
