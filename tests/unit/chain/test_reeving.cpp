// Winches, sheaves that a rod runs over, planes that loads are set down on.
#include "unit/chain/chain_rig.hpp"

#include <filum/outcome.hpp>
#include <filum/run.hpp>

#include <algorithm>
#include <cmath>

namespace filum::test_reeving {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;

Section steel_rope() {
  return wire(1e11, 0.01, 7850, 0.1);
}

// A load of a tonne at the end of 10 m of rope, wound at its start.
Scene winch_scene() {
  const double stretch = 10 * 1000 * kGravity / steel_rope().EA;
  Scene scene = pendulum(steel_rope(), 10, 20, 1000, 0, stretch);
  scene.holds.erase(scene.holds.begin());
  scene.winches = {drum()};
  return scene;
}

// Two loads on a rope over a wheel: half a turn.
Scene wheel_scene(double left, double right, double friction, double inertia) {
  return loads_over_wheel(steel_rope(), left, right, friction, inertia);
}

}  // namespace

TEST_CASE("a winch pays out and hauls in at its speed, smoothly, through many elements") {
  ChainRig rig(winch_scene());
  REQUIRE(rig.run(30));
  const double weight = 1000 * kGravity;
  const double start = rig.pose().bodies[0].position[2];
  const std::size_t places = rig.pose().rods[0].s.size();
  double least = 1e9;
  double most = 0;
  auto wind = [&](double speed, int steps, bool steady) {
    rig.targets.winch_speed[0] = speed;
    for (int i = 0; i < steps; ++i) {
      REQUIRE(rig.step());
      if (!steady) continue;
      least = std::min(least, rig.pose().winches[0].force);
      most = std::max(most, rig.pose().winches[0].force);
    }
  };
  // started and stopped gently, 5 m down
  for (int i = 1; i <= 60; ++i) wind(0.5 * i / 60, 1, false);
  wind(0.5, 60, false);
  wind(0.5, 420, true);
  // neither the cutting of elements nor their weight shows: 15 m of rope weigh 0.9 % of the load
  CHECK(least > 0.985 * weight);
  CHECK(most < 1.02 * weight);
  CHECK(rig.pose().rods[0].s.size() > places + 7);
  const double paid = rig.pose().winches[0].paid_out;
  CHECK(paid == doctest::Approx(4.254).epsilon(1e-3));
  CHECK(start - rig.pose().bodies[0].position[2] == doctest::Approx(paid).epsilon(2e-3));
  CHECK(rig.pose().rods[0].s.back() == doctest::Approx(10 + paid).epsilon(1e-12));
  CHECK(rig.pose().winches[0].torque == doctest::Approx(0.2 * rig.pose().winches[0].force));
  // up again, above where it began, with fewer elements; the energy that moved is the winch's work
  for (int i = 60; i >= -60; --i) wind(0.5 * i / 60, 1, false);
  wind(-0.5, 900, false);
  for (int i = 60; i >= 0; --i) wind(-0.5 * i / 60, 1, false);
  CHECK(rig.run(120));
  CHECK(rig.pose().rods[0].s.size() < places);
  const Energy energy = rig.pose().energy;
  CHECK(energy.work == doctest::Approx(weight * -rig.pose().winches[0].paid_out).epsilon(0.02));
}

TEST_CASE("a winch may run by many elements in a step") {
  Scene scene = winch_scene();
  scene.rods[0].segments = 400;
  ChainRig rig(scene);
  // 0.1 m a step and elements of 25 mm: none gets longer than it may, and none is wound through the drum
  rig.targets.winch_speed[0] = 6;
  REQUIRE(rig.run(10));
  const Pose out = rig.pose();
  CHECK(out.winches[0].paid_out == doctest::Approx(1));
  for (std::size_t i = 1; i < out.rods[0].s.size(); ++i) CHECK(out.rods[0].s[i] - out.rods[0].s[i - 1] < 0.0376);
  rig.targets.winch_speed[0] = -6;
  REQUIRE(rig.run(10));
  const Pose in = rig.pose();
  CHECK(std::abs(in.winches[0].paid_out) < 1e-12);
  for (std::size_t i = 1; i < in.rods[0].s.size(); ++i) CHECK(in.rods[0].s[i] - in.rods[0].s[i - 1] > 0.0124);
}

TEST_CASE("a winch asked for a speed that nobody means winds a thousand elements a step, and no more") {
  Scene scene = winch_scene();
  ChainRig rig(scene);
  rig.targets.winch_speed[0] = 1e12;
  rig.step();
  CHECK(rig.pose().rods[0].s.size() < 1100);
}

