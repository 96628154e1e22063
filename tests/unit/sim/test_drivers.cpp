// Drivers: what is asked for at a time, and the way between two sets of targets.
#include "sim/drivers.hpp"
#include "sim/limits.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

namespace filum::test_drivers {

using filum::test::last;
using filum::test::scene_of;
using filum::test::solved;

namespace {

const std::string kRod = R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 20, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1],
  limits: {min_bend_radius: 50 mm, max_tension: 1 N, max_hold_force: 0.3 N}}}
bodies: {arm: {motion: driven, position: [1, 0, 0]}}
holds: [{name: near, rod: a, at: start, fix: [position, orientation]},
        {name: far, rod: a, at: end, fix: [position, orientation], body: arm}]
forces: [{rod: a, at: middle, force: [0, 0, -1]}]
)";

}  // namespace

TEST_CASE("without drivers everything stays where the scene puts it") {
  const Scene scene = scene_of(kRod);
  const Targets targets = sim::targets_at(scene, sim::resting_targets(scene), 3);
  CHECK(targets.holds[1].position == Vec3(0.5, 0, 0));
  CHECK(targets.bodies[0].position == Vec3(1, 0, 0));
  CHECK(targets.force_scale == std::vector<double>{1});
  CHECK(targets.rod_length == std::vector<double>{0.5});
  CHECK(targets.load == 1);
  CHECK(sim::last_time(scene) == 0);
}

TEST_CASE("values are held before the first keyframe and after the last, and start from the scene's") {
  const Scene scene = scene_of(kRod + R"(
drivers:
  - {body: arm, path: [{t: 1}, {t: 2, position: [1, 0.2, 0]}, {t: 4, orientation: [0, 0, 0, 1]}]}
  - {hold: near, path: [{t: 0}, {t: 2, turns: 3}]}
  - {force: 0, path: [{t: 2, scale: 5}]}
  - {rod: a, path: [{t: 0, length: 0.4}, {t: 1, length: 0.6}]}
)");
  const Targets resting = sim::resting_targets(scene);
  auto at = [&](double t) { return sim::targets_at(scene, resting, t); };
  CHECK(at(0).bodies[0].position == Vec3(1, 0, 0));
  CHECK(at(1.5).bodies[0].position.isApprox(Vec3(1, 0.1, 0)));
  CHECK(at(9).bodies[0].position == Vec3(1, 0.2, 0));
  // half a turn about z from t = 1 to 4: a quarter at 2.5; the hold sits half a metre before the body
  const Targets quarter = at(2.5);
  CHECK(quarter.holds[1].position.isApprox(Vec3(1, -0.3, 0), 1e-12));
  CHECK((quarter.holds[1].orientation * Vec3::UnitZ()).isApprox(Vec3::UnitY(), 1e-12));
  CHECK(at(1).holds[0].turns == doctest::Approx(1.5));
  CHECK(at(7).holds[0].turns == 3);
  CHECK(at(0).force_scale[0] == 5);
  CHECK(at(0.25).rod_length[0] == doctest::Approx(0.45));
  CHECK(sim::last_time(scene) == 4);
}

TEST_CASE("on the way between two targets everything is on the way") {
  const Scene scene = scene_of(kRod + R"(
drivers:
  - {body: arm, path: [{t: 0}, {t: 1, position: [1, 0.2, 0]}]}
  - {force: 0, path: [{t: 0, scale: 2}, {t: 1, scale: 6}]}
)");
  const Targets resting = sim::resting_targets(scene);
  const Targets from = sim::targets_at(scene, resting, 0);
  const Targets to = sim::targets_at(scene, resting, 1);
  const Targets half = sim::blend(from, to, 0.5);
  CHECK(half.bodies[0].position.isApprox(Vec3(1, 0.1, 0)));
  CHECK(half.holds[1].position.isApprox(Vec3(0.5, 0.1, 0)));
  CHECK(half.force_scale[0] == doctest::Approx(4));
  CHECK(half.load == 1);
  Targets unloaded = from;
  unloaded.load = 0;
  CHECK(sim::blend(unloaded, to, 0.25).load == doctest::Approx(0.25));
}

