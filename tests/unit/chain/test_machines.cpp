// Ropes that are tied and untied, wound at either end, drums that are geared, bodies of any shape; what they tell.
#include "unit/chain/chain_rig.hpp"

#include <algorithm>
#include <cmath>

namespace filum::test_machines {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;
constexpr double kWrap = std::numbers::pi;

// A load on a massless rope that goes up over a fixed wheel and down to the ground, half a turn round it.
Scene over_wheel(double friction) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.simulation.formulation = "chain";
  scene.bodies = {load(100, Vec3(0.2, 0, -4))};
  Rope rope;
  rope.name = "rope";
  rope.stiffness = 1e6;
  rope.length = 8 + kWrap * 0.2 - 100 * kGravity / 1e6;
  rope.through = {{"", Vec3(-0.2, 0, -4), 0, {}, 0},
                  {"", Vec3::Zero(), 0.2, Vec3(Vec3::UnitY()), friction},
                  {"load", Vec3::Zero(), 0, {}, 0}};
  scene.ropes = {rope};
  return scene;
}

bool tells(const ChainRig& rig, EventKind kind, State& state) {
  const std::vector<Event> events = rig.model().events(state);
  return std::any_of(events.begin(), events.end(), [&](const Event& event) { return event.kind == kind; });
}

}  // namespace

TEST_CASE("a rope wound at its start is drawn over its wheel; wound at its end it is not") {
  const double friction = 0.2;
  for (const bool at_end : {false, true}) {
    Scene scene = over_wheel(friction);
    scene.ropes[0].wound = at_end ? RopeEnd::End : RopeEnd::Start;
    ChainRig rig(scene);
    REQUIRE(rig.run(60));
    for (int i = 0; i < 240; ++i) {
      rig.targets.rope_length[0] -= 0.2 * kFrame;
      REQUIRE(rig.step());
    }
    const Pose pose = rig.pose();
    const double start = pose.ropes[0].tension.front();
    const double end = pose.ropes[0].tension.back();
    CHECK(end == doctest::Approx(100 * kGravity).epsilon(0.01));
    if (at_end)
      CHECK(start < 1.1 * end);
    else
      CHECK(start == doctest::Approx(end * std::exp(friction * kWrap)).epsilon(1e-3));
    CHECK(pose.bodies[0].position[2] == doctest::Approx(-4 + 0.8).epsilon(0.01));
    // the load's rise, and what the wheel has rubbed off
    const double rise = 100 * kGravity * 0.8;
    CHECK(pose.energy.work == doctest::Approx(at_end ? rise : rise * std::exp(friction * kWrap)).epsilon(0.03));
    CHECK(pose.energy.dissipated ==
          doctest::Approx(at_end ? 0 : rise * std::expm1(friction * kWrap)).epsilon(0.05).scale(rise));
  }
}

TEST_CASE("a load falls when its rope is untied, and hangs again where it is tied") {
  Scene scene = over_wheel(0);
  ChainRig rig(scene);
  REQUIRE(rig.run(30));
  const double height = rig.pose().bodies[0].position[2];
  rig.targets.rope_tied[0] = 0;
  REQUIRE(rig.run(30));
  CHECK(tells(rig, EventKind::RopeUntied, rig.state()));
  CHECK(rig.pose().ropes[0].tension[0] == 0);
  // half a second of free fall, as the step counts it: h² g (1 + 2 + … + 30)
  const double fall = kGravity * kFrame * kFrame * 30 * 31 / 2;
  CHECK(height - rig.pose().bodies[0].position[2] == doctest::Approx(fall).epsilon(1e-3));
  rig.targets.rope_tied[0] = 1;
  REQUIRE(rig.run(600));
  CHECK(!tells(rig, EventKind::RopeUntied, rig.state()));
  CHECK(rig.pose().ropes[0].tension[0] == doctest::Approx(100 * kGravity).epsilon(0.02));
  CHECK(height - rig.pose().bodies[0].position[2] == doctest::Approx(fall).epsilon(0.02));
}

