// Massless ropes in motion: hooks that find their place, winding, tilting.
#include "formulations/chain/mechanism/tension_stiffness.hpp"
#include "math/rotation.hpp"
#include "unit/chain/chain_rig.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace filum::test_ropes {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;
constexpr double kStiffness = 1e7;

RopePoint on_world(const Vec3& point) {
  RopePoint made;
  made.point = point;
  return made;
}
RopePoint on_load(const Vec3& point) {
  RopePoint made;
  made.body = "load";
  made.point = point;
  return made;
}

Rope rope(const std::string& name, const std::vector<RopePoint>& through) {
  Rope made;
  made.name = name;
  made.stiffness = kStiffness;
  made.through = through;
  return made;
}

// A hook block of 100 kg on one rope between two points 2 m apart, off its place by 0.3 m.
Scene hook_scene() {
  Scene scene;
  scene.bodies = {load(100, Vec3(0.3, 0, -4))};
  scene.ropes = {rope("rope", {on_world(Vec3(-1, 0, 0)), on_load(Vec3::Zero()), on_world(Vec3(1, 0, 0))})};
  return scene;
}

}  // namespace

TEST_CASE("a hook slides to the middle of its rope and hangs on equal tensions") {
  ChainRig rig(hook_scene());
  const double length = rig.pose().ropes[0].length;
  // it swings about the middle without friction
  Vec3 mean = Vec3::Zero();
  double lowest = 0;
  constexpr int kSteps = 3600;
  for (int i = 0; i < kSteps; ++i) {
    REQUIRE(rig.step());
    const Pose pose = rig.pose();
    mean += pose.bodies[0].position / kSteps;
    lowest = std::min(lowest, pose.bodies[0].position[2]);
    REQUIRE(pose.ropes[0].tension.size() == 2);
    CHECK(pose.ropes[0].tension[0] == pose.ropes[0].tension[1]);
    CHECK(pose.ropes[0].tension[0] > 0);
    // as long as it is but for its stretch, and for what turning does to a straight step: ½(ωh)² of the length
    CHECK(std::abs(pose.ropes[0].length - length) < pose.ropes[0].tension[0] / kStiffness + 1e-4);
  }
  CHECK(std::abs(mean[0]) < 0.02);
  CHECK(lowest == doctest::Approx(-std::sqrt(length * length / 4 - 1)).epsilon(1e-3));
}

TEST_CASE("winding in two parts raises the hook by half, and the work is what the hook gained") {
  Scene scene;
  scene.bodies = {load(100, Vec3(0, 0, -10))};
  scene.ropes = {rope("rope", {on_world(Vec3::Zero()), on_load(Vec3::Zero()), on_world(Vec3::Zero())})};
  ChainRig rig(scene);
  REQUIRE(rig.run(120));
  const Pose before = rig.pose();
  const double start = before.ropes[0].length;
  for (int i = 1; i <= 600; ++i) {
    rig.targets.rope_length[0] = start - 0.005 * i;
    REQUIRE(rig.step());
  }
  const Pose after = rig.pose();
  CHECK(after.bodies[0].position[2] - before.bodies[0].position[2] == doctest::Approx(1.5).epsilon(1e-3));
  CHECK(after.ropes[0].tension[0] == doctest::Approx(50 * kGravity).epsilon(1e-3));
  CHECK(after.energy.work - before.energy.work == doctest::Approx(100 * kGravity * 1.5).epsilon(5e-3));
}

TEST_CASE("ropes of their own lengths tilt the hook block") {
  Scene scene;
  scene.bodies = {load(200, Vec3(0, 0, -5))};
  scene.bodies[0].box = {1, 0.4, 0.3};
  for (const double side : {-0.5, 0.5})
    scene.ropes.push_back(rope(side < 0 ? "left" : "right", {on_world(Vec3(side, 0, 0)), on_load(Vec3(side, 0, 0))}));
  ChainRig rig(scene);
  REQUIRE(rig.run(60));
  for (int i = 1; i <= 300; ++i) {
    rig.targets.rope_length = {5, 5 - 0.3 * i / 300};
    REQUIRE(rig.step());
  }
  REQUIRE(rig.run(600));
  const Vec3 along = rig.pose().bodies[0].orientation * Vec3::UnitX();
  // about asin 0.3: the ropes no longer hang quite plumb
  CHECK(std::asin(along[2]) == doctest::Approx(std::asin(0.3)).epsilon(0.1));
}

TEST_CASE("a rope goes slack and holds again, and breaks at its limit") {
  Scene scene = hook_scene();
  scene.bodies[0].position[0] = 0;
  scene.bodies[0].velocity = Vec3(0, 0, 3);
  ChainRig thrown(scene);
  bool slack = false;
  for (int i = 0; i < 180; ++i) {
    REQUIRE(thrown.step());
    slack = slack || thrown.pose().ropes[0].tension[0] == 0;
  }
  CHECK(slack);
  CHECK(thrown.pose().bodies[0].position[2] == doctest::Approx(-4).epsilon(0.05));

  scene.ropes[0].breaking_tension = 2000;
  ChainRig broken(scene);
  REQUIRE(broken.run(180));
  CHECK(broken.pose().ropes[0].broken);
  CHECK(broken.pose().bodies[0].position[2] < -10);
}

