// Laid ropes against closed forms: held, a pull makes a torque; free, it makes them turn; in motion nothing is lost.
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

using namespace filum;

namespace {

// A rope of 2 m straight down, 8 mm thick, light and slack in bending; EA, GJ and weight per length known.
constexpr double kEA = 2e6;
constexpr double kGJ = 4.0;
constexpr double kThick = 8e-3;
constexpr double kLength = 2;
constexpr double kPerLength = 0.25;
std::string rope(double torque_factor, const std::string& rest, const std::string& more = "") {
  return "filum: 1\nsections: {rope: {shape: given, EA: 2e6, EI: [0.5, 0.5], GJ: 4, mass_per_length: 0.25, radius: 4 "
         "mm}}\n"
         "rods: {a: {section: rope, segments: 20, " +
         (torque_factor != 0 ? "lay: {torque_factor: " + std::to_string(torque_factor) + "}, " : std::string()) +
         "shape: {line: [[0,0,0],[0,0,-2]]}" + more + "}}\n" + rest;
}
Scene read(const std::string& text) {
  const Result<Scene> scene = parse_scene(text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}
const std::string kHook = R"(bodies: {hook: {mass: 200, box: [0.2, 0.2, 0.4], position: [0, 0, -2.2], motion: free}}
holds:
  - {name: top, rod: a, at: start, fix: [position, orientation]}
  - {name: hook, rod: a, at: end, fix: [position, orientation], body: hook}
)";
// Mean tension under a load, and the stiffness of a rope that is free to turn.
double mean_pull(double load) {
  return (load + kPerLength * kLength / 2) * 9.81;
}
double coupling(double torque_factor) {
  return torque_factor * kThick * kEA;
}
double free_stiffness(double torque_factor) {
  return kEA - coupling(torque_factor) * coupling(torque_factor) / kGJ;
}

}  // namespace

TEST_CASE("a laid rope that is held from turning pulls back with torque factor times diameter times tension") {
  for (const double k : {0.08, -0.05}) {
    CAPTURE(k);
    const Outcome outcome = test::solved(read(rope(k, R"(holds:
  - {name: top, rod: a, at: start, fix: [position, orientation]}
  - {name: hook, rod: a, at: end, fix: [orientation]}
forces: [{rod: a, at: end, force: [0, 0, -3000]}]
)")));
    REQUIRE(outcome.solve.converged);
    const Pose& pose = test::last(outcome);
    // twist is held at both ends; between them tension varies with weight: the torque is that of its mean
    const double tension = 3000 + kPerLength * kLength / 2 * 9.81;
    CHECK(std::abs(pose.holds[1].moment.z()) == doctest::Approx(std::abs(k) * kThick * tension).epsilon(1e-6));
    CHECK(pose.rods[0].length - kLength == doctest::Approx(tension / kEA * kLength).epsilon(1e-6));
  }
}

TEST_CASE("a free hook turns until the rope has no torque, and the rope is softer") {
  for (const double k : {0.08, 0.02, -0.08}) {
    CAPTURE(k);
    const Outcome outcome = test::solved(read(rope(k, kHook)));
    REQUIRE(outcome.solve.converged);
    CHECK(outcome.solve.stable == true);
    const Pose& pose = test::last(outcome);
    const double stretch = mean_pull(200) / free_stiffness(k);
    CHECK(pose.rods[0].turns * 2 * std::numbers::pi ==
          doctest::Approx(-coupling(k) / kGJ * stretch * kLength).epsilon(1e-6));
    CHECK(pose.rods[0].length - kLength == doctest::Approx(stretch * kLength).epsilon(1e-6));
  }
}

TEST_CASE("a hook let go on a laid rope spins up, and the ledger closes") {
  const auto result = run(read(rope(0.08, kHook + "simulation: {mode: dynamics, step: 1/240, end: 1}\n")));
  REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : result.error().text()));
  REQUIRE(result->run);
  CHECK(result->run->completed);
  // from the rope's own length, with all its torque: it turns about twice as far as at rest
  double least = 0;
  for (const HistoryRow& row : result->history) least = std::min(least, row.turns[0]);
  CHECK(least < -0.01);
  // Newton's tolerance; without the pull of twist on length 1e-2 of it would be missing
  CHECK(result->run->max_energy_error < 1e-6 * result->run->energy_scale);
}

TEST_CASE("what cannot be laid is refused with a reason") {
  const auto why = [](const std::string& text) {
    const Result<Scene> scene = parse_scene(text, "test");
    if (!scene) return scene.error().text();
    const Result<Outcome> outcome = solve(*scene, {});
    return outcome ? std::string() : outcome.error().text();
  };
  // √(GJ/EA)/d = 0.177
  CHECK(why(rope(0.18, kHook)).find("torque_factor must be less than 0.17") != std::string::npos);
  CHECK(why(rope(-0.18, kHook)).find("torque_factor must be less than") != std::string::npos);
  std::string thin = rope(0.08, kHook);
  thin.erase(thin.find(", radius: 4 mm"), std::string(", radius: 4 mm").size());
  CHECK(why(thin).find("give section 'rope' a 'radius'") != std::string::npos);
  CHECK(why(rope(0.18, kHook + "simulation: {formulation: spline}\n")).find("torque_factor must be less than 0.17") !=
        std::string::npos);
}

TEST_CASE("a laid rope rests in cosserat as in kirchhoff: held it twists its hold, free it turns") {
  const std::string held = R"(holds:
  - {name: top, rod: a, at: start, fix: [position, orientation]}
  - {name: hook, rod: a, at: end, fix: [orientation]}
forces: [{rod: a, at: end, force: [0, 0, -3000]}]
)";
  for (const std::string& scene : {held, kHook}) {
    const Outcome one = test::solved(read(rope(0.08, scene)));
    const Outcome other = test::solved(read(rope(0.08, scene + "simulation: {formulation: cosserat}\n")));
    const Pose& a = test::last(one);
    const Pose& b = test::last(other);
    CHECK(b.holds[0].moment.z() == doctest::Approx(a.holds[0].moment.z()).epsilon(1e-6));
    CHECK(b.rods[0].turns == doctest::Approx(a.rods[0].turns).epsilon(1e-6));
  }
}
