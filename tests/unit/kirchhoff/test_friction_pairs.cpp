// Friction by pairs of materials: which coefficient counts where two things touch, and what is told of their names.
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_friction_pairs {

namespace {

constexpr double kRubber = 1100, kEpdm = 1150;  // densities, kg/m³
constexpr double kSlope = 20 * std::numbers::pi / 180;

Outcome ran(const std::string& text) {
  const Result<Outcome> outcome = run(test::scene_of(text));
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome;
}

// Seen from a slope of 20°: what slides against μ has this speed after a second.
double speed(double friction) {
  return 9.81 * (std::sin(kSlope) - friction * std::cos(kSlope));
}

// Rods of two materials, a rod of both, a crate, all on one slope of concrete.
std::string slope(const std::string& contact) {
  return "gravity: [" + std::to_string(9.81 * std::sin(kSlope)) + ", 0, " + std::to_string(-9.81 * std::cos(kSlope)) +
         R"(]
rods:
  soft: {material: rubber, section: hose, segments: 10, shape: {line: [[0, 0, 5 mm], [0.3, 0, 5 mm]]}}
  hard: {material: metal, section: hose, segments: 10, shape: {line: [[0, 1, 5 mm], [0.3, 1, 5 mm]]}}
bodies: {crate: {box: [0.2, 0.2, 0.2], mass: 2, position: [0, 2, 0.1], motion: free, solid: true, material: wood}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.2, material: concrete}]
simulation: {mode: dynamics, step: 1/240, end: 1}
contact: )" +
         contact + "\n";
}

}  // namespace

TEST_CASE(
    "friction pairs: each material rubs on an obstacle as its pair says, in either order; others as the obstacle") {
  const Pose pose = test::last(ran(slope(R"({pairs: [{material: rubber, against: concrete, friction: 0.5},
  {material: concrete, against: wood, friction: 0.05}, {material: metal, against: wood, friction: 0.9}]})")));
  CHECK(pose.rods[0].velocity[5].norm() < 1e-9);
  CHECK(pose.rods[1].velocity[5].x() == doctest::Approx(speed(0.2)).epsilon(1e-3));
  CHECK(pose.bodies[0].velocity.x() == doctest::Approx(speed(0.05)).epsilon(1e-4));
  // and none of it without pairs
  const Pose plain = test::last(ran(slope("{}")));
  CHECK(plain.rods[0].velocity[5].x() == doctest::Approx(speed(0.2)).epsilon(1e-3));
  CHECK(plain.bodies[0].velocity.x() == doctest::Approx(speed(0.2)).epsilon(1e-4));
}

TEST_CASE("friction pairs: a rod of two materials rubs with each where it is of that") {
  // half of it rubs: friction pulls with half of μ
  const Pose pose = test::last(ran("gravity: [" + std::to_string(9.81 * std::sin(kSlope)) + ", 0, " +
                                   std::to_string(-9.81 * std::cos(kSlope)) + R"(]
rods: {a: {material: rubber, section: hose, segments: 20, damping: {rayleigh: [0, 1 ms]}, shape: {line: [[0, 0, 5 mm], [0.3, 0, 5 mm]]},
  stations: [{s: 0.15, section: hose, material: epdm}]}}
obstacles: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: concrete}]
contact: {pairs: [{material: epdm, against: concrete, friction: 0.2}]}
simulation: {mode: dynamics, step: 1/240, end: 1}
)"));
  // what of the weight the second half has, within a segment; the node between the two is of the second
  const double share = kEpdm / (kEpdm + kRubber);
  const double edge = 1.0 / 40;
  CHECK(pose.rods[0].velocity[10].x() < speed(0.2 * (share - edge)));
  CHECK(pose.rods[0].velocity[10].x() > speed(0.2 * (share + edge)));
}

TEST_CASE("friction pairs: rods on rods, and bodies on bodies") {
  const auto slid = [](const std::string& contact) {
    const Pose pose = test::last(ran(R"(
gravity: [2.5, 0, -9.5]
rods:
  rail: {material: metal, section: hose, segments: 30, shape: {line: [[-0.15, 0, 0], [0.15, 0, 0]]}, damping: {rayleigh: [30, 0]}}
  rider: {material: metal, section: wire, segments: 6, shape: {line: [[-0.075, -0.03, 6 mm], [-0.075, 0.03, 6 mm]]}, damping: {rayleigh: [30, 0]}}
holds: [{rod: rail, at: start, fix: [position, orientation]}, {rod: rail, at: end, fix: [position, orientation]}]
bodies:
  table: {box: [2, 2, 0.2], position: [0, 5, -0.1], solid: true, friction: 0.8, material: wood}
  crate: {box: [0.2, 0.2, 0.2], mass: 2, position: [0, 5, 0.1], motion: free, solid: true, friction: 0.1, material: metal}
simulation: {mode: dynamics, step: 1/240, end: 0.2}
contact: )" + contact + "\n"));
    return std::pair(pose.rods[1].position[3].x() + 0.075, pose.bodies[1].velocity.x());
  };
  const auto [rods, bodies] =
      slid(R"({rods: true, friction: 0.05, pairs: [{material: metal, against: metal, friction: 0.5},
  {material: metal, against: wood, friction: 0.1}]})");
  CHECK(std::abs(rods) < 1e-3);
  CHECK(bodies == doctest::Approx(0.2 * (2.5 - 0.1 * 9.5)).epsilon(1e-4));
  const auto [other_rods, other_bodies] = slid("{rods: true, friction: 0.05}");
  CHECK(other_rods > 0.01);
  CHECK(std::abs(other_bodies) < 1e-6);
}

TEST_CASE("friction pairs: one that stands twice is refused with its line, a name that nothing has is told") {
  const Result<Scene> twice = parse_scene(test::kStock + slope(R"(
  pairs:
    - {material: rubber, against: concrete, friction: 0.5}
    - {material: concrete, against: rubber, friction: 0.4})"),
                                          "test");
  REQUIRE_FALSE(twice.ok());
  CHECK(twice.error().text().find("the friction of 'concrete' on 'rubber' is said twice") != std::string::npos);
  const auto told = [](const std::string& contact) {
    const Result<Scene> scene = parse_scene(test::kStock + slope(contact), "test");
    REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
    std::string all;
    for (const std::string& each : warnings(*scene)) all += each + "\n";
    return all;
  };
  CHECK(told("{}").find("obstacle 'floor' is of 'concrete'") != std::string::npos);
  CHECK(told("{pairs: [{material: wood, against: concrete, friction: 1}]}").empty());
  CHECK(told("{pairs: [{material: wood, against: concret, friction: 1}]}").find("names 'concret', which nothing") !=
        std::string::npos);
}

}  // namespace filum::test_friction_pairs