TEST_CASE("a load that is set down leaves its rope slack, and a winch tells of its stop") {
  Scene scene = pendulum(wire(1e11, 0.01, 7850, 0.1), 5, 10, 500, 0, 5 * 500 * kGravity / (1e11 * 7.85e-5));
  scene.holds.erase(scene.holds.begin());
  scene.winches = {drum()};
  scene.winches[0].longest = 6;
  ChainRig rig(scene);
  rig.targets.winch_speed[0] = 0.5;
  REQUIRE(rig.run(60));
  CHECK(!tells(rig, EventKind::WinchStopped, rig.state()));
  REQUIRE(rig.run(90));
  CHECK(tells(rig, EventKind::WinchStopped, rig.state()));
  CHECK(rig.model().events(rig.state())[0].value == doctest::Approx(6).epsilon(1e-9));
  CHECK(!tells(rig, EventKind::WentSlack, rig.state()));
  // the floor comes up to it
  Scene landed = scene;
  landed.winches[0].longest = 8;
  landed.obstacles = {floor_at(-6, 0.5)};
  ChainRig down(landed);
  down.targets.winch_speed[0] = 0.5;
  REQUIRE(down.run(240));
  CHECK(tells(down, EventKind::WentSlack, down.state()));
}

TEST_CASE("geared drums turn together, by their ratio, and stop together") {
  Scene scene = pendulum(wire(1e11, 0.01, 7850, 0.1), 5, 10, 500, 0, 5 * 500 * kGravity / (1e11 * 7.85e-5));
  scene.holds.erase(scene.holds.begin());
  scene.winches = {drum(), drum()};
  Rod other = scene.rods[0];
  other.name = "other";
  for (Vec3& point : other.shape.points) point[0] += 1;
  scene.rods.push_back(other);
  Body weight = load(200, Vec3(1, 0, scene.bodies[0].position[2]));
  weight.name = "weight";
  scene.bodies.push_back(weight);
  Hold hold = grip(1, false, "weight");
  hold.rod = "other";
  scene.holds.push_back(hold);
  scene.winches[1].name = "geared";
  scene.winches[1].rod = "other";
  scene.winches[1].geared_to = "winch";
  scene.winches[1].ratio = -0.5;
  scene.winches[1].shortest = 4;
  ChainRig rig(scene);
  REQUIRE(rig.run(30));
  rig.targets.winch_speed[0] = 0.5;
  REQUIRE(rig.run(180));
  Pose pose = rig.pose();
  CHECK(pose.winches[0].paid_out == doctest::Approx(1.5).epsilon(1e-9));
  CHECK(pose.winches[1].paid_out == doctest::Approx(-0.75).epsilon(1e-9));
  REQUIRE(rig.run(180));
  pose = rig.pose();
  CHECK(pose.winches[1].paid_out == doctest::Approx(-1).epsilon(1e-9));
  CHECK(pose.winches[0].paid_out == doctest::Approx(2).epsilon(1e-9));
  CHECK(tells(rig, EventKind::WinchStopped, rig.state()));
}

TEST_CASE("rope that lies on a wheel has to be set in motion too") {
  // two loads on a heavy rope over a wheel of a metre: a = (m1 − m2) g/(m1 + m2 + ρ L), all of L, 3.14 m on the wheel
  Section heavy = wire(1e11, 0.01, 7850, 0.01);
  heavy.mass_per_length = 5;
  Scene scene = one_rod(heavy, Vec3(-1, 0, -2), Vec3(1, 0, -2), 24);
  scene.gravity = {0, 0, -kGravity};
  for (const bool second : {false, true}) {
    Body body = load(second ? 24 : 20, Vec3(second ? 1 : -1, 0, -2));
    body.name = second ? "right" : "left";
    scene.bodies.push_back(body);
    scene.holds.push_back(grip(second ? 1 : 0, false, body.name));
  }
  scene.sheaves = {wheel(Vec3::Zero(), 1)};
  ChainRig rig(scene);
  REQUIRE(rig.run(20));
  const Pose pose = rig.pose();
  const double length = 4 + std::numbers::pi;
  // rope that has run over adds to the pull: x'' = (4 + 2 ρ x) g/(44 + ρ L)
  const double grows = std::sqrt(2 * 5 * kGravity / (44 + 5 * length));
  const double time = 20 * kFrame;
  const double speed = 4 * kGravity / (44 + 5 * length) / grows * std::sinh(grows * time);
  CHECK(-pose.bodies[1].velocity[2] == doctest::Approx(speed).epsilon(0.02));
  CHECK(pose.bodies[0].velocity[2] == doctest::Approx(speed).epsilon(0.02));
}