TEST_CASE("a driven hinge ends where one posed there does: turned about its axis alone") {
  const Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 30, shape: {line: [[0,0,0],[0.45,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {name: far, rod: a, at: end, fix: {position: true, orientation: [x, z]}}]
drivers: [{hold: far, path: [{t: 0}, {t: 1, orientation: [0.6, 0, 0, 0.8]}]}]
)");
  SolveOptions options;
  options.path = 6;
  const Outcome path = solved(scene, options);
  CHECK_MESSAGE(path.solve.converged, path.solve.why);
  const Quat target = *scene.drivers[0].path[1].orientation;
  // what the section has turned beyond its target is a rotation about y
  const Quat beyond = last(path).rods[0].frame.back() * target.conjugate();
  CHECK(std::abs(beyond.x()) < 1e-9);
  CHECK(std::abs(beyond.z()) < 1e-9);
}

TEST_CASE("a path that fails says why, whatever it said before") {
  // a torque makes the scene non-conservative, which is told; then a force pulls the rod along its free axis
  const Scene scene = scene_of(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, segments: 10, shape: {line: [[0,0,0],[0.3,0,0]]}}}
holds: [{rod: a, at: start, fix: {position: [y, z], orientation: true}}]
forces: [{rod: a, at: end, force: [1, 0, 0]}]
torques: [{rod: a, at: end, torque: [0, 0.001, 0]}]
drivers: [{force: 0, path: [{t: 0, scale: 0}, {t: 1, scale: 1}]}]
)");
  SolveOptions options;
  options.path = 3;
  const Outcome path = solved(scene, options);
  CHECK_FALSE(path.solve.converged);
  CHECK(path.solve.why.find("no equilibrium") != std::string::npos);
}

TEST_CASE("limits name what they are about, how near it came and where") {
  const Scene scene = scene_of(kRod);
  const Outcome outcome = solved(scene);
  REQUIRE(outcome.checks.size() == 4);
  const RodPose& rod = last(outcome).rods[0];
  CHECK(outcome.checks[0].kind == CheckKind::BendRadius);
  CHECK(outcome.checks[0].object == ObjectRef{ObjectKind::Rod, "a"});
  CHECK(outcome.checks[0].value == rod.min_bend_radius.value);
  CHECK(outcome.checks[0].violated == (rod.min_bend_radius.value < 0.05));
  CHECK(outcome.checks[1].kind == CheckKind::Tension);
  CHECK(outcome.checks[2].object == ObjectRef{ObjectKind::Hold, "near"});
  CHECK(outcome.checks[2].value == doctest::Approx(last(outcome).holds[0].force.norm()));
  // a newton in the middle: half of it and half of the weight on either hold, over the limit of 0.3 N
  CHECK(outcome.checks[2].violated);
  CHECK(outcome.checks[3].violated);
}

TEST_CASE("of several instants the worst counts") {
  const Check mild{CheckKind::Tension, {ObjectKind::Rod, "a"}, 1, 4, 0, 0, false};
  const Check harsh{CheckKind::Tension, {ObjectKind::Rod, "a"}, 5, 4, 0.1, 2, true};
  const Check tight{CheckKind::BendRadius, {ObjectKind::Rod, "a"}, 0.02, 0.03, 0, 1, true};
  const Check wide{CheckKind::BendRadius, {ObjectKind::Rod, "a"}, 0.5, 0.03, 0, 2, false};
  const std::vector<Check> worst = sim::worst_of({{mild, tight}, {harsh, wide}});
  REQUIRE(worst.size() == 2);
  CHECK(worst[0].t == 2);
  CHECK(worst[1].t == 1);
  CHECK(sim::worst_of({}).empty());
}

}  // namespace filum::test_drivers
