// `iterations: k`: a step costs what it may cost, whatever happens in it. None is halved: what it lacks is left to the
// next, and told.
#include "rod/finite_pose.hpp"
#include "unit/live_session.hpp"

#include <filum/scene_file.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <string>

namespace filum::test_bounded_cost {

namespace {

Scene scene_of(const std::string& text) {
  const Result<Scene> scene = parse_scene("filum: 1\nsimulation: {mode: dynamics, step: 1/60}\n" + text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

struct Sample {
  const char* name;
  std::string text;
};

// Each halves many of its steps without a bound.
const Sample kViolent[] = {{"a strip let go askew", R"(
materials: {al: {young: 7e10, poisson: 0.3, density: 2700}}
sections: {s: {shape: rectangle, width: 12 mm, height: 0.34 mm}}
rods: {a: {material: al, section: s, segments: 20, shape: {line: [[0, 0, 0], [0.8, 0, 0]]}, normal: [0, 0.7, 0.7]}}
holds: [{rod: a, at: start, fix: [position]}]
)"},
                           {"a rod that buckles under twist", R"(
sections: {g: {shape: given, EA: 1e5, EI: [1e-3, 1e-3], GJ: 8e-4, mass_per_length: 0.01, radius: 2 mm}}
rods: {a: {section: g, segments: 20, velocity: [1e-3, 0, 0], shape: {line: [[0,0,0],[0,0,-1]]}}}
bodies: {b: {mass: 0.02, inertia: 1e-4, motion: free, position: [0,0,-1], spin: [0,0,150]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], body: b}]
)"},
                           {"a thrown strip", R"(
materials: {al: {young: 7e10, poisson: 0.3, density: 2700}}
sections: {s: {shape: rectangle, width: 9 mm, height: 0.27 mm}}
rods: {a: {material: al, section: s, segments: 20, shape: {line: [[0, 0, 0], [0.32, -0.08, 0]]}, rest: {curvature: [0, 0.6]},
           velocity: [0, 1.9, 1.7], spin: [9.9, -5.4, -1.1]}}
)"}};

}  // namespace

TEST_CASE("with a bound on its iterations no step is halved, and what is left is told") {
  for (const Sample& sample : kViolent)
    for (const int most : {1, 2, 4}) {
      CAPTURE(std::string(sample.name));
      CAPTURE(most);
      Scene scene = scene_of(sample.text);
      scene.simulation.iterations = most;
      Session session = test::begun(scene);
      // the weight on its thread spins by 2.5 rad in a step, which is known to take five parts
      const int parts = scene.bodies.empty() ? 1 : 6;
      for (int k = 0; k < 90; ++k) {
        const long before = session.report().iterations;
        test::must(session.step());
        CHECK(session.report().iterations - before <= most * parts);
      }
      const RunReport report = session.report();
      CHECK(report.halvings == 0);
      CHECK(report.failed_steps == 0);
      CHECK(report.unconverged_steps > 0);
      CHECK(report.residual_left > 1e-8);
      CHECK(rod::is_finite(session.pose()));
    }
}

}  // namespace filum::test_bounded_cost
