// A step that keeps energy is assembled several edges and joints side by side: the same bits in two lanes, in four and in eight,
// and an exact tangent, for rods of any length with anything in their way.
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/implicit_step.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "math/lanes.hpp"
#include "sim/drivers.hpp"
#include "unit/newton_rig.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace filum::test_step_lanes {

using namespace filum::discrete;

namespace {

// Longer and shorter than a stretch that is assembled in one go, with holds, seams and ends at any place in it.
std::vector<std::string> scenes() {
  std::vector<std::string> all;
  for (const int segments : {1, 2, 3, 5, 16, 17, 37})
    all.push_back("rods: {a: {material: rubber, section: band, segments: " + std::to_string(segments) + R"(,
  shape: {line: [[0,0,0],[0.4,0.1,0]]}, damping: {rayleigh: [1, 1e-3], air: 0.1}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
)");
  all.push_back(R"(
rods: {a: {material: rubber, section: band, segments: 41, shape: {line: [[0,0,0],[0.5,0,0]]}}}
holds: [{rod: a, at: end, fix: [position, orientation]}, {rod: a, at: 45 %, fix: [orientation]}, {rod: a, at: 0.31, fix: [position], slide: true}]
)");
  all.push_back(R"(
rods: {a: {material: rubber, section: band, segments: 35, closed: true, twist: 3, shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 1 turn}}}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: 30 %, fix: [orientation]}]
)");
  all.push_back(R"(
rods:
  a: {material: rubber, section: hose, segments: 18, shape: {line: [[0,0,0],[0.3,0,0]]}}
  b: {material: rubber, section: band, segments: 21, shape: {line: [[0.31,0.02,0],[0.5,0.2,0]]}}
  c: {material: rubber, section: band, segments: 24, shape: {line: [[0.2,-0.2,0],[0.4,-0.2,0.1]]}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
junctions: [{rods: [{rod: a, at: end}, {rod: b, at: start}, {rod: c, at: middle}]}]
)");
  // shot through a ring and a guide
  all.push_back(R"(
rods: {a: {material: rubber, section: hose, segments: 41, velocity: [4, 0.5, 0.3], shape: {line: [[0,0,0],[0.5,0,0]]}}}
holds: [{rod: a, at: 0.31, fix: [position], slide: true}, {rod: a, at: 0.42, fix: [position, orientation], slide: true}]
)");
  // cross-sections with inertia about all their axes
  all.push_back(R"(
rods: {a: {material: rubber, section: band, segments: 23, shape: {line: [[0,0,0],[0.5,0,0]]}}}
holds: [{rod: a, at: end, fix: [position, orientation]}]
simulation: {mode: dynamics, rotary_inertia: true, step: 1 ms, end: 1}
)");
  // laid ropes
  all.push_back(R"(
rods: {a: {material: rubber, section: hose, segments: 37, lay: {torque_factor: 0.15}, shape: {line: [[0,0,0],[0.5,0,0]]}}}
holds: [{rod: a, at: end, fix: [position, orientation]}, {rod: a, at: 45 %, fix: [orientation]}]
)");
  return all;
}

// A wire that its own weight bends for good, and stretches near its hold.
Scene yielding_scene() {
  const Result<Scene> scene = parse_scene(R"(filum: 1
materials: {dough: {young: 5e6, poisson: 0.45, density: 1100, yield: 2 kPa, hardening: 1 MPa}}
sections: {strand: {shape: circle, radius: 5 mm}}
rods: {a: {material: dough, section: strand, segments: 19, shape: {line: [[0,0,0],[0.5,0,-0.2]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
)",
                                          "yielding");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

std::vector<Vec3> after_steps(const ModelData& model, int lanes) {
  math::use_lanes(lanes);
  const Targets targets = sim::resting_targets(*model.scene);
  RodState state = start_state(model, targets);
  const auto scheme = make_implicit_scheme(model);
  scheme->prepare(state);
  const auto stepper = scheme->stepper();
  for (int k = 0; k < 5; ++k) CHECK(stepper->step(state, targets, 0.001).usable);
  math::use_lanes(math::kMostLanes);
  return state.position;
}

}  // namespace

TEST_CASE("a step has the same bits in two lanes, in four and in eight") {
  for (const std::string& text : scenes()) {
    CAPTURE(text);
    const ModelData model = compile_model(test::scene_of(text));
    CHECK(after_steps(model, 2) == after_steps(model, 4));
    CHECK(after_steps(model, 2) == after_steps(model, 8));
  }
  const ModelData yielding = compile_model(yielding_scene());
  CHECK(after_steps(yielding, 2) == after_steps(yielding, 4));
  CHECK(after_steps(yielding, 2) == after_steps(yielding, 8));
}

TEST_CASE("the way to an equilibrium has the same bits in two lanes, in four and in eight") {
  const auto after_iterations = [](const ModelData& model, int lanes) {
    math::use_lanes(lanes);
    const Targets targets = sim::resting_targets(*model.scene);
    RodState state = start_state(model, targets);
    RodSystem system(model);
    for (int k = 0; k < 4; ++k) {
      system.evaluate(state, targets, RodSystem::Want::NewtonTangent);
      REQUIRE(system.solve(system.soft_stiffness()));
      const double rotation = system.largest_rotation(state);
      system.advance(state, rotation > 0.5 ? 0.5 / rotation : 1);
    }
    math::use_lanes(math::kMostLanes);
    return state.position;
  };
  for (const std::string& text : scenes()) {
    CAPTURE(text);
    const ModelData model = compile_model(test::scene_of(text));
    CHECK(after_iterations(model, 2) == after_iterations(model, 4));
    CHECK(after_iterations(model, 2) == after_iterations(model, 8));
  }
}

TEST_CASE("Newton's corrections shrink to their squares whatever a rod's length and holds") {
  for (const std::string& text : scenes()) {
    CAPTURE(text);
    const ModelData model = compile_model(test::scene_of(text));
    RodSystem system(model, RodSystem::Symmetry::None);
    const Targets targets = sim::resting_targets(*model.scene);
    RodState state = start_state(model, targets);
    give_past(model, state);
    Motion motion;
    size_motion(model, motion);
    set_motion(model, state, targets, 0.004, motion);
    system.set_motion(&motion);
    test::check_quadratic(system, state, targets);
  }
}

}  // namespace filum::test_step_lanes
