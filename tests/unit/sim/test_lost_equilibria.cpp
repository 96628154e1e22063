// Equilibria that one formulation alone does not find: it begins from another's, and says so. What is no number is no
// equilibrium.
#include "rod/finite_pose.hpp"
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace filum::test_lost_equilibria {

namespace {

Scene read(const std::string& text, const std::string& formulation) {
  Result<Scene> scene = parse_scene("filum: 1\n" + text + "\nsimulation: {formulation: " + formulation + "}\n", "test");
  REQUIRE_MESSAGE(scene.ok(), scene.error().text());
  return *scene;
}

// A wire bent by the turn of one clamp while the other may slide along x.
const char* const kSpan = R"(
materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}
sections: {wire: {shape: circle, radius: 0.0007387048276069879}}
rods:
  a: {material: steel, section: wire, segments: 50, normal: [0.108381141567466, 0.9940939613067455, -0.005542945606423488],
      length: 1.1937905908960902, shape: {line: [[0, 0, 0], [-0.007118055293966263, 0.8268570410294517, -0.10964207366220165]]}}
holds:
  - {rod: a, at: start, fix: [position, orientation], orientation: [-0.333982177794999, 0.7870400487282184, 0.5153005857180288, -0.05906922186595798]}
  - {rod: a, at: end, fix: {position: [y, z], orientation: true}})";

// A band closed to a ring with more than a turn of twist in it.
const char* const kRing = R"(
materials: {rubber: {young: 160061339.54307666, poisson: 0.45, density: 1200}}
sections: {band: {shape: rectangle, width: 0.011189772627825513, height: 0.002368024127045149}}
rods:
  a: {material: rubber, section: band, segments: 60, closed: true, twist: 1.269061658650793 turns,
      shape: {arc: {centre: [0, 0, 0], start: [0.23666213758286003, 0, 0], angle: 1 turn}}}
holds: [{rod: a, at: start, fix: [position, orientation]}])";

// A curved band under a force that turns with its end, 52 EI/L².
const char* const kFollower = R"(
materials: {rubber: {young: 3773422.0058788396, poisson: 0.45, density: 1200}}
sections: {band: {shape: rectangle, width: 0.010003901481387308, height: 0.0037655538078723585}}
rods:
  a: {material: rubber, section: band, segments: 50, normal: [0.16750051676085428, -0.2415302303399858, -0.9558277693793794],
      length: 0.9868724352694745, rest: {curvature: [-0.8954386170971267, 0.7871684657908518], twist_rate: 0.011331341013740493},
      shape: {line: [[0, 0, 0], [-0.011808355419551627, -0.5205660256085355, 0.42727983256504565]]}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
forces: [{rod: a, at: end, force: [0.00785944485546722, 0.004265333763164185, -2.413416813227992e-05], follow: true}])";

}  // namespace

TEST_CASE("what positions and angles lose is begun from rotations and forces, and said") {
  // the first begins with its slack laid out up to the hold along two axes: from there it is found
  for (const char* text : {kSpan, kRing}) {
    const Result<Outcome> lost = solve(read(text, "kirchhoff"));
    const Result<Outcome> found = solve(read(text, "cosserat"));
    REQUIRE(lost.ok());
    REQUIRE(found.ok());
    CHECK(lost->solve.converged);
    CHECK(lost->solve.begun_from == (text == kSpan ? "" : "cosserat"));
    CHECK(lost->solve.iterations <= 200);
    CHECK(found->solve.begun_from.empty());
    CHECK(lost->states.back().pose.energy.elastic ==
          doctest::Approx(found->states.back().pose.energy.elastic).epsilon(1e-7));
  }
}

TEST_CASE("a following force is followed along the path of its equilibria") {
  const Result<Outcome> outcome = solve(read(kFollower, "cosserat"));
  REQUIRE(outcome.ok());
  CHECK(outcome->solve.converged);
  CHECK(outcome->solve.iterations <= 200);
}

TEST_CASE("segments without length and exact folds are refused where they are drawn") {
  const auto refused = [](const std::string& rod) {
    const Result<Scene> scene = parse_scene(
        "filum: 1\nsections: {s: {shape: given, EA: 1e6, EI: [10, 4], GJ: 2, mass_per_length: 0.6}}\nrods:\n"
        "  a: {section: s, " +
            rod + "}\n",
        "test");
    return scene.ok() ? std::string() : scene.error().text();
  };
  const std::string there_and_back = "shape: {points: [[0,0,0],[1,0,0],[0,0,0]]}";
  CHECK(refused("segments: 2, " + there_and_back).find("test:4") != std::string::npos);
  CHECK(refused("segments: 2, " + there_and_back).find("folds back") != std::string::npos);
  CHECK(refused("segments: 3, " + there_and_back).find("coincide") != std::string::npos);
  const std::string circle = "shape: {arc: {centre: [0,0,0], start: [0.14,0,0], angle: 1 turn}}";
  CHECK(refused("segments: 1, " + circle).find("coincide") != std::string::npos);
  CHECK(refused("segments: 2, " + circle).find("folds back") != std::string::npos);
  CHECK(refused("segments: 2, closed: true, " + circle).find("folds back") != std::string::npos);
  CHECK(refused("segments: 3, " + circle).empty());
  CHECK(refused("segments: 3, closed: true, " + circle).empty());
}

TEST_CASE("rods of one to three segments are solved, or said not to be") {
  for (const char* formulation : {"kirchhoff", "cosserat", "spline"})
    for (const int segments : {1, 2, 3}) {
      CAPTURE(formulation);
      CAPTURE(segments);
      const Result<Outcome> outcome =
          solve(read("sections: {s: {shape: given, EA: 1e6, EI: [10, 4], GJ: 2, mass_per_length: 0.6}}\n"
                     "rods: {a: {section: s, segments: " +
                         std::to_string(segments) +
                         ", shape: {line: [[0,0,0],[1,0,0]]}}}\n"
                         "holds: [{rod: a, at: start, fix: [position, orientation]}]",
                     formulation));
      REQUIRE(outcome.ok());
      CHECK(outcome->solve.converged);
      CHECK(rod::is_finite(outcome->states.back().pose));
    }
}

TEST_CASE("a pose with one number that is none is not finite") {
  Pose pose = solve(read(kRing, "cosserat"))->states.back().pose;
  CHECK(rod::is_finite(pose));
  pose.rods[0].frame[3].x() = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(rod::is_finite(pose));
}

}  // namespace filum::test_lost_equilibria
