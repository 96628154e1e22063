// Every form of hold: what it fixes stays fixed, what it leaves free carries no reaction, and all reactions balance.
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <numbers>

namespace filum::test_holds {

using filum::test::check_balance;
using filum::test::last;
using filum::test::scene_of;
using filum::test::solved;

namespace {

const std::string kHose =
    "rods: {a: {material: rubber, section: hose, length: 0.5, segments: 40, shape: {line: [[0,0,0],[0.45,0,0]]}, "
    "normal: [0,0,1]}}\n";

Pose equilibrium(const Scene& scene, double t = 0) {
  SolveOptions options;
  options.at = t;
  const Outcome outcome = solved(scene, options);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  check_balance(scene, last(outcome));
  return last(outcome);
}

double angle_between(const Quat& a, const Quat& b) {
  return a.angularDistance(b);
}

}  // namespace

TEST_CASE("position only: no moment") {
  const Scene scene =
      scene_of(kHose + "holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position]}]");
  const Pose pose = equilibrium(scene);
  CHECK(pose.rods[0].position.front() == Vec3(0, 0, 0));
  CHECK(pose.rods[0].position.back() == Vec3(0.45, 0, 0));
  for (const HoldPose& hold : pose.holds) CHECK(hold.moment == Vec3::Zero());
  // symmetric: each end bears half of the weight
  CHECK(pose.holds[0].force.z() == doctest::Approx(pose.holds[1].force.z()).epsilon(1e-8));
  CHECK(pose.rods[0].moment.front().norm() < 1e-12);
}

TEST_CASE("position and orientation, drawn and posed") {
  const Pose drawn = equilibrium(scene_of(kHose + "holds: [{rod: a, at: start, fix: [position, orientation]}]"));
  CHECK((drawn.rods[0].frame.front().toRotationMatrix().col(2) - Vec3::UnitX()).norm() < 1e-12);
  CHECK((drawn.rods[0].frame.front().toRotationMatrix().col(0) - Vec3::UnitZ()).norm() < 1e-12);
  // the internal moment at the clamp is what the rod does to the hold
  const Vec3 inside = drawn.rods[0].frame.front() * drawn.rods[0].moment.front();
  CHECK((inside + drawn.holds[0].moment).norm() < 1e-9 * inside.norm());

  const Scene scene = scene_of(kHose + R"(
holds:
  - {rod: a, at: start, fix: [position, orientation]}
  - {rod: a, at: end, fix: [position, orientation], position: [0.2, 0.1, -0.2],
     orientation: {tangent: [0, -1, 0], normal: [1, 0, 0]}}
)");
  const Pose posed = equilibrium(scene);
  CHECK(posed.rods[0].position.back() == Vec3(0.2, 0.1, -0.2));
  CHECK(angle_between(posed.rods[0].frame.back(), *scene.holds[1].orientation) < 1e-10);
}

TEST_CASE("orientation only: no force") {
  const Scene scene = scene_of(kHose + R"(
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [orientation]}])");
  const Pose pose = equilibrium(scene);
  CHECK(pose.holds[1].force == Vec3::Zero());
  CHECK(pose.holds[0].moment == Vec3::Zero());
  CHECK((pose.rods[0].frame.back().toRotationMatrix().col(2) - Vec3::UnitX()).norm() < 1e-10);
}

TEST_CASE("a subset of world axes") {
  const Scene scene = scene_of(kHose + R"(
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: {position: [y, z]}}])");
  const Pose pose = equilibrium(scene);
  CHECK(pose.holds[1].force.x() == 0);
  CHECK(pose.rods[0].position.back().z() == 0);
  CHECK(pose.rods[0].position.back().x() < 0.5);
}

TEST_CASE("a hinge about y turns about y alone") {
  for (const char* where : {"start", "40 %"}) {
    const Scene scene = scene_of(kHose + R"(
holds: [{rod: a, at: )" + where + R"(, fix: {position: true, orientation: [x, z]}}]
forces: [{rod: a, at: end, force: [0, 0.02, 0]}])");
    const Pose pose = equilibrium(scene);
    CHECK(pose.holds[0].moment.y() == 0);
    CHECK(pose.holds[0].moment.norm() > 1e-4);
    const std::size_t node = test::sample_at(pose.rods[0], pose.holds[0].s);
    // the held section has turned about y: its d2, drawn along −y, stays there
    const Mat3 frame = pose.rods[0].frame[node].toRotationMatrix();
    CHECK((frame.col(1) + Vec3::UnitY()).norm() < 1e-9);
  }
}