TEST_CASE("a sheave with friction holds up to e^{μβ} and slips beyond") {
  // half a turn over a fixed sheave, a load on each side
  for (const double ratio : {1.5, 3.0}) {
    CAPTURE(ratio);
    Scene scene;
    scene.bodies = {load(100, Vec3(-0.3, 0, -4)), load(100 * ratio, Vec3(0.3, 0, -4))};
    scene.bodies[1].name = "heavy";
    Rope made = rope("rope", {on_load(Vec3::Zero()), on_world(Vec3::Zero()), on_load(Vec3::Zero())});
    made.through[2].body = "heavy";
    made.through[1].radius = 0.3;
    made.through[1].axis = Vec3::UnitY();
    made.through[1].friction = 0.25;
    scene.ropes = {made};
    ChainRig rig(scene);
    REQUIRE(rig.run(60));
    const Pose pose = rig.pose();
    const double limit = std::exp(0.25 * math::kPi);  // 2.19
    const double found = pose.ropes[0].tension[1] / pose.ropes[0].tension[0];
    if (ratio < limit) {
      CHECK(pose.bodies[1].velocity.norm() < 0.01);
      CHECK(found == doctest::Approx(ratio).epsilon(0.01));
    } else {
      CHECK(found == doctest::Approx(limit).epsilon(0.01));
      // Atwood's machine with that ratio of tensions: a = g (r − l)/(r + l)
      const double rate = kGravity * (ratio - limit) / (ratio + limit);
      CHECK(-pose.bodies[1].velocity[2] == doctest::Approx(rate * 1).epsilon(0.02));
    }
  }
}

TEST_CASE("a light hook holds a heavy load between its ropes and its sling") {
  // 60 kg and 20 t: the hook turns at 2.6 times what a step of 1/60 s follows
  const Section sling = wire(1e11, 0.04, 7850, 0.1);
  Scene scene = one_rod(sling, Vec3(0, 0, -4.15), Vec3(0, 0, -6.15), 12);
  scene.gravity = {0, 0, -9.81};
  scene.bodies = {load(20000, Vec3(0, 0, -6.15)), load(60, Vec3(0, 0, -4))};
  scene.bodies[1].name = "hook";
  scene.bodies[1].box = {0.5, 0.2, 0.3};
  scene.holds = {grip(0, false, "hook"), grip(1, false, "load")};
  for (const double side : {-1.0, 1.0}) {
    Rope rope;
    rope.name = side < 0 ? "left" : "right";
    rope.stiffness = 1e8;
    rope.through.resize(3);
    rope.through[0].point = {0.1 * side, 0, 0};
    rope.through[1].body = "hook";
    rope.through[1].point = {0.2 * side, 0, 0};
    rope.through[1].radius = 0.1;
    rope.through[2].point = {0.4 * side, 0, 0};
    scene.ropes.push_back(rope);
  }
  scene.bodies[0].velocity = Vec3(1, 0.5, 0);
  ChainRig rig(scene);
  double most = 0;
  for (int i = 0; i < 1800; ++i) {
    REQUIRE(rig.step());
    const Pose pose = rig.pose();
    const Energy energy = pose.energy;
    most = std::max(most, energy.kinetic);
    CHECK(pose.bodies[1].spin.norm() < 3);
  }
  // nothing moves faster than the load did
  CHECK(most < 1.05 * 0.5 * 20000 * 1.25);
}

TEST_CASE("a body gets inertia only where the step does not follow it") {
  const Vec3 inertia(2, 3, 4);
  CHECK(chain::added_inertia(inertia, 0.9 * Mat3(inertia.asDiagonal())).isZero(0));
  CHECK(chain::added_inertia(Vec3(0, 1, 1), 100 * Mat3::Identity()).isZero(0));
  // one axis beyond: there h²H and the inertia are the same afterwards, the others are as they were
  const Mat3 added = chain::added_inertia(inertia, Mat3(Vec3(50, 1, 0).asDiagonal()));
  CHECK((added - Mat3(Vec3(48, 0, 0).asDiagonal())).norm() < 1e-12);
  // askew: no ratio of h²H to the inertia is left above one
  Mat3 stiffness;
  stiffness << 40, 10, 5, 10, 30, -8, 5, -8, 1;
  const Mat3 all = Mat3(inertia.asDiagonal()) + chain::added_inertia(inertia, stiffness);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat3> ratio(stiffness, all);
  CHECK(ratio.eigenvalues().maxCoeff() <= 1 + 1e-12);
}

}  // namespace filum::test_ropes
