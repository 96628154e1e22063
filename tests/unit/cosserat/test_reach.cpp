// Ends that are too far apart, and cables of very many segments.
#include "unit/cosserat/laying_rig.hpp"

#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

namespace filum::test_reach {

TEST_CASE("ends out of reach give a straight cable and say by how much it is too short") {
  Scene scene = test::cable_scene(100);
  scene.holds[1].position = Vec3(0.3, 0.6, 0.4);
  const Result<Outcome> outcome = solve(scene);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->solve.converged);
  const double distance = Vec3(0.3, 0.6, 0.4).norm();
  const RodPose& rod = outcome->states.back().pose.rods[0];
  CHECK(rod.length == doctest::Approx(distance).epsilon(1e-3));
  // straight but for the short bends at its clamped ends
  const Vec3 along = Vec3(0.3, 0.6, 0.4).normalized();
  for (std::size_t i = 5; i + 5 < rod.position.size(); ++i)
    CHECK((rod.position[i] - rod.position[i].dot(along) * along).norm() < 0.01);
  REQUIRE(outcome->events.size() == 1);
  CHECK(outcome->events[0].kind == EventKind::TooShort);
  CHECK(outcome->events[0].object == ObjectRef{ObjectKind::Rod, "cable"});
  CHECK(outcome->events[0].from == RodPlace{PlaceKind::Hold, "a"});
  CHECK(outcome->events[0].to == RodPlace{PlaceKind::Hold, "b"});
  CHECK(outcome->events[0].value == doctest::Approx(distance - 0.5).epsilon(1e-3));
  // within reach nobody complains
  scene.holds[1].position = Vec3(0.4, 0.1, 0);
  const Result<Outcome> slack = solve(scene);
  REQUIRE(slack.ok());
  CHECK(slack->events.empty());
}

TEST_CASE("a weight on an elastic rope is no rope too short") {
  const Outcome outcome = test::solved(test::scene_of(R"(
rods: {r: {material: rubber, section: hose, shape: {line: [[0, 0, 0], [0, 0, -1]]}}}
bodies: {b: {mass: 10, inertia: 1e-3, position: [0, 0, -1], motion: free}}
holds: [{rod: r, at: start, fix: [position]}, {rod: r, at: end, fix: [position], body: b}]
simulation: {formulation: cosserat})"));
  CHECK(outcome.solve.converged);
  CHECK(outcome.events.empty());
}

TEST_CASE("a rod compressed to nothing is said to be so") {
  const Result<Scene> scene = parse_scene(R"(filum: 1
gravity: [0, 0, 0]
sections: {g: {shape: given, EA: 5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.05}}
rods: {r: {section: g, segments: 30, shape: {line: [[0, 0, 0], [0, 0, 1]]}}}
holds: [{rod: r, at: start, fix: [position, orientation]}]
forces: [{rod: r, at: end, force: [0, 0, -6]}]
simulation: {formulation: cosserat})",
                                          "test");
  REQUIRE(scene.ok());
  const Outcome outcome = test::solved(*scene);
  CHECK_FALSE(outcome.solve.converged);
}

TEST_CASE("beside a sliding hold reactions still carry the weight") {
  const Outcome outcome = test::solved(test::scene_of(R"(
rods: {r: {material: rubber, section: hose, segments: 50, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}
holds:
  - {rod: r, at: start, fix: [position, orientation]}
  - {rod: r, at: 0.5, fix: [position]}
  - {rod: r, at: 0.51, fix: [position], slide: true, position: [0.51, 0.002, 0]}
simulation: {formulation: cosserat})"));
  Vec3 sum = Vec3::Zero();
  for (const HoldPose& hold : test::last(outcome).holds) sum += hold.force;
  const double weight = 1100 * math::kPi * 25e-6 * 9.81;
  CHECK((sum - Vec3(0, 0, weight)).norm() < 1e-6 * weight);
}

TEST_CASE("one segment on a pin hangs down in a few iterations") {
  const Outcome outcome = test::solved(test::scene_of(R"(
rods: {r: {material: rubber, section: hose, segments: 1, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}
holds: [{rod: r, at: start, fix: [position]}]
simulation: {formulation: cosserat})"));
  CHECK(outcome.solve.converged);
  CHECK(outcome.solve.iterations < 40);
  CHECK(test::last(outcome).rods[0].position.back().z() < -0.99);
}

TEST_CASE("a cantilever of 100 000 segments converges") {
  Scene scene = test::cable_scene(100000, 1);
  scene.rods[0].shape.points[1] = Vec3(1, 0, 0);
  scene.holds.pop_back();
  const Result<Outcome> outcome = solve(scene);
  REQUIRE(outcome.ok());
  CHECK(outcome->solve.converged);
  // Γ = w L³/EI = 0.1·9.81/0.02 = 49.05; the drop over L of an inextensible rod with Γ = 49.05 lies between those of
  // Γ = 30 and 50, 0.8730924 and 0.9079171
  const double drop = -outcome->states.back().pose.rods[0].position.back().z();
  CHECK(drop > 0.8730924);
  CHECK(drop < 0.9079171);
}

}  // namespace filum::test_reach
