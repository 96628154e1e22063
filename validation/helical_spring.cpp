// A helical spring pulled along its axis: the wire bends a little and twists a lot.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace helical_spring_case {
namespace {

constexpr double kTurns = 4;
constexpr double kRadius = 1;
constexpr double kBend = 1;          // EI
constexpr double kTwist = 0.77;      // GJ
constexpr double kStretch = 1e6;     // EA
constexpr double kForce = 1e-6;      // so small that the spring stays what it was
const Vec3 kToAxis(-kRadius, 0, 0);  // from the end of the wire, which lies above its start

// A helix about z that starts at (R, 0, 0), clamped there; at its end a force along z, moved to the axis by a torque.
Scene spring(double slope, double force, int segments) {
  Curve helix;
  helix.kind = CurveKind::Helix;
  helix.axis = Vec3::UnitZ();
  helix.start = Vec3(kRadius, 0, 0);
  helix.angle = 2 * math::kPi * kTurns;
  helix.pitch = 2 * math::kPi * kRadius * std::tan(slope);
  Scene scene;
  scene.gravity = Vec3::Zero();
  Rod& rod = add_rod(scene, "rod", given_section(kStretch, Vec2(kBend, kBend), kTwist, 1), helix, segments);
  rod.normal = Vec3::UnitX();
  rod.rest.kind = RestKind::AsShaped;
  scene.holds = {clamp(kStart)};
  scene.forces.push_back({{"rod", kEnd}, "", Vec3(0, 0, force), false});
  scene.torques.push_back({{"rod", kEnd}, "", kToAxis.cross(Vec3(0, 0, force)), false});
  return scene;
}

// How far the point of the axis that is rigidly joined to the end moves along the axis, per force: from both signs, so
// that the second order cancels.
double compliance(Sheet& sheet, double slope, int segments) {
  const Quat rest = rod_pose(sheet.solve(spring(slope, 0, segments))).frame.back();
  auto height = [&](double force) {
    const Outcome outcome = sheet.solve(spring(slope, force, segments));
    const Quat turn = rod_pose(outcome).frame.back() * rest.conjugate();
    return (tip(outcome) + turn * kToAxis)[2];
  };
  return (height(kForce) - height(-kForce)) / (2 * kForce);
}

void add_spring(Sheet& sheet, double degrees) {
  const double slope = degrees * math::kPi / 180;
  const double cos = std::cos(slope);
  const double sin = std::sin(slope);
  const double length = 2 * math::kPi * kTurns * kRadius / cos;
  const double reference =
      length * (kRadius * kRadius * (cos * cos / kTwist + sin * sin / kBend) + sin * sin / kStretch);
  std::vector<double> errors;
  for (const int segments : {100, 200, 400})
    errors.push_back(std::abs(compliance(sheet, slope, segments) / reference - 1));
  sheet.absolute(fmt::format("relative error of δ/F, slope {}°, N = 400", degrees), errors[2], 0, 1e-3,
                 "second order at 100 segments a turn: (π/100)²");
  sheet.at_least(fmt::format("its observed order, slope {}°, N = 100…400", degrees),
                 observed_order(errors, {100, 200, 400}), 1.9, "the scheme is of second order");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_spring(sheet, 5);
  setting.tell(0.5);
  add_spring(sheet, 30);
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace helical_spring_case

Case helical_spring() {
  return {.name = "helical-spring",
          .shows = "A spring of four turns, flat and steep, gives way to a small axial force as the textbook says",
          .source = "Timoshenko, Strength of Materials, part II; Wahl 1963",
          .equilibria = true,
          .run = helical_spring_case::run};
}

}  // namespace filum::validation