TEST_CASE("a slide on a turning arm is thrown outwards as energy and angular momentum say") {
  const double length = 1;
  const double rate = 2;
  const Section bar = wire(2e11, 0.05, 7850);
  Scene scene = one_rod(bar, Vec3::Zero(), Vec3(length, 0, 0), 4);
  scene.rods[0].spin = {0, 0, rate};
  scene.rods[0].velocity = {0, 0.5 * rate * length, 0};
  scene.bodies = {load(5, Vec3(length, 0, 0))};
  // axes are those of the world at the start, however the body stands
  scene.bodies[0].orientation = Quat(Eigen::AngleAxisd(0.5, Vec3::UnitZ()));
  scene.bodies[0].velocity = {0, rate * length, 0};
  scene.bodies[0].spin = {0, 0, rate};
  scene.holds = {grip(0, false), grip(1, true, "load")};
  scene.holds[1].fix.position = {false, true, true};
  ChainRig rig(scene);
  REQUIRE(rig.run(240, 1.0 / 240));

  // (I + M r²) ω is kept, and ½ (I + M r²) ω² + ½ M ṙ²
  const double side = scene.bodies[0].box[0];
  const double inertia = bar.mass_per_length * length * length / 3 + 5 * side * side / 6;
  const auto all = [&](double r) { return inertia + 5 * r * r; };
  const auto slide = rig.pose().bodies[0];
  const double r = slide.position.norm();
  const Vec3 out = slide.position / r;
  CHECK(r > 2 * length);
  CHECK(slide.velocity.dot(out) ==
        doctest::Approx(std::sqrt(rate * rate * all(length) / 5 * (1 - all(length) / all(r)))).epsilon(0.005));
  CHECK(slide.spin[2] == doctest::Approx(rate * all(length) / all(r)).epsilon(0.005));
  // it has stayed on the line of the arm
  const RodPose arm = rig.pose().rods[0];
  CHECK(arm.position.back().normalized().dot(out) == doctest::Approx(1).epsilon(1e-6));
  CHECK(arm.position.back().norm() == doctest::Approx(length).epsilon(1e-4));
}

TEST_CASE("a slide falls freely along its post, and finds no rest there") {
  // held along x and y: it falls freely beside the end of a stiff arm
  Scene scene = one_rod(wire(2e11, 0.05, 7850), Vec3::Zero(), Vec3(0.3, 0, 0), 2);
  scene.gravity = {0, 0, -kGravity};
  scene.bodies = {load(5, Vec3(0.3, 0, 0))};
  scene.holds = {grip(0, true), grip(1, true, "load")};
  scene.holds[1].fix.position = {true, true, false};
  ChainRig rig(scene);
  REQUIRE(rig.run(60, 1.0 / 240));
  const Vec3 place = rig.pose().bodies[0].position;
  CHECK(place[2] == doctest::Approx(-0.5 * kGravity * 0.25 * (0.25 + 1.0 / 240)).epsilon(1e-3));
  CHECK(place[0] == doctest::Approx(0.3).epsilon(1e-4));
  CHECK(std::abs(place[1]) < 1e-6);
  // nothing bears it: there is no rest
  ChainRig resting(scene);
  CHECK_FALSE(resting.solve().converged);
}

TEST_CASE("a body of a shape and a density swings on its axle as its closed form says") {
  // a drum of 0.3 m by 1 m, steel, about an axle through its rim: I = m (R²/2 + R²)
  Body drum;
  drum.name = "drum";
  drum.shape = BodyShape::Cylinder;
  drum.round = {0.3, 1};
  drum.density = 7850;
  drum.motion = BodyMotion::Free;
  drum.position = Vec3(0.3 * std::sin(0.1), 0, -0.3 * std::cos(0.1));
  drum.orientation = Quat(Eigen::AngleAxisd(-std::numbers::pi / 2, Vec3::UnitX()));
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.simulation.formulation = "chain";
  scene.bodies = {drum};
  BodyJoint axle;
  axle.name = "axle";
  axle.body = "drum";
  axle.point = Vec3::Zero();
  axle.axis = Vec3::UnitY();
  scene.joints = {axle};
  ChainRig rig(scene);
  const double period = 2 * std::numbers::pi * std::sqrt(1.5 * 0.3 / kGravity);
  // a quarter, and three quarters later: it passes below the axle
  double before = drum.position[0];
  std::vector<double> passes;
  for (int i = 1; i < 300; ++i) {
    REQUIRE(rig.step());
    const double x = rig.pose().bodies[0].position[0];
    if (before * x < 0) passes.push_back((i - x / (x - before)) * kFrame);
    before = x;
  }
  REQUIRE(passes.size() > 4);
  CHECK(2 * (passes.back() - passes.front()) / static_cast<double>(passes.size() - 1) ==
        doctest::Approx(period * (1 + 0.1 * 0.1 / 16)).epsilon(5e-3));
}

}  // namespace filum::test_machines
