// Joints between bodies against closed forms: pendulums, motors, brakes, stops, a trolley with its load.
#include "unit/chain/chain_rig.hpp"

#include <algorithm>
#include <cmath>

namespace filum::test_body_joints {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;

Body block(const std::string& name, double mass, const Vec3& box, const Vec3& position) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.box = box;
  body.position = position;
  body.motion = BodyMotion::Free;
  return body;
}

BodyJoint joint(JointKind kind, const std::string& body, const Vec3& point, const Vec3& axis) {
  BodyJoint made;
  made.name = "joint";
  made.kind = kind;
  made.body = body;
  made.point = point;
  made.axis = axis;
  return made;
}

Scene machine(std::vector<Body> bodies, std::vector<BodyJoint> joints) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.simulation.formulation = "chain";
  scene.bodies = std::move(bodies);
  scene.joints = std::move(joints);
  return scene;
}

// A bar of 2 m hinged at its upper end, drawn at an angle from hanging.
Scene bar(double angle) {
  Body body = block("bar", 10, Vec3(0.1, 0.1, 2), Vec3(std::sin(angle), 0, -std::cos(angle)));
  body.orientation = Quat(Eigen::AngleAxisd(-angle, Vec3::UnitY()));
  return machine({body}, {joint(JointKind::Hinge, "bar", Vec3::Zero(), Vec3::UnitY())});
}

// About its hinge.
double bar_inertia() {
  return 10 * (4 + 0.01) / 12 + 10;
}

// A wheel on a vertical axis, which gravity leaves alone.
Scene flywheel(double max_torque, double spin) {
  Body body = block("wheel", 12, Vec3(1, 1, 0.2), Vec3::Zero());
  Scene scene = machine({body}, {joint(JointKind::Hinge, "wheel", Vec3::Zero(), Vec3::UnitZ())});
  scene.joints[0].max_torque = max_torque;
  scene.joints[0].spin = spin;
  return scene;
}
constexpr double kWheelInertia = 2;  // 12 (1 + 1)/12

// Time between the first and the last crossing of zero, over half of the swings between them.
double period_of(ChainRig& rig, int steps, double& largest) {
  double before = 0;
  double first = -1;
  double last = 0;
  int crossings = 0;
  for (int i = 0; i <= steps; ++i) {
    const double x = rig.pose().bodies[0].position[0];
    largest = i > steps * 3 / 4 ? std::max(largest, std::abs(x)) : 0;
    if (i > 0 && before * x < 0) {
      last = (i - x / (x - before)) * kFrame;
      if (first < 0) first = last;
      ++crossings;
    }
    before = x;
    REQUIRE(rig.step());
  }
  return 2 * (last - first) / (crossings - 1);
}

}  // namespace

TEST_CASE("a bar on a hinge swings with the period of the physical pendulum and keeps its amplitude") {
  const double angle = 1;
  ChainRig rig(bar(angle));
  double largest = 0;
  const double period = period_of(rig, 1800, largest);
  const double small = 2 * std::numbers::pi * std::sqrt(bar_inertia() / (10 * kGravity));
  CHECK(period ==
        doctest::Approx(small * 2 / std::numbers::pi * std::comp_ellint_1(std::sin(angle / 2))).epsilon(2e-3));
  CHECK(largest == doctest::Approx(std::sin(angle)).epsilon(0.01));
  const Energy energy = rig.pose().energy;
  CHECK(energy.work == doctest::Approx(0));
}

TEST_CASE("a motor spins up with its torque, holds its spin, and its work is the energy that it gave") {
  ChainRig rig(flywheel(4, 3));
  REQUIRE(rig.run(60));
  CHECK(rig.pose().bodies[0].spin[2] == doctest::Approx(4 / kWheelInertia).epsilon(1e-6));
  REQUIRE(rig.run(60));
  CHECK(rig.pose().bodies[0].spin[2] == doctest::Approx(3).epsilon(1e-9));
  CHECK(rig.pose().energy.work == doctest::Approx(0.5 * kWheelInertia * 9).epsilon(0.02));
}

TEST_CASE("a brake stops a wheel after its angular momentum over its torque, and all becomes heat") {
  Scene scene = flywheel(4, 0);
  scene.bodies[0].spin = {0, 0, 5};
  ChainRig rig(scene);
  const double stops = kWheelInertia * 5 / 4;
  REQUIRE(rig.run(static_cast<int>(stops / kFrame) - 2));
  CHECK(rig.pose().bodies[0].spin[2] > 0);
  REQUIRE(rig.run(5));
  CHECK(std::abs(rig.pose().bodies[0].spin[2]) < 1e-9);
  CHECK(rig.pose().energy.dissipated == doctest::Approx(0.5 * kWheelInertia * 25).epsilon(1e-3));
}

