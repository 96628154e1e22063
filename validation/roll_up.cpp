// Pure bending: a moment at the free end rolls a straight rod up.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace roll_up_case {
namespace {

constexpr double kPi = math::kPi;

// The moment turns about −y, which lifts a rod along x.
Scene rolled(double moment, int segments) {
  Scene scene = straight_rod(given_section(1e6, Vec2::Ones(), 0.8, 1), Vec3::Zero(), Vec3::UnitX(), segments);
  scene.holds = {clamp(kStart)};
  scene.torques.push_back({{"rod", kEnd}, "", Vec3(0, -moment, 0), false});
  return scene;
}

void add_turn(Sheet& sheet, const char* name, double angle) {
  // an arc of length 1 that turns by `angle`
  const Vec3 reference(std::sin(angle) / angle, 0, (1 - std::cos(angle)) / angle);
  std::vector<double> errors;
  double turned = 0;
  for (const int segments : {50, 100, 200}) {
    const Outcome outcome = sheet.solve(rolled(angle, segments));
    errors.push_back((tip(outcome) - reference).norm());
    if (segments != 50) continue;
    // the turn of the tip against that of the arc
    const Mat3 frame = rod_pose(outcome).frame.back().toRotationMatrix();
    const Mat3 arc = Eigen::AngleAxisd(-angle, Vec3::UnitY()) * rod_pose(outcome).frame.front().toRotationMatrix();
    turned = math::log_so3(frame * arc.transpose()).norm();
  }
  sheet.absolute(fmt::format("{}: tip error, share of L, N = 50", name), errors[0], 0, 1e-3,
                 "second order: a polygon of 50 sides for the arc");
  sheet.at_least(fmt::format("{}: observed order, N = 50…200", name), observed_order(errors, {50, 100, 200}), 1.9,
                 "the scheme is of second order");
  sheet.absolute(fmt::format("{}: turn of the tip against ML/EI, rad", name), turned, 0, 1e-8,
                 "a uniform moment bends every joint in proportion to its length, which sum to L");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_turn(sheet, "half a circle", kPi);
  setting.tell(0.5);
  add_turn(sheet, "a full circle", 2 * kPi);
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace roll_up_case

Case roll_up() {
  return {.name = "roll-up",
          .shows = "The moment 2πEI/L at the free end bends a straight rod into a full circle",
          .source = "Euler-Bernoulli: κ = M/EI",
          .equilibria = true,
          .run = roll_up_case::run};
}

}  // namespace filum::validation