TEST_CASE("a winch stops where its rope ends") {
  Scene scene = winch_scene();
  scene.winches[0].longest = 11;
  scene.winches[0].shortest = 9;
  ChainRig rig(scene);
  rig.targets.winch_speed[0] = 0.5;
  REQUIRE(rig.run(300));
  CHECK(rig.pose().winches[0].paid_out == doctest::Approx(1).epsilon(1e-9));
  rig.targets.winch_speed[0] = -0.5;
  REQUIRE(rig.run(600));
  CHECK(rig.pose().winches[0].paid_out == doctest::Approx(-1).epsilon(1e-9));
}

TEST_CASE("a rope runs over a wheel without loss: equal tensions, Atwood's acceleration") {
  for (const double inertia : {0.0, 50.0}) {
    ChainRig rig(wheel_scene(1000, 1100, 0, inertia));
    REQUIRE(rig.run(60));
    const double before = rig.pose().bodies[0].velocity[2];
    REQUIRE(rig.run(60));
    const Pose pose = rig.pose();
    // the rope's 8 kg move along; it gets heavier on the side that sinks, a little more than is neglected here
    const double expected = 100 * kGravity / (2100 + 8 + inertia / 0.09);
    CHECK(pose.bodies[0].velocity[2] - before == doctest::Approx(expected).epsilon(0.02));
    // but for what sets the rope on the wheel in motion, 0.58 kg
    if (inertia == 0)
      CHECK(pose.sheaves[0].tension_after - pose.sheaves[0].tension_before ==
            doctest::Approx(steel_rope().mass_per_length * 0.3 * std::numbers::pi * expected).epsilon(0.3));
    CHECK(pose.sheaves[0].angle == doctest::Approx(std::numbers::pi).epsilon(1e-6));
    CHECK(pose.sheaves[0].slip == doctest::Approx(pose.bodies[0].position[2] + 6).epsilon(0.01));
    // nothing of the rope is lost on the way: 12 m and half a turn, stretched by a thousandth
    CHECK(pose.rods[0].length == doctest::Approx(12 + 0.3 * std::numbers::pi).epsilon(3e-4));
  }
}

TEST_CASE("friction on a wheel holds up to the capstan's ratio and lets go beyond") {
  const double ratio = std::exp(0.1 * std::numbers::pi);
  // below it comes to rest, after the heavier load has stretched its side of the rope
  ChainRig holds(wheel_scene(1000, 1000 * (1 + 0.97 * (ratio - 1)), 0.1, 0));
  REQUIRE(holds.run(240));
  const double slipped = holds.pose().sheaves[0].slip;
  CHECK(slipped < 0.02);
  REQUIRE(holds.run(240));
  CHECK(std::abs(holds.pose().sheaves[0].slip - slipped) < 1e-9);
  CHECK(holds.pose().bodies[0].velocity.norm() < 1e-4);
  const SheavePose held = holds.pose().sheaves[0];
  CHECK(held.tension_after / held.tension_before == doctest::Approx(1 + 0.97 * (ratio - 1)).epsilon(2e-3));
  // beyond it slips, with just that ratio of tensions
  ChainRig slips(wheel_scene(1000, 1000 * (1 + 1.1 * (ratio - 1)), 0.1, 0));
  REQUIRE(slips.run(120));
  const Pose pose = slips.pose();
  CHECK(pose.sheaves[0].slip > 0.05);
  CHECK(pose.sheaves[0].tension_after / pose.sheaves[0].tension_before == doctest::Approx(ratio).epsilon(1e-3));
}

TEST_CASE("twist goes over a wheel") {
  Scene scene = wheel_scene(1000, 1000, 0, 0);
  // the left end is turned, the right load is kept from turning by its own inertia
  scene.bodies[1].inertia = Vec3::Constant(1e9);
  scene.holds[0] = grip(0, true);
  scene.holds[0].position = Vec3(-0.3, 0, -6);
  scene.holds[1] = grip(1, true, "right");
  scene.bodies.erase(scene.bodies.begin());
  scene.rods[0].damping.twist = 0.02 * steel_rope().GJ;
  // gripped as it runs there: up on the left, down on the right
  scene.rods[0].normal = Vec3::UnitY();
  const Mat3 up = (Mat3() << 0, -1, 0, 1, 0, 0, 0, 0, 1).finished();
  scene.holds[0].orientation = Quat(up);
  scene.holds[1].orientation = Quat(Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitY()) * up);
  ChainRig rig(scene);
  constexpr double kTurns = 3;
  for (int i = 1; i <= 600; ++i) {
    rig.targets.holds[0].turns = kTurns * i / 600;
    REQUIRE(rig.step());
  }
  REQUIRE(rig.run(1200));
  const Pose pose = rig.pose();
  const double torque = 2 * std::numbers::pi * kTurns * steel_rope().GJ / *scene.rods[0].length;
  CHECK(std::abs(pose.rods[0].turns) == doctest::Approx(kTurns).epsilon(1e-3));
  CHECK(std::abs(pose.holds[0].moment[2]) == doctest::Approx(torque).epsilon(0.01));
  CHECK(std::abs(pose.holds[1].moment[2]) == doctest::Approx(torque).epsilon(0.01));
}