TEST_CASE("a hinge stops at its end without bouncing, and says so") {
  Scene scene = bar(1.2);
  // drawn at zero; hanging would be at 1.2 about +y
  scene.joints[0].max_angle = 0.5;
  ChainRig rig(scene);
  REQUIRE(rig.run(240));
  const Vec3 place = rig.pose().bodies[0].position;
  CHECK(std::atan2(place[0], -place[2]) == doctest::Approx(0.7).epsilon(1e-3));
  CHECK(rig.pose().bodies[0].velocity.norm() < 1e-6);
  const std::vector<Event> events = rig.model().events(rig.state());
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == EventKind::JointStopped);
  CHECK(events[0].object == ObjectRef{ObjectKind::Joint, "joint"});
  CHECK(events[0].value == doctest::Approx(0.5).epsilon(1e-3));
}

TEST_CASE("a motor holds a boom with just its moment, and lets it sink with less") {
  // 10 kg, 1 m from the hinge, level
  Scene scene = bar(std::numbers::pi / 2);
  scene.joints[0].max_torque = 1.02 * 10 * kGravity;
  ChainRig holds(scene);
  REQUIRE(holds.run(120));
  CHECK(std::abs(holds.pose().bodies[0].position[2]) < 1e-6);
  scene.joints[0].max_torque = 0.9 * 10 * kGravity;
  ChainRig sinks(scene);
  REQUIRE(sinks.run(30));
  // a tenth of the moment turns it; the arm has hardly changed
  const double fall = 0.5 * 0.1 * 10 * kGravity / bar_inertia() * 0.25;
  CHECK(-sinks.pose().bodies[0].position[2] == doctest::Approx(fall).epsilon(0.1));
}

TEST_CASE("a trolley on its rail is driven by a force; its load swings, their centre of mass does not know") {
  Body trolley = block("trolley", 500, Vec3(1, 1, 0.4), Vec3::Zero());
  Body load = block("load", 2000, Vec3(0.6, 0.6, 0.6), Vec3(0, 0, -8));
  Scene scene = machine({trolley, load}, {joint(JointKind::Slider, "trolley", Vec3::Zero(), Vec3::UnitX())});
  scene.joints[0].force = 1000;
  Rope rope;
  rope.name = "rope";
  rope.stiffness = 1e7;
  rope.through = {{"trolley", Vec3::Zero(), 0, {}, 0}, {"load", Vec3::Zero(), 0, {}, 0}};
  scene.ropes = {rope};
  ChainRig rig(scene);
  REQUIRE(rig.run(180));
  const Pose pose = rig.pose();
  const double centre = (500 * pose.bodies[0].position[0] + 2000 * pose.bodies[1].position[0]) / 2500;
  CHECK(centre == doctest::Approx(0.5 * 1000.0 / 2500 * 9).epsilon(0.01));
  CHECK(std::abs(pose.bodies[0].position[2]) < 1e-9);
  CHECK(pose.bodies[0].orientation.angularDistance(Quat::Identity()) < 1e-9);
  CHECK(pose.energy.work == doctest::Approx(1000 * pose.bodies[0].position[0]).epsilon(1e-9));
}

TEST_CASE("a trolley rolls down an inclined rail as g sin α, to the end of its travel") {
  const double slope = 0.2;
  const Vec3 rail(std::cos(slope), 0, -std::sin(slope));
  Scene scene = machine({block("trolley", 500, Vec3(1, 1, 0.4), Vec3::Zero())},
                        {joint(JointKind::Slider, "trolley", Vec3::Zero(), rail)});
  scene.joints[0].max_travel = 3;
  ChainRig rig(scene);
  REQUIRE(rig.run(60));
  CHECK(rig.pose().bodies[0].position.dot(rail) == doctest::Approx(0.5 * kGravity * std::sin(slope)).epsilon(0.02));
  REQUIRE(rig.run(240));
  CHECK(rig.pose().bodies[0].position.dot(rail) == doctest::Approx(3).epsilon(1e-6));
}

