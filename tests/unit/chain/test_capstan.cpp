// Friction on sheaves: the capstan's ratio of tensions at any μβ and in either sense, rods and massless ropes, one
// sheave and several in a row.
#include "unit/chain/chain_rig.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::test_capstan {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;
constexpr double kPi = std::numbers::pi;
constexpr double kWeight = 500 * kGravity;

// Strong enough for e⁴ times the load: 50 mm of steel.
Section strong_rope() {
  return wire(1e11, 0.05, 1000, 0.02);
}

// A load of half a tonne on a rope that a drum winds; between them sheaves of 0.3 m in a row, each the rope's end of a
// turn: half a turn over one, a quarter over the first and the last of several, and none over those between.
Scene hoist_over(int count, double friction) {
  const double last = count > 1 ? 2.0 * (count - 1) : 0;
  Scene scene = one_rod(strong_rope(), Vec3(-0.3, 0, -6), Vec3(last + 0.3, 0, -6), 30);
  scene.gravity = {0, 0, -kGravity};
  scene.bodies = {load(500, Vec3(last + 0.3, 0, -6))};
  scene.holds = {grip(1, false, "load")};
  scene.winches = {drum()};
  for (int k = 0; k < count; ++k) {
    Sheave each = wheel(Vec3(2.0 * k, 0, 0), 0.3);
    each.name += std::to_string(k);
    each.at = {(k + 1.0) / (count + 1.0), 0};
    each.friction = friction;
    scene.sheaves.push_back(each);
  }
  return scene;
}

// Winds, from the speed there is to another within a second, then on for two; the mean of the last second.
struct Mean {
  double drum = 0;
  double load = 0;
  double worst = 0;  // of the ratio over all sheaves, against e^{±μβ}
};
Mean wind(ChainRig& rig, double speed, double friction, double sense) {
  const double from = rig.targets.winch_speed[0];
  Mean mean;
  for (int i = 1; i <= 180; ++i) {
    rig.targets.winch_speed[0] = from + (speed - from) * std::min(1.0, i / 60.0);
    REQUIRE(rig.step());
    if (i <= 120) continue;
    const Pose pose = rig.pose();
    double angle = 0;
    for (const SheavePose& sheave : pose.sheaves) angle += sheave.angle;
    mean.drum += pose.sheaves.front().tension_before / 60;
    mean.load += pose.sheaves.back().tension_after / 60;
    double ratio = 1;
    for (const SheavePose& sheave : pose.sheaves) ratio *= sheave.tension_after / sheave.tension_before;
    mean.worst = std::max(mean.worst, std::abs(ratio * std::exp(-sense * friction * angle) - 1));
  }
  return mean;
}

}  // namespace

TEST_CASE("a rope is lowered and raised over a sheave by the capstan's ratio, however great") {
  for (const double exponent : {0.5, 1.2, 2.0, 4.0}) {
    CAPTURE(exponent);
    const double friction = exponent / kPi;
    ChainRig rig(hoist_over(1, friction));
    // down, up, and down again: started, reversed, reversed
    for (const double speed : {0.3, -0.3, 0.3}) {
      CAPTURE(speed);
      const double sense = speed > 0 ? 1 : -1;
      const Mean mean = wind(rig, speed, friction, sense);
      CHECK(mean.worst < 1e-6);
      // 6 m of the rope hang beside the load
      CHECK(mean.load == doctest::Approx(kWeight + 6 * strong_rope().mass_per_length * kGravity).epsilon(0.01));
      CHECK(mean.drum == doctest::Approx(mean.load * std::exp(-sense * exponent)).epsilon(0.01));
    }
    // stopped: it sticks, with a force within the range
    wind(rig, 0, friction, 1);
    const Pose stopped = rig.pose();
    const double ratio = stopped.sheaves[0].tension_after / stopped.sheaves[0].tension_before;
    CHECK(ratio < 1.0001 * std::exp(exponent));
    CHECK(ratio > 0.9999 * std::exp(-exponent));
    REQUIRE(rig.run(120));
    CHECK(rig.pose().sheaves[0].slip == doctest::Approx(stopped.sheaves[0].slip).epsilon(1e-9));
  }
}

TEST_CASE("over several sheaves in a row the ratios multiply") {
  for (const int count : {2, 4}) {
    CAPTURE(count);
    const double friction = 2.5 / kPi;
    ChainRig rig(hoist_over(count, friction));
    for (const double speed : {0.2, -0.2}) {
      CAPTURE(speed);
      const double sense = speed > 0 ? 1 : -1;
      const Mean mean = wind(rig, speed, friction, sense);
      CHECK(mean.worst < 1e-6);
      // between, the rope sags onto the sheaves or off them: a little more or less than half a turn in all
      CHECK(mean.drum == doctest::Approx(mean.load * std::exp(-sense * friction * kPi)).epsilon(0.05));
    }
  }
}