TEST_CASE("a load is set down, its rope goes slack, and it is lifted again") {
  Scene scene = winch_scene();
  const double height = scene.bodies[0].box[2];
  const double ground = scene.bodies[0].position[2] - height / 2 - 1;
  scene.obstacles = {floor_at(ground, 0.5)};
  ChainRig rig(scene);
  rig.targets.winch_speed[0] = 0.5;
  REQUIRE(rig.run(300));
  rig.targets.winch_speed[0] = 0;
  REQUIRE(rig.run(120));
  const Pose down = rig.pose();
  CHECK(down.bodies[0].position[2] == doctest::Approx(ground + height / 2).epsilon(1e-4));
  CHECK(down.bodies[0].velocity.norm() < 1e-3);
  // it bears no more than its own weight
  CHECK(down.winches[0].force < 0.02 * 1000 * kGravity);
  for (const Vec3& point : down.rods[0].position) CHECK(point[2] > ground - 1e-2);
  rig.targets.winch_speed[0] = -0.5;
  REQUIRE(rig.run(300));
  rig.targets.winch_speed[0] = 0;
  REQUIRE(rig.run(300));
  CHECK(rig.pose().bodies[0].position[2] > ground + height / 2 + 0.5);
  CHECK(rig.pose().winches[0].force == doctest::Approx(1000 * kGravity).epsilon(0.02));
}

TEST_CASE("a block on a slope sticks, or slides as Coulomb has it") {
  constexpr double kSlope = 0.4;
  Scene scene;
  scene.simulation.formulation = "chain";
  scene.obstacles = {floor_at(0, 0.5, kSlope)};
  Body block = load(10, 0.1 * scene.obstacles[0].normal);
  block.box = {0.4, 0.4, 0.2};
  block.orientation = Quat(Eigen::AngleAxisd(kSlope, Vec3::UnitY()));
  scene.bodies = {block};
  ChainRig sticks(scene);
  REQUIRE(sticks.run(180));
  CHECK((sticks.pose().bodies[0].position - block.position).norm() < 1e-4);

  scene.obstacles[0].friction = 0.3;
  ChainRig slides(scene);
  REQUIRE(slides.run(180));
  const double expected = 3 * kGravity * (std::sin(kSlope) - 0.3 * std::cos(kSlope));
  CHECK(slides.pose().bodies[0].velocity.norm() == doctest::Approx(expected).epsilon(1e-3));
}

TEST_CASE("a load without size hangs on a rope") {
  Scene scene = pendulum(steel_rope(), 4, 8, 100, 0.3);
  scene.bodies[0].box.setZero();
  ChainRig rig(scene);
  REQUIRE(rig.run(300));
  CHECK(rig.pose().bodies[0].position.norm() == doctest::Approx(4).epsilon(2e-3));
}

TEST_CASE("a rod breaks where it bears most, and its load falls freely") {
  // from 60° it swings down to twice the weight
  Scene scene = pendulum(steel_rope(), 5, 10, 500, 1.0471975512, 5 * 500 * kGravity * 0.5 / steel_rope().EA);
  scene.rods[0].limits.breaking_tension = 1.5 * 500 * kGravity;
  ChainRig rig(scene);
  REQUIRE(rig.model().events(rig.state()).empty());
  int steps = 0;
  while (rig.model().events(rig.state()).empty() && steps < 200) {
    REQUIRE(rig.step());
    ++steps;
  }
  CHECK(rig.model().events(rig.state()).size() == 1);
  const Vec3 velocity = rig.pose().bodies[0].velocity;
  const Vec3 position = rig.pose().bodies[0].position;
  REQUIRE(rig.run(60));
  const Pose pose = rig.pose();
  // free but for the rope below the break, which weighs little
  CHECK((pose.bodies[0].velocity - velocity - Vec3(0, 0, -kGravity)).norm() < 0.1);
  CHECK((pose.bodies[0].position - position - velocity - Vec3(0, 0, -0.5 * kGravity)).norm() < 0.2);
  // at the anchor, which bears the rope too: its end is no longer there
  CHECK(pose.rods[0].position.front().norm() > 1);
  CHECK(rig.model().events(rig.state()).size() == 1);
}

