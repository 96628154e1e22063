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

namespace filum::test_checks {

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

namespace {

// A ring of radius 50 mm, 8 mm thick.
std::string ring(const std::string& limits) {
  return "filum: 1\ngravity: [0, 0, 0]\n"
         "sections: {bar: {shape: given, EA: 1e6, EI: [10, 10], GJ: 10, mass_per_length: 1, radius: 4 mm}}\n"
         "rods: {bar: {section: bar, segments: 40, rest: as-shaped, shape: {arc: {centre: [0, 0, 0], axis: [0, 0, 1], "
         "start: [0.05, 0, 0], angle: 90 deg}}, limits: {" +
         limits +
         "}}}\nholds: [{name: clamp, rod: bar, at: start, fix: [position, orientation], max_pull: 2 N, max_shear: 5 "
         "N}]\n"
         "forces: [{rod: bar, at: start, force: [3, 4, 0]}]\n";
}

std::vector<Check> checks_of(const std::string& limits) {
  const auto scene = parse_scene(ring(limits), "ring");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  const auto outcome = solve(*scene);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->solve.converged);
  return outcome->checks;
}

}  // namespace

TEST_CASE("checks: a bend radius in diameters, at the centre line or inside, both told") {
  const Check centre = checks_of("min_bend_radius: 6 d")[0];
  CHECK(centre.kind == CheckKind::BendRadius);
  CHECK(centre.value == doctest::Approx(0.05).epsilon(1e-3));
  CHECK(centre.limit == doctest::Approx(0.048));
  REQUIRE(centre.other);
  CHECK(*centre.other == doctest::Approx(centre.value - 0.004));
  CHECK_FALSE(centre.violated);
  // the inside is 46 mm: too tight for the same number
  const Check inside = checks_of("min_bend_radius: {static: 6 d, measured: inside}")[0];
  CHECK(inside.kind == CheckKind::InsideBendRadius);
  CHECK(inside.limit == doctest::Approx(0.048));
  CHECK(inside.value == doctest::Approx(0.046).epsilon(1e-3));
  CHECK(*inside.other == doctest::Approx(inside.value + 0.004));
  CHECK(inside.violated);
}

TEST_CASE("checks: what moves has the dynamic limit") {
  const auto scene = parse_scene(ring("min_bend_radius: {static: 3 d, dynamic: 10 d}"), "ring");
  REQUIRE(scene.ok());
  const auto outcome = solve(*scene);
  REQUIRE(outcome.ok());
  const Pose& pose = outcome->states[0].pose;
  CHECK(sim::check_limits(*scene, pose, 0)[0].limit == doctest::Approx(0.024));
  CHECK(sim::check_limits(*scene, pose, 0, true)[0].limit == doctest::Approx(0.08));
  Pose moving = pose;
  moving.rods[0].velocity.assign(moving.rods[0].s.size(), Vec3(0, 0, 1));
  CHECK(sim::check_limits(*scene, moving, 0)[0].violated);
}

TEST_CASE("checks: pull and shear of a hold, and the longest length") {
  const std::vector<Check> checks = checks_of("max_length: 70 mm");
  REQUIRE(checks.size() == 3);
  CHECK(checks[0].kind == CheckKind::Length);
  CHECK(checks[0].value == doctest::Approx(0.05 * math::kPi / 2));
  CHECK(checks[0].violated);
  // the arc sets out along y: 4 N along it, 3 N across
  const Check* pull = find(checks, CheckKind::HoldPull, "clamp");
  const Check* shear = find(checks, CheckKind::HoldShear, "clamp");
  REQUIRE(pull);
  REQUIRE(shear);
  CHECK(pull->value == doctest::Approx(4).epsilon(1e-6));
  CHECK(pull->violated);
  CHECK(shear->value == doctest::Approx(3).epsilon(1e-6));
  CHECK_FALSE(shear->violated);
}

}  // namespace filum::test_checks
