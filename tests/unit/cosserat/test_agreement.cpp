// The same scenes in both formulations: the same discrete rods, so the same equilibrium to round-off.
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace filum::test_agreement {

namespace {

struct Both {
  Outcome kirchhoff;
  Outcome cosserat;
};

Both solved_both(Scene scene) {
  scene.simulation.formulation = "kirchhoff";
  Both both{test::solved(scene), {}};
  scene.simulation.formulation = "cosserat";
  both.cosserat = test::solved(scene);
  return both;
}

double largest_distance(const Pose& a, const Pose& b) {
  double largest = 0;
  for (std::size_t r = 0; r < a.rods.size(); ++r)
    for (std::size_t i = 0; i < a.rods[r].position.size(); ++i)
      largest = std::max(largest, (a.rods[r].position[i] - b.rods[r].position[i]).norm());
  return largest;
}

void check_same(const Both& both, double shape) {
  REQUIRE(both.kirchhoff.solve.converged);
  REQUIRE_MESSAGE(both.cosserat.solve.converged, both.cosserat.solve.why);
  CHECK(both.cosserat.solve.stable == both.kirchhoff.solve.stable);
  const Pose& a = test::last(both.kirchhoff);
  const Pose& b = test::last(both.cosserat);
  CHECK(largest_distance(a, b) < shape);
  double scale = 1e-9;
  for (const HoldPose& hold : a.holds) scale = std::max({scale, hold.force.norm(), hold.moment.norm()});
  for (std::size_t h = 0; h < a.holds.size(); ++h) {
    CHECK((a.holds[h].force - b.holds[h].force).norm() < 1e-6 * scale);
    CHECK((a.holds[h].moment - b.holds[h].moment).norm() < 1e-6 * scale);
  }
  CHECK(b.energy.elastic == doctest::Approx(a.energy.elastic).epsilon(1e-7));
}

}  // namespace

TEST_CASE("example scenes have the same equilibrium in both formulations") {
  // those whose place nothing leaves open
  for (const char* name : {"brake-hose", "buckled-column", "catenary", "coiled-cord", "fishing-rod", "guided-hose",
                           "ribbon", "roll-up", "steering-sweep", "wiring-harness", "wilberforce"}) {
    CAPTURE(name);
    const Result<Scene> scene = read_scene(std::string(FILUM_SOURCE_DIR) + "/scenes/" + name + ".yaml");
    REQUIRE(scene.ok());
    check_same(solved_both(*scene), 1e-7);
  }
}

TEST_CASE("a ring finds the same energy, wherever it comes to lie") {
  const Result<Scene> scene = read_scene(std::string(FILUM_SOURCE_DIR) + "/scenes/twisted-ring.yaml");
  REQUIRE(scene.ok());
  const Both both = solved_both(*scene);
  CHECK(test::last(both.cosserat).energy.elastic ==
        doctest::Approx(test::last(both.kirchhoff).energy.elastic).epsilon(1e-9));
  CHECK(test::last(both.cosserat).rods[0].turns == doctest::Approx(test::last(both.kirchhoff).rods[0].turns));
}

TEST_CASE("few segments, hinges, partial holds, stations, following forces, loops of junctions") {
  const char* scenes[] = {
      // one segment
      R"(rods: {r: {material: rubber, section: hose, segments: 1, shape: {line: [[0, 0, 0], [0.2, 0, 0]]}}}
holds: [{rod: r, at: start, fix: [position, orientation]}])",
      // two segments between pins, slack
      R"(rods: {r: {material: rubber, section: hose, length: 0.3, segments: 2, shape: {line: [[0, 0, 0], [0.2, 0, 0]]}}}
holds: [{rod: r, at: start, fix: [position]}, {rod: r, at: end, fix: [position]}])",
      // an end on rails
      R"(rods: {r: {material: rubber, section: hose, length: 0.5, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}}
holds: [{rod: r, at: start, fix: [position, orientation]}, {rod: r, at: end, fix: {position: [y, z], orientation: true}}])",
      // another section half way, held in the middle, pulled at the end
      R"(rods: {r: {material: rubber, section: hose, shape: {line: [[0, 0, 0], [0.6, 0, 0]]}, stations: [{s: 0.2, section: band}]}}
holds: [{rod: r, at: 0.25, fix: [position, orientation]}]
forces: [{rod: r, at: end, force: [0, 0.01, 0]}, {rod: r, at: 0.1, force: [0, 0, 0.02]}])",
      // a force that turns with the rod
      R"(rods: {r: {material: rubber, section: hose, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
holds: [{rod: r, at: start, fix: [position, orientation]}]
forces: [{rod: r, at: end, force: [0, 0, 0.2], follow: true}])",
      // a loop: two rods joined at both ends, one of them held
      R"(rods:
  a: {material: rubber, section: hose, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}
  b: {material: rubber, section: hose, shape: {points: [[0, 0, 0], [0.2, 0.1, 0], [0.4, 0, 0]]}}
junctions: [{rods: [{rod: a, at: start}, {rod: b, at: start}]}, {rods: [{rod: a, at: end}, {rod: b, at: end}]}]
holds: [{rod: b, at: start, fix: [position, orientation]}])",
      // a free body hung on two rods
      R"(rods:
  a: {material: rubber, section: hose, length: 0.35, shape: {line: [[0, 0, 0], [0.2, 0, -0.2]]}}
  b: {material: rubber, section: hose, length: 0.35, shape: {line: [[0.5, 0, 0], [0.3, 0, -0.2]]}}
bodies: {box: {box: [0.1, 0.05, 0.05], mass: 0.2, position: [0.25, 0, -0.2], motion: free}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: b, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position], body: box}
  - {rod: b, at: end, fix: [position, orientation], body: box})"};
  for (const std::string text : scenes) {
    CAPTURE(text);
    check_same(solved_both(test::scene_of(text)), 1e-7);
  }
}

}  // namespace filum::test_agreement