namespace {

// Up to the wheel at an angle, 8 m down to the load, which sways out of the plane of the wheel.
Scene sways_aside(double speed) {
  Scene scene = one_rod(steel_rope(), Vec3::Zero(), Vec3(10.3, 0, 2), 60);
  scene.gravity = {0, 0, -kGravity};
  scene.bodies = {load(2000, Vec3(10.3, 0, 2))};
  scene.bodies[0].velocity = Vec3(0, speed, 0);
  scene.holds = {grip(0, false), grip(1, false, "load")};
  scene.sheaves = {wheel(Vec3(10, 0, 10), 0.3)};
  scene.sheaves[0].inertia = 1;
  // 14.08 m up to the wheel, 0.71 m on it, 8 m down; stretched by the load
  scene.rods[0].length = 22.8 / (1 + 2000 * kGravity / steel_rope().EA);
  return scene;
}

// The event of this kind that the run has told, if any; more than one is an error.
const Event* told_once(const Outcome& outcome, EventKind kind) {
  const Event* found = nullptr;
  for (const Event& event : outcome.events) {
    if (event.kind != kind) continue;
    CHECK(found == nullptr);
    found = &event;
  }
  return found;
}

}  // namespace

TEST_CASE("a rope comes off its sheave where its fleet angle is more than a groove holds, and it is told") {
  // the load swings out by v/√(gL): 0.11 rad and 0.4 rad, where 0.26 is the most
  for (const double speed : {1.0, 3.5}) {
    CAPTURE(speed);
    Scene scene = sways_aside(speed);
    scene.simulation.mode = Mode::Dynamics;
    scene.simulation.step = kFrame;
    scene.simulation.end = 1.5;  // a quarter of its period and a little more
    const auto outcome = run(scene);
    REQUIRE(outcome.ok());
    const Event* jumped = told_once(*outcome, EventKind::RopeJumped);
    CHECK((jumped != nullptr) == (speed > 2));
    if (jumped == nullptr) continue;
    CHECK(jumped->object.kind == ObjectKind::Sheave);
    CHECK(jumped->object.name == scene.sheaves[0].name);
    CHECK(jumped->rod == "rod");
    // θ = (v/√(gL)) sin √(g/L) t, and tan θ of the rope below the wheel
    const double rate = std::sqrt(kGravity / 8);
    CHECK(jumped->t == doctest::Approx(std::asin(0.263 / (speed / 8 / rate)) / rate).epsilon(0.06));
  }
}

TEST_CASE("a load that sways out of the plane of its sheave does not make the rope spin") {
  // rows of the wheel must not turn the rope about its own axis
  ChainRig rig(sways_aside(1));
  double aside = 0;
  for (int i = 0; i < 1200; ++i) {
    REQUIRE(rig.step());
    const Vec3 where = rig.pose().bodies[0].position;
    aside = std::max(aside, std::abs(where[1]));
    // it bounces by as much as it stretches, 57 mm
    CHECK(std::abs((Vec3(10.3, 0, 10) - where).norm() - 8) < 0.12);
  }
  // v √(L/g)
  CHECK(aside == doctest::Approx(std::sqrt(8 / kGravity)).epsilon(0.02));
  CHECK(std::abs(rig.pose().rods[0].turns) < 1e-2);
}

TEST_CASE("a rope that is forced onto its sheave too long fails or settles, and never without end") {
  // 3 per cent too much rope for the way, laid straight: all of it is thrown about
  Scene scene = one_rod(steel_rope(), Vec3::Zero(), Vec3(0.8, 0, 0), 20);
  scene.gravity = {0, 0, -kGravity};
  scene.rods[0].length = 8;
  scene.bodies = {load(700, Vec3(0.5, 0, -3.45))};
  scene.holds = {grip(0, false), grip(1, false)};
  scene.sheaves = {wheel(Vec3(0, 0, 0.2), 0.4)};
  scene.sheaves[0].body = "load";
  scene.sheaves[0].axis = -Vec3::UnitY();
  ChainRig rig(scene);
  for (int i = 0; i < 300 && rig.step(); ++i) CHECK(rig.pose().rods[0].s.size() < 1000);
}

