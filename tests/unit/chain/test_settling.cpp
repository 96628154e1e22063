// Equilibria with massless ropes, sheaves and planes, which are found by letting a chain settle.
#include "unit/chain/chain_rig.hpp"

#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <algorithm>
#include <cmath>

namespace filum::test_settling {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;

Scene scene_of(const std::string& text) {
  const Result<Scene> scene = parse_scene("filum: 1\n" + text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

Outcome solved(const Scene& scene) {
  const Result<Outcome> outcome = solve(scene);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  return *outcome;
}

Pose settled(const Scene& scene) {
  const Outcome outcome = solved(scene);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  // the tolerance of every equilibrium
  CHECK(outcome.solve.residual < 1e-10);
  return outcome.states.back().pose;
}

// A hook of 100 kg on two ropes that do not stretch, from (−1.5, 0, 0) and (1.5, 0, 0).
Scene hook_on_two(double left, double right) {
  Scene scene = scene_of(R"(
bodies: {hook: {box: [0.2, 0.2, 0.2], mass: 100, position: [0.3, 0.4, -1.5], motion: free}}
reeving:
  - {rope: left, through: [{point: [-1.5, 0, 0]}, {body: hook, point: [0, 0, 0]}]}
  - {rope: right, through: [{point: [1.5, 0, 0]}, {body: hook, point: [0, 0, 0]}]}
simulation: {formulation: chain}
)");
  scene.ropes[0].length = left;
  scene.ropes[1].length = right;
  return scene;
}

// Two loads on one massless rope over a sheave: half a turn.
Scene over_sheave(double left, double right, double friction) {
  Scene scene = scene_of(R"(
bodies:
  mast: {motion: fixed}
  left: {box: [0.2, 0.2, 0.2], mass: 1, position: [-0.5, 0, -3], motion: free}
  right: {box: [0.2, 0.2, 0.2], mass: 1, position: [0.5, 0, -3], motion: free}
reeving:
  - {rope: r, stiffness: 1e6, through: [{body: left, point: [0, 0, 0.1]},
      {sheave: mast, point: [0, 0, 0], radius: 0.5, axis: [0, 1, 0]}, {body: right, point: [0, 0, 0.1]}]}
simulation: {formulation: chain}
)");
  scene.bodies[1].mass = left;
  scene.bodies[2].mass = right;
  scene.ropes[0].through[1].friction = friction;
  return scene;
}

}  // namespace

TEST_CASE("a hook on two ropes hangs where their circles meet, with the tensions of the triangle") {
  for (const auto& each : {std::pair{2.5, 2.5}, std::pair{3.0, 2.0}, std::pair{2.8, 1.2}}) {
    const auto& left = std::get<0>(each);
    const auto& right = std::get<1>(each);
    CAPTURE(left);
    const Pose pose = settled(hook_on_two(left, right));
    const double x = (left * left - right * right) / 6;
    const double z = -std::sqrt(left * left - (x + 1.5) * (x + 1.5));
    // a residual of 1e-10 of the weight is 1e-10 of the length of a pendulum; lengths are kept to the square of that
    CHECK((pose.bodies[0].position - Vec3(x, 0, z)).norm() < 1e-8);
    const Vec3 to_left = Vec3(-1.5 - x, 0, -z) / left;
    const Vec3 to_right = Vec3(1.5 - x, 0, -z) / right;
    const double area = to_left[0] * to_right[2] - to_right[0] * to_left[2];
    const double weight = 100 * kGravity;
    CHECK(pose.ropes[0].tension[0] == doctest::Approx(-to_right[0] / area * weight).epsilon(1e-8));
    CHECK(pose.ropes[1].tension[0] == doctest::Approx(to_left[0] / area * weight).epsilon(1e-8));
  }
}

TEST_CASE("a rope that is too long for its hook hangs slack, the other one bears all") {
  const Pose pose = settled(hook_on_two(2, 8));
  CHECK((pose.bodies[0].position - Vec3(-1.5, 0, -2)).norm() < 1e-8);
  CHECK(pose.ropes[0].tension[0] == doctest::Approx(100 * kGravity).epsilon(1e-8));
  CHECK(pose.ropes[1].tension[0] == 0);
}

TEST_CASE("block and tackle: four parts of rope bear a quarter each") {
  const Scene scene = scene_of(R"(
bodies:
  head: {motion: fixed}
  block: {box: [0.8, 0.2, 0.2], mass: 400, position: [0.05, 0.1, -4.1], motion: free}
  counter: {box: [0.2, 0.2, 0.2], mass: 100, position: [1.3, 0, -2.9], motion: free}
reeving:
  - {rope: fall, stiffness: 1e6, through: [{point: [-0.3, 0, 0]},
      {sheave: block, point: [-0.2, 0, 0.3], radius: 0.1, axis: [0, -1, 0]},
      {sheave: head, point: [0, 0, 0], radius: 0.1, axis: [0, 1, 0]},
      {sheave: block, point: [0.2, 0, 0.3], radius: 0.1, axis: [0, -1, 0]},
      {sheave: head, point: [0.8, 0, 0], radius: 0.5, axis: [0, 1, 0]}, {body: counter, point: [0, 0, 0.1]}]}
simulation: {formulation: chain}
)");
  const Pose pose = settled(scene);
  for (const double tension : pose.ropes[0].tension) CHECK(tension == doctest::Approx(100 * kGravity).epsilon(1e-8));
  // out of balance nothing stops it
  Scene heavier = scene;
  heavier.bodies[2].mass = 130;
  const Outcome outcome = solved(heavier);
  CHECK_FALSE(outcome.solve.converged);
  CHECK(!outcome.solve.why.empty());
}

TEST_CASE("over a rope's sheave with friction anything within the capstan's bounds is an equilibrium") {
  const double most = std::exp(0.1 * std::numbers::pi);
  for (const double ratio : {1.0, 0.97 * most, 1.03 / most}) {
    CAPTURE(ratio);
    const Pose pose = settled(over_sheave(100, 100 * ratio, 0.1));
    CHECK(pose.ropes[0].tension[0] == doctest::Approx(100 * kGravity).epsilon(1e-8));
    CHECK(pose.ropes[0].tension[1] == doctest::Approx(100 * kGravity * ratio).epsilon(1e-8));
    // it has not run: the rope stretches by 3 m · 1 kN / (6.57 m · 1 MN/m) and hardly slips while it does
    CHECK(std::abs(pose.bodies[1].position[2] + 3) < 3e-3);
  }
  CHECK_FALSE(solved(over_sheave(100, 104 * most, 0.1)).solve.converged);
}

TEST_CASE("a rod over a sheave with friction holds a counterweight within the capstan's bounds") {
  const Section rope = wire(1e11, 0.01, 7850, 0.1);
  const double ratio = 0.97 * std::exp(0.1 * std::numbers::pi);
  const Scene scene = loads_over_wheel(rope, 1000, 1000 * ratio, 0.1);
  const Pose pose = settled(scene);
  CHECK(pose.holds[0].force.norm() == doctest::Approx(1000 * kGravity).epsilon(1e-8));
  CHECK(pose.holds[1].force.norm() == doctest::Approx(1000 * ratio * kGravity).epsilon(1e-8));
  // 6 m of rope under 1 kg each: 7.6 mm of stretch a side
  CHECK(std::abs(pose.bodies[0].position[2] + 6) < 0.02);
}

TEST_CASE("a load stands on the floor with its rope slack; what the floor and the top bear is the weight") {
  Scene scene = scene_of(R"(
sections: {r: {shape: given, EA: 1e6, EI: [1, 1], GJ: 1, mass_per_length: 0.4, radius: 5 mm}}
rods: {rope: {section: r, length: 5, segments: 20, shape: {spline: [[0, 0, 4], [0.4, 0, 1.2], [0.8, 0, 0.8], [2, 0, 1.5]]}}}
bodies: {load: {box: [1, 1, 1], mass: 500, position: [2, 0, 0.52], motion: free}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.3}]
holds:
  - {name: top, rod: rope, at: start, fix: [position]}
  - {name: hook, rod: rope, at: end, fix: [position], body: load, position: [2, 0, 1.02]}
simulation: {formulation: chain}
)");
  const Pose pose = settled(scene);
  // the rope hangs between the two: together they bear its weight, each with the same pull to the side, but for 1e-10
  // of the load's weight that an element may be out of balance by
  const Vec3 top = pose.holds[0].force;
  const Vec3 hook = pose.holds[1].force;
  CHECK(top[2] + hook[2] == doctest::Approx(5 * 0.4 * kGravity).epsilon(1e-6));
  CHECK(top[0] + hook[0] == doctest::Approx(0).epsilon(1e-5).scale(1));
  CHECK(std::abs(top[0]) > 0.1);
  // it stands upright, sunk in by g h²/100 and a little
  CHECK(pose.bodies[0].position[2] == doctest::Approx(0.5).epsilon(1e-4));
  CHECK(pose.bodies[0].orientation.angularDistance(Quat::Identity()) < 1e-4);
}

TEST_CASE("a rope that is let down onto a smooth floor comes to rest, in more steps than Newton's method is given") {
  Scene scene = scene_of(R"(
sections: {r: {shape: given, EA: 1e6, EI: [0.5, 0.5], GJ: 0.5, mass_per_length: 0.4, radius: 5 mm}}
rods: {rope: {section: r, length: 6, segments: 30, shape: {spline: [[0, 0, 2], [0.3, 0, 0.4], [1.5, 0, 0.1], [3.4, 0.6, 0.2], [4.2, 0.8, 0.4]]}}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
holds: [{name: top, rod: rope, at: start, fix: [position]}]
simulation: {formulation: chain}
)");
  const Outcome outcome = solved(scene);
  CHECK(outcome.solve.converged);
  CHECK(outcome.solve.iterations > 1200);
  CHECK_FALSE(outcome.solve.stopped);
}

TEST_CASE("what nothing holds has no equilibrium, and says so") {
  Scene scene = hook_on_two(2.5, 2.5);
  Body loose = scene.bodies[0];
  loose.name = "loose";
  loose.position = {5, 0, 0};
  scene.bodies.push_back(loose);
  const Outcome outcome = solved(scene);
  CHECK_FALSE(outcome.solve.converged);
  CHECK(outcome.solve.why.find("nothing holds") != std::string::npos);
}

TEST_CASE("a crane that starts in equilibrium hangs still") {
  Scene scene = scene_of(R"(
materials: {rope steel: {young: 1.0e11, poisson: 0.3, density: 7850}}
sections: {sling: {shape: circle, radius: 5 mm}}
rods: {sling: {material: rope steel, section: sling, segments: 12, shape: {line: [[0.3, 0.1, -4.15], [0, 0, -6.1]]}, length: 2}}
bodies:
  trolley: {box: [1.2, 0.8, 0.3], position: [0, 0, 0], motion: driven}
  hook: {box: [0.5, 0.2, 0.3], mass: 60, position: [0.3, 0.1, -4], motion: free}
  load: {box: [1.0, 1.0, 0.8], mass: 2000, position: [0, 0, -6.5], motion: free}
reeving:
  - {rope: left, stiffness: 1e7, length: 8.015, breaking_tension: 8 kN, through: [{body: trolley, point: [-0.4, 0, -0.15]}, {sheave: hook, point: [-0.2, 0, 0], radius: 0.1}, {body: trolley, point: [-0.1, 0, -0.15]}]}
  - {rope: right, stiffness: 1e7, length: 8.015, breaking_tension: 8 kN, through: [{body: trolley, point: [0.1, 0, -0.15]}, {sheave: hook, point: [0.2, 0, 0], radius: 0.1}, {body: trolley, point: [0.4, 0, -0.15]}]}
holds:
  - {name: eye, rod: sling, at: start, fix: [position], body: hook}
  - {name: shackle, rod: sling, at: end, fix: [position], body: load}
simulation: {formulation: chain, mode: dynamics, step: 1/60, end: 10, start: equilibrium}
)");
  Result<Session> session = Session::begin(scene);
  REQUIRE_MESSAGE(session.ok(), (session.ok() ? "" : session.error().text()));
  const Pose start = session->pose();
  // two ropes, four parts, the weight of hook, sling and load; the parts lean a little
  const double weight = kGravity * (2060 + 2 * 7850 * std::numbers::pi * 25e-6);
  CHECK(start.ropes[0].tension[0] + start.ropes[1].tension[0] == doctest::Approx(weight / 2).epsilon(1e-3));
  double most = 0;
  for (int k = 0; k < 600; ++k) {
    REQUIRE(session->step());
    for (const BodyPose& body : session->pose().bodies) most = std::max(most, body.velocity.norm());
  }
  const Pose end = session->pose();
  // 1e-10 of the weight out of balance: nanometres in ten seconds
  CHECK(most < 1e-8);
  CHECK((end.bodies[2].position - start.bodies[2].position).norm() < 1e-8);
  CHECK_FALSE(end.ropes[0].broken);
}

}  // namespace filum::test_settling
