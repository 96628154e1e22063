// Laid ropes as splines, against closed forms: held, a pull makes a torque; free, it makes them turn; in motion nothing is
// lost, and a curved rope rests as in kirchhoff.
#include "unit/spline/spline_rig.hpp"

#include <filum/run.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

using namespace filum;

namespace test_spline_lay {
namespace {

// A rope of 2 m straight down, 8 mm thick.
constexpr double kEA = 2e6;
constexpr double kGJ = 4.0;
constexpr double kThick = 8e-3;
constexpr double kLength = 2;
constexpr double kPerLength = 0.25;

Scene rope(double torque_factor, int segments, const std::string& rest,
           const std::string& shape = "[0, 0, 0], [0, 0, -2]", const std::string& more = "") {
  const Result<Scene> scene = parse_scene(
      "filum: 1\nsections: {rope: {shape: given, EA: 2e6, EI: [0.5, 0.5], GJ: 4, mass_per_length: 0.25, radius: 4 "
      "mm}}\n"
      "rods: {a: {section: rope, segments: " +
          std::to_string(segments) + ", lay: {torque_factor: " + std::to_string(torque_factor) + "}, shape: {line: [" +
          shape + "]}" + more + "}}\n" + rest,
      "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return test::in_spline(*scene);
}

const std::string kHook = R"(bodies: {hook: {mass: 200, box: [0.2, 0.2, 0.4], position: [0, 0, -2.2], motion: free}}
holds:
  - {name: top, rod: a, at: start, fix: [position, orientation]}
  - {name: hook, rod: a, at: end, fix: [position, orientation], body: hook}
)";
const std::string kHeld = R"(holds:
  - {name: top, rod: a, at: start, fix: [position, orientation]}
  - {name: hook, rod: a, at: end, fix: [orientation]}
forces: [{rod: a, at: end, force: [0, 0, -3000]}]
)";

double coupling(double torque_factor) {
  return torque_factor * kThick * kEA;
}
double free_stiffness(double torque_factor) {
  return kEA - coupling(torque_factor) * coupling(torque_factor) / kGJ;
}

}  // namespace

TEST_CASE(
    "spline: a laid rope that is held from turning twists its hold by torque factor times diameter times tension") {
  for (const double k : {0.08, -0.05})
    for (const int segments : {1, 2, 7, 20}) {
      CAPTURE(k);
      CAPTURE(segments);
      const Outcome outcome = test::solved(rope(k, segments, kHeld));
      REQUIRE(outcome.solve.converged);
      const Pose& pose = test::last(outcome);
      const double tension = 3000 + kPerLength * kLength / 2 * 9.81;
      CHECK(std::abs(pose.holds[1].moment.z()) == doctest::Approx(std::abs(k) * kThick * tension).epsilon(1e-6));
      CHECK(pose.rods[0].length - kLength == doctest::Approx(tension / kEA * kLength).epsilon(1e-6));
      // what is shown along it
      for (const Vec3& moment : pose.rods[0].moment)
        CHECK(std::abs(moment.z()) == doctest::Approx(std::abs(k) * kThick * tension).epsilon(1e-6));
      // without weight the tension is even
      Scene weightless = rope(k, segments, kHeld);
      weightless.gravity.setZero();
      const Outcome light = test::solved(weightless);
      for (const double force : test::last(light).rods[0].axial_force)
        CHECK(force == doctest::Approx(3000).epsilon(1e-9));
    }
}

TEST_CASE("spline: a free hook turns until the laid rope has no torque, and the rope is softer") {
  for (const double k : {0.08, 0.02, -0.08, 0.17})
    for (const int segments : {1, 7, 20}) {
      CAPTURE(k);
      CAPTURE(segments);
      const Outcome outcome = test::solved(rope(k, segments, kHook));
      REQUIRE(outcome.solve.converged);
      // C² < EA GJ, and the inertia of the matrix says so
      CHECK(outcome.solve.stable == true);
      const Pose& pose = test::last(outcome);
      const double stretch = (200 + kPerLength * kLength / 2) * 9.81 / free_stiffness(k);
      CHECK(pose.rods[0].turns * 2 * std::numbers::pi ==
            doctest::Approx(-coupling(k) / kGJ * stretch * kLength).epsilon(1e-6));
      CHECK(pose.rods[0].length - kLength == doctest::Approx(stretch * kLength).epsilon(1e-6));
    }
}

TEST_CASE("spline: a hook let go on a laid rope spins up about twice as far as at rest, and the ledger closes") {
  const auto result =
      run(rope(0.08, 7, kHook + "simulation: {mode: dynamics, step: 1/240, end: 1, start: as-shaped}\n"));
  REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : result.error().text()));
  REQUIRE(result->run);
  CHECK(result->run->completed);
  double least = 0;
  for (const HistoryRow& row : result->history) least = std::min(least, row.turns[0]);
  CHECK(least < -0.01);
  // Newton's tolerance; without the pull of twist on length 1e-2 of it would be missing
  CHECK(result->run->max_energy_error < 1e-6 * result->run->energy_scale);
}

TEST_CASE("spline: a laid rope that sags, twists and turns rests as in kirchhoff") {
  const std::string ends = R"(holds:
  - {name: left, rod: a, at: start, fix: [position, orientation]}
  - {name: right, rod: a, at: end, fix: [position, orientation]}
forces: [{rod: a, at: middle, force: [20, 80, -300]}]
)";
  const std::string shape = "[0, 0, 0], [1.98, 0, 0]";
  const Outcome spline = test::solved(rope(0.15, 40, ends, shape, ", length: 2"));
  Scene other = rope(0.15, 400, ends, shape, ", length: 2");
  other.simulation.formulation = "kirchhoff";
  const Outcome discrete = test::solved(other);
  REQUIRE(spline.solve.converged);
  REQUIRE(discrete.solve.converged);
  const HoldPose& a = test::last(spline).holds[1];
  const HoldPose& b = test::last(discrete).holds[1];
  CHECK((a.force - b.force).norm() < 2e-3 * b.force.norm());
  // about the rope's own axis, where its lay acts
  CHECK(a.moment.x() == doctest::Approx(b.moment.x()).epsilon(5e-3));
  CHECK(std::abs(b.moment.x()) > 0.5);
}

}  // namespace test_spline_lay