TEST_CASE("a load on a ball joint goes round as a conical pendulum, its tilt as far as the joint allows") {
  // the centre 2 m below; ω² = g/(L cos θ) of a point mass
  const double tilt = 0.4;
  Body body = block("load", 10, Vec3::Zero(), Vec3(2 * std::sin(tilt), 0, -2 * std::cos(tilt)));
  body.inertia = Vec3::Constant(1e-6);
  const double rate = std::sqrt(kGravity / (2 * std::cos(tilt)));
  body.velocity = Vec3(0, rate * 2 * std::sin(tilt), 0);
  body.spin = Vec3(0, 0, rate);
  Scene scene = machine({body}, {joint(JointKind::Ball, "load", Vec3::Zero(), Vec3::UnitZ())});
  ChainRig rig(scene);
  REQUIRE(rig.run(600));
  const Vec3 place = rig.pose().bodies[0].position;
  CHECK(place.norm() == doctest::Approx(2).epsilon(1e-3));
  CHECK(-place[2] == doctest::Approx(2 * std::cos(tilt)).epsilon(0.01));
  // pushed aside it goes no further than its cone
  scene.bodies[0].position = Vec3(0, 0, -2);
  scene.bodies[0].velocity = Vec3(3, 0, 0);
  scene.bodies[0].spin = Vec3(0, -1.5, 0);
  scene.joints[0].max_angle = 0.3;
  ChainRig bounded(scene);
  double most = 0;
  for (int i = 0; i < 120; ++i) {
    REQUIRE(bounded.step());
    const Vec3 at = bounded.pose().bodies[0].position;
    most = std::max(most, std::atan2(std::hypot(at[0], at[1]), -at[2]));
  }
  CHECK(most == doctest::Approx(0.3).epsilon(0.01));
}

TEST_CASE("two bodies fixed to each other swing as the one that they are") {
  Scene whole = bar(0.8);
  Scene halves = whole;
  halves.bodies.clear();
  for (const double along : {0.5, 1.5}) {
    Body half =
        block(along < 1 ? "upper" : "lower", 5, Vec3(0.1, 0.1, 1), along * Vec3(std::sin(0.8), 0, -std::cos(0.8)));
    half.orientation = whole.bodies[0].orientation;
    halves.bodies.push_back(half);
  }
  halves.joints[0].body = "upper";
  BodyJoint weld = joint(JointKind::Fixed, "lower", whole.bodies[0].position, Vec3::UnitZ());
  weld.name = "weld";
  weld.to = "upper";
  halves.joints.push_back(weld);
  ChainRig one(whole);
  ChainRig two(halves);
  for (int i = 0; i < 300; ++i) {
    REQUIRE(one.step());
    REQUIRE(two.step());
    const Vec3 middle = 0.5 * (two.pose().bodies[0].position + two.pose().bodies[1].position);
    REQUIRE((middle - one.pose().bodies[0].position).norm() < 0.01);
  }
}

TEST_CASE("a lever at rest: the free arm carries its load by the ratio of the arms") {
  // a beam on a hinge at a third of its length, a rope from its short end to the ground, a load at its long end
  Body beam = block("beam", 30, Vec3(3, 0.1, 0.1), Vec3(0.5, 0, 0));
  Scene scene = machine({beam}, {joint(JointKind::Hinge, "beam", Vec3::Zero(), Vec3::UnitY())});
  Body load = block("load", 100, Vec3(0.2, 0.2, 0.2), Vec3(2, 0, -1));
  scene.bodies.push_back(load);
  Rope down;
  down.name = "down";
  down.stiffness = 1e6;
  down.through = {{"beam", Vec3(-1.5, 0, 0), 0, {}, 0}, {"", Vec3(-1, 0, -2), 0, {}, 0}};
  Rope hook;
  hook.name = "hook";
  hook.stiffness = 1e6;
  hook.through = {{"beam", Vec3(1.5, 0, 0), 0, {}, 0}, {"load", Vec3::Zero(), 0, {}, 0}};
  scene.ropes = {down, hook};
  ChainRig rig(scene);
  const SolveReport report = rig.solve();
  REQUIRE(report.converged);
  const Pose pose = rig.pose();
  CHECK(pose.ropes[1].tension[0] == doctest::Approx(100 * kGravity).epsilon(1e-6));
  CHECK(pose.ropes[0].tension[0] == doctest::Approx((100 * 2 + 30 * 0.5) * kGravity).epsilon(2e-3));
}

}  // namespace filum::test_body_joints
