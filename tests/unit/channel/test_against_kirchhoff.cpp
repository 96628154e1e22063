// The same rod in the same walls by two ways: as a linkage in a tube, and as a Kirchhoff rod between obstacles.
#include "unit/rod_rig.hpp"

#include <filum/tube.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <numbers>

namespace filum::test_against_kirchhoff {

namespace {

constexpr double kLength = 0.5;
constexpr double kRadius = 1e-3;  // of the stock's wire
constexpr double kBending = 70e9 * std::numbers::pi / 4 * 1e-12;

std::string text(const Vec3& v) {
  char buffer[120];
  std::snprintf(buffer, sizeof buffer, "[%.12g, %.12g, %.12g]", v[0], v[1], v[2]);
  return buffer;
}

// Clamped at the origin along x, between two pairs of planes, a force at its tip.
std::string between_planes(double half, const Vec3& force) {
  std::string scene = "gravity: [0, 0, 0]\n"
                      "rods: {a: {material: metal, section: wire, segments: 100, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}}\n"
                      "holds: [{rod: a, at: start, fix: [position, orientation]}]\nobstacles:\n";
  const char* names[] = {"left", "right", "above", "below"};
  const Vec3 sides[] = {Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)};
  for (int i = 0; i < 4; ++i)
    scene += std::string("  - {name: ") + names[i] + ", plane: {point: " + text((half + kRadius) * sides[i]) +
             ", normal: " + text(-sides[i]) + "}}\n";
  return scene + "forces: [{rod: a, at: end, force: " + text(force) + "}]\n";
}

}  // namespace

TEST_CASE("a rod pushed between four walls: the tube's shape is that of kirchhoff with obstacles") {
  const double unit = kBending / (kLength * kLength);
  const double half = 0.02;
  for (const Vec3& load : {Vec3(-2, 1.5, 0.8), Vec3(-20, 3, 1), Vec3(-30, -1, 4)}) {
    const Vec3 force = unit * load;
    const Outcome outcome = test::solved(between_planes(half, force));
    const Pose& pose = test::last(outcome);
    double pressed = 0;
    for (const ContactPose& contact : pose.contacts) pressed += contact.normal_force();
    TubeProblem problem;
    problem.centreline.points = {Vec3::Zero(), Vec3(0.6, 0, 0)};
    problem.section = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
    problem.up = Vec3::UnitY();
    problem.length = kLength;
    problem.EI = kBending;
    problem.loads = {{force, {}, {}}};
    problem.links = 60;
    problem.rings = 1;
    const TubeOutcome found = search_tube(problem);
    REQUIRE(found.found);
    // kirchhoff follows the load from the straight rod: its equilibrium is one of those listed
    const Vec3 tip = pose.rods[0].position.back();
    double nearest = 1, of_it = 0;
    for (const TubeShape& shape : found.shapes) {
      const double off = (shape.positions.back() - tip).norm() / kLength;
      if (off >= nearest) continue;
      nearest = off;
      of_it = 0;
      for (const TubeContact& contact : shape.contacts) of_it += contact.normal;
    }
    MESSAGE("tip off by ", nearest, " L, walls press with ", of_it, " N, kirchhoff ", pressed, " N");
    CHECK(nearest < 1e-3);
    CHECK(of_it == doctest::Approx(pressed).epsilon(0.01).scale(force.norm()));
  }
}

}  // namespace filum::test_against_kirchhoff