TEST_CASE("a clamp in the middle of a rod") {
  const Scene scene = scene_of(kHose + R"(
holds: [{rod: a, at: 0.2, fix: [position, orientation]}]
forces: [{rod: a, at: end, force: [0, 0.03, 0]}])");
  const Pose pose = equilibrium(scene);
  CHECK(pose.holds[0].s == doctest::Approx(0.2));
  const std::size_t node = test::sample_at(pose.rods[0], 0.2);
  CHECK(pose.rods[0].s[node] == 0.2);
  CHECK((pose.rods[0].frame[node].toRotationMatrix().col(2) - Vec3::UnitX()).norm() < 1e-10);
}

TEST_CASE("on bodies: fixed and driven, at several times") {
  const std::string text = kHose + R"(
bodies:
  frame: {box: [0.1, 0.1, 0.1], position: [-0.1, 0, 0]}
  arm: {box: [0.1, 0.1, 0.1], position: [0.5, 0, 0], motion: driven}
holds:
  - {rod: a, at: start, fix: [position, orientation], body: frame}
  - {rod: a, at: end, fix: [position, orientation], body: arm}
drivers: [{body: arm, path: [{t: 0}, {t: 2, position: [0.4, 0.1, 0], orientation: [0.8, 0, 0, 0.6]}]}]
)";
  const Scene scene = scene_of(text);
  const Quat target(0.8, 0, 0, 0.6);
  for (const double t : {0.0, 0.7, 2.0, 5.0}) {
    const Pose pose = equilibrium(scene, t);
    const double share = std::min(t / 2, 1.0);
    const Quat turn = Quat::Identity().slerp(share, target);
    const Vec3 body = Vec3(0.5, 0, 0) + share * Vec3(-0.1, 0.1, 0);
    CHECK((pose.bodies[1].position - body).norm() < 1e-14);
    // the fitting sits 5 cm before the body's middle and turns with it
    CHECK((pose.rods[0].position.back() - (body + turn * Vec3(-0.05, 0, 0))).norm() < 1e-13);
    CHECK((pose.rods[0].frame.back() * Vec3::UnitZ() - turn * Vec3::UnitX()).norm() < 1e-10);
    CHECK(pose.rods[0].position.front().norm() < 1e-15);
  }
}

TEST_CASE("a rod slides through a hold without a tangential force, smoothly across nodes") {
  double previous = -1;
  for (int k = 0; k < 12; ++k) {
    const double pull = 0.02 + 0.004 * k;
    const Scene scene = scene_of(kHose + R"(
gravity: [0, 0, 0]
holds: [{rod: a, at: start, fix: [position, orientation]}, {name: eye, rod: a, at: 0.35, fix: [position], slide: true, position: [0.3, 0, 0.02]}]
forces: [{rod: a, at: end, force: [0, 0, -)" +
                                 std::to_string(pull) + "]}]");
    const Pose pose = equilibrium(scene);
    const HoldPose& eye = pose.holds[1];
    CHECK(eye.position == Vec3(0.3, 0, 0.02));
    // the tangent there, from the neighbours: second order in the node distance of 1/40
    const std::size_t i = test::sample_at(pose.rods[0], eye.s);
    const Vec3 tangent = (pose.rods[0].position[i + 1] - pose.rods[0].position[i - 1]).normalized();
    CHECK(std::abs(eye.force.dot(tangent)) < 0.02 * eye.force.norm());
    // more load, more rod drawn out: no jumps where the eye passes a node (nodes are 12.5 mm apart)
    if (previous > 0) CHECK(std::abs(eye.s - previous) < 2e-3);
    previous = eye.s;
  }
}

TEST_CASE("a sliding hold stops at the rod's end and says so") {
  const Scene scene = scene_of(kHose + R"(
holds: [{rod: a, at: start, fix: [position]}, {name: eye, rod: a, at: 0.45, fix: [position], slide: true, position: [0.55, 0, 0]}]
)");
  const Outcome outcome = solved(scene);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  CHECK(last(outcome).holds[1].s == doctest::Approx(0.5));
  REQUIRE(outcome.events.size() == 1);
  CHECK(outcome.events[0].kind == EventKind::SliderStopped);
  CHECK(outcome.events[0].object == ObjectRef{ObjectKind::Hold, "eye"});
  CHECK(outcome.events[0].rod == "a");
  CHECK(outcome.events[0].to.kind == PlaceKind::End);
  check_balance(scene, last(outcome));
}

TEST_CASE("a slider that starts at its rod's end comes back when pulled") {
  const Scene scene = scene_of(kHose + R"(
gravity: [0, 0, -9.81]
holds: [{rod: a, at: start, fix: [position]}, {name: eye, rod: a, at: 0.499, fix: [position], slide: true, position: [0.2, 0, 0]}]
forces: [{rod: a, at: end, force: [0, 0, -2]}]
)");
  const Outcome outcome = solved(scene);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  check_balance(scene, last(outcome));
  // the load outweighs the slack, which is drawn in until the span is all but straight
  CHECK(last(outcome).holds[1].s < 0.25);
  CHECK(last(outcome).holds[1].s > 0.19);
}

}  // namespace filum::test_holds
