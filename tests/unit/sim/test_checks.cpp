// Limits: what is compared with them, and where.
#include "sim/limits.hpp"

#include "math/dense.hpp"
#include "math/rotation.hpp"

#include <filum/scene_file.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace filum;

namespace {

const Check* find(const std::vector<Check>& checks, CheckKind kind, const std::string& hold) {
  for (const Check& check : checks)
    if (check.kind == kind && check.object == ObjectRef{ObjectKind::Hold, hold}) return &check;
  return nullptr;
}

// A bar along x, clamped at its start and, beyond its middle, kept from moving sideways.
constexpr const char* kBar = R"(
filum: 1
gravity: [0, 0, 0]
sections: {bar: {shape: given, EA: 1e6, EI: [10, 10], GJ: 10, mass_per_length: 1, radius: 3 mm}}
rods: {bar: {section: bar, segments: 20, shape: {line: [[0, 0, 0], [1, 0, 0]]},
  limits: {max_hold_force: 7 N, max_transverse_force: 2.5 N}}}
holds:
  - {name: clamp, rod: bar, at: start, fix: [position, orientation]}
  - {name: guide, rod: bar, at: 0.6, fix: {position: [y, z]}}
forces: [{rod: bar, at: end, force: [6, 0, 0]}, {rod: bar, at: 0.6, force: [0, 0, 2]}]
)";

}  // namespace

TEST_CASE("checks: the transverse force on a hold leaves out what pulls along the rod") {
  const auto scene = parse_scene(kBar, "bar");
  REQUIRE(scene.ok());
  const auto outcome = solve(*scene);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->solve.converged);
  const std::vector<Check>& checks = outcome->checks;
  CHECK(checks.size() == 4);
  // the clamp bears the pull of 6 N, the guide the 2 N beside it
  const Check* pull = find(checks, CheckKind::HoldForce, "clamp");
  const Check* side = find(checks, CheckKind::TransverseForce, "clamp");
  const Check* guide = find(checks, CheckKind::TransverseForce, "guide");
  REQUIRE(pull);
  REQUIRE(side);
  REQUIRE(guide);
  CHECK(pull->value == doctest::Approx(6).epsilon(1e-9));
  CHECK(side->value < 1e-9);
  CHECK(guide->value == doctest::Approx(2).epsilon(1e-9));
  CHECK(guide->s == doctest::Approx(0.6));
  CHECK(guide->limit == 2.5);
  CHECK(!guide->violated);
}

TEST_CASE("checks: the direction is that of the rod where the hold is") {
  // a quarter circle of two pieces, pulled along x at its start, its middle and its end
  Scene scene;
  scene.rods.resize(1);
  scene.rods[0].name = "bow";
  scene.rods[0].limits.max_transverse_force = 1;
  Pose pose;
  pose.rods.resize(1);
  RodPose& rod = pose.rods[0];
  rod.s = {0, 1, 2};
  rod.position.resize(3);
  rod.axial_force.resize(3);
  for (const double angle : {0.0, math::kPi / 4, math::kPi / 2})
    rod.frame.push_back(math::smallest_turn(Vec3::UnitZ(), Vec3(std::cos(angle), std::sin(angle), 0)));
  for (const double s : {0.0, 0.5, 1.0, 2.0}) {
    Hold hold;
    hold.name = std::to_string(scene.holds.size());
    hold.rod = "bow";
    scene.holds.push_back(hold);
    HoldPose held;
    held.force = Vec3(2, 0, 0);
    held.s = s;
    pose.holds.push_back(held);
  }
  const std::vector<Check> checks = sim::check_limits(scene, pose, 3);
  REQUIRE(checks.size() == 4);
  CHECK(checks[0].value == doctest::Approx(0).epsilon(1e-12));
  CHECK(checks[1].value == doctest::Approx(2 * std::sin(math::kPi / 8)));
  CHECK(checks[2].value == doctest::Approx(2 * std::sin(math::kPi / 4)));
  CHECK(checks[3].value == doctest::Approx(2));
  CHECK(checks[3].violated);
  CHECK(!checks[1].violated);
  CHECK(checks[2].s == 1);
  CHECK(checks[2].t == 3);
}