TEST_CASE("a rope half as long again as its way over its sheave is refused at once") {
  Scene scene = wheel_scene(100, 100, 0, 0);
  scene.rods[0].length = 1.5 * (12 + std::numbers::pi * 0.3);
  ChainRig rig(scene);
  const StepReport report = rig.model().step(rig.workspace(), rig.state(), rig.targets, kFrame);
  CHECK_FALSE(report.usable);
  CHECK(std::string(report.why).find("too long") != std::string::npos);
}

TEST_CASE("a rod over a sheave without a length of its own is as long as its way") {
  // drawn by its ends alone: 12 m, where the way is 12 m and half the wheel
  Scene scene = wheel_scene(100, 100, 0, 0);
  scene.rods[0].length.reset();
  ChainRig rig(scene);
  CHECK(rig.pose().rods[0].s.back() == doctest::Approx(12 + std::numbers::pi * 0.3).epsilon(1e-9));
  REQUIRE(rig.run(600));
  // only the weights pull: it bounces by twice that at most
  CHECK(rig.pose().holds[0].force.norm() < 2.1 * 110 * kGravity);
}

TEST_CASE("a cube that slides and rocks comes to rest without a kick") {
  for (const double speed : {0.3, 3.0}) {
    CAPTURE(speed);
    Scene scene = one_rod(steel_rope(), Vec3(0, 50, 50), Vec3(0, 50, 49), 2);
    scene.gravity = {0, 0, -kGravity};
    scene.holds = {grip(0, false)};
    scene.bodies = {load(2000, Vec3(0, 0, 0.4))};
    scene.bodies[0].box = {0.8, 0.8, 0.8};
    scene.bodies[0].velocity = Vec3(speed, 0, 0);
    scene.obstacles = {floor_at(0, 0.4)};
    ChainRig rig(scene);
    double last = speed;
    for (int i = 0; i < 120; ++i) {
      REQUIRE(rig.step());
      last = rig.pose().bodies[0].velocity[0];
      // it leans forward, and back as it stops: a tenth of its speed at most
      CHECK(last <= speed);
      CHECK(last > -0.1 * speed);
    }
    CHECK(std::abs(last) < 1e-6);
    // v²/2μg; it rocks from corner to corner, so that no step settles who presses
    CHECK(rig.pose().bodies[0].position[0] == doctest::Approx(speed * speed / (0.8 * kGravity)).epsilon(0.35));
  }
}

TEST_CASE("a load that is drawn into its sheave ends the run") {
  Scene scene = wheel_scene(1000, 1000, 0, 0);
  scene.holds.erase(scene.holds.begin());
  scene.bodies.erase(scene.bodies.begin());
  scene.winches = {drum()};
  ChainRig rig(scene);
  rig.targets.winch_speed[0] = -1;
  int steps = 0;
  while (steps < 900 && rig.step()) ++steps;
  // 6 m of rope at 1 m/s
  CHECK(steps > 300);
  CHECK(steps < 500);
}

TEST_CASE("a brake that slips holds its force in the mean") {
  Scene scene = winch_scene();
  scene.winches[0].max_force = 5000;
  ChainRig rig(scene);
  double sum = 0;
  for (int i = 0; i < 120; ++i) {
    REQUIRE(rig.step());
    sum += rig.pose().winches[0].force / 120;
  }
  // in the mean only: it goes up and down by a third, and 8.6 m come out where 9.6 would
  CHECK(sum == doctest::Approx(5000).epsilon(0.15));
  // half of (g − F/m) t², and the rope's own weight
  CHECK(rig.pose().winches[0].paid_out == doctest::Approx(0.5 * (kGravity - 5) * 4).epsilon(0.15));
}

TEST_CASE("a brake tells that it slips, and one that holds does not") {
  for (const double holds : {5000.0, 20000.0}) {
    CAPTURE(holds);
    Scene scene = winch_scene();
    scene.winches[0].max_force = holds;
    scene.simulation.mode = Mode::Dynamics;
    scene.simulation.step = kFrame;
    scene.simulation.end = 0.5;
    const auto outcome = run(scene);
    REQUIRE(outcome.ok());
    const auto told = std::find_if(outcome->events.begin(), outcome->events.end(),
                                   [](const Event& event) { return event.kind == EventKind::BrakeSlipped; });
    REQUIRE((told != outcome->events.end()) == (holds < 1000 * kGravity));
    if (told == outcome->events.end()) continue;
    CHECK(told->object.kind == ObjectKind::Winch);
    CHECK(told->object.name == "winch");
    CHECK(told->value == doctest::Approx(holds));
    CHECK(told->t < 0.1);
  }
}

}  // namespace filum::test_reeving