TEST_CASE("what a sheave's friction takes is counted as heat") {
  const double friction = 2.0 / kPi;
  ChainRig rig(hoist_over(1, friction));
  wind(rig, 0.3, friction, 1);
  const Pose before = rig.pose();
  double heat = 0;
  for (int i = 0; i < 120; ++i) {
    REQUIRE(rig.step());
    const Pose pose = rig.pose();
    heat += (pose.sheaves[0].tension_after - pose.sheaves[0].tension_before) * 0.3 * kFrame;
  }
  const Pose after = rig.pose();
  CHECK(after.energy.dissipated - before.energy.dissipated == doctest::Approx(heat).epsilon(0.01));
  // and all that there is adds up
  CHECK(after.energy.balance() == doctest::Approx(before.energy.balance()).epsilon(1e-3));
}

TEST_CASE("a wheel with inertia and friction: the rope drags it up to its own speed, and no faster than friction can") {
  const double friction = 0.1;
  Scene scene = hoist_over(1, friction);
  const double inertia = 20;
  scene.sheaves[0].inertia = inertia;
  ChainRig rig(scene);
  // so fast a start that the rope slips: the rim gets (e^{μβ} − 1) of the tension before
  double impulse = 0;
  for (int i = 1; i <= 30; ++i) {
    rig.targets.winch_speed[0] = -i / 30.0;
    REQUIRE(rig.step());
    const SheavePose sheave = rig.pose().sheaves[0];
    CHECK(sheave.tension_after < 1.000001 * sheave.tension_before * std::exp(friction * sheave.angle));
    CHECK(sheave.tension_after > 0.999999 * sheave.tension_before * std::exp(-friction * sheave.angle));
    impulse += kFrame * (sheave.tension_before - sheave.tension_after);
  }
  // J ω = ∫ R (T before − T after) dt, at most that of the rope's speed
  CHECK(impulse * 0.09 / inertia > 0.5);
  CHECK(impulse * 0.09 / inertia < 1.5);
  // in the end it turns with the rope, which pulls alike on either side
  REQUIRE(rig.run(240));
  const Pose pose = rig.pose();
  CHECK(pose.sheaves[0].tension_after == doctest::Approx(pose.sheaves[0].tension_before).epsilon(0.01));
  const double turning = 0.5 * inertia * std::pow(1 / 0.3, 2);
  const double moving = 0.5 * (500 + 9 * strong_rope().mass_per_length);
  CHECK(pose.energy.kinetic == doctest::Approx(turning + moving).epsilon(0.02));
}

TEST_CASE("a massless rope over sheaves with friction: e^{μβ} for each, both ways") {
  // from a winch, over two wheels by a quarter each, to a load
  for (const double exponent : {0.6, 2.0}) {
    CAPTURE(exponent);
    Scene scene;
    scene.gravity = {0, 0, -kGravity};
    scene.simulation.formulation = "chain";
    scene.bodies = {load(500, Vec3(2.3, 0, -6))};
    Rope rope;
    rope.name = "rope";
    rope.stiffness = 1e7;
    rope.through.resize(4);
    rope.through[0].point = {-0.3, 0, -6};
    for (const int k : {1, 2}) {
      rope.through[static_cast<std::size_t>(k)].point = {2.0 * (k - 1), 0, 0};
      rope.through[static_cast<std::size_t>(k)].radius = 0.3;
      rope.through[static_cast<std::size_t>(k)].axis = Vec3::UnitY();
      rope.through[static_cast<std::size_t>(k)].friction = exponent / (kPi / 2);
    }
    rope.through[3].body = "load";
    scene.ropes = {rope};
    ChainRig rig(scene);
    double length = 12 + 2 + 0.3 * kPi;
    for (const double speed : {0.3, -0.3}) {
      CAPTURE(speed);
      double drum = 0;
      double middle = 0;
      double load = 0;
      for (int i = 1; i <= 240; ++i) {
        length += kFrame * speed * std::min(1.0, i / 60.0);
        rig.targets.rope_length[0] = length;
        REQUIRE(rig.step());
        if (i <= 120) continue;
        const RopePose pose = rig.pose().ropes[0];
        drum += pose.tension[0] / 120;
        middle += pose.tension[1] / 120;
        load += pose.tension[2] / 120;
      }
      const double sense = speed > 0 ? 1 : -1;
      CHECK(load == doctest::Approx(kWeight).epsilon(0.01));
      CHECK(middle == doctest::Approx(load * std::exp(-sense * exponent)).epsilon(0.01));
      CHECK(drum == doctest::Approx(load * std::exp(-2 * sense * exponent)).epsilon(0.01));
    }
  }
}

}  // namespace filum::test_capstan
