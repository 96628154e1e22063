// Loads that fall into their ropes: what the rope bears must not depend on the step.
#include "unit/chain/chain_rig.hpp"

#include <filum/outcome.hpp>
#include <filum/run.hpp>

#include <algorithm>

namespace filum::test_blows {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;

// A load of mass m comes into a rope of stiffness k with the speed v: ½ k x² = ½ m v² + W x at the end of its way.
double caught(double mass, double stiffness, double speed) {
  const double weight = mass * kGravity;
  return weight + std::sqrt(weight * weight + stiffness * mass * speed * speed);
}

// Falls by `slack` into a massless rope of 2 m.
Scene falls_into_rope(double mass, double stiffness, double slack) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.bodies = {load(mass, Vec3(0, 0, -2 + slack))};
  Rope rope;
  rope.name = "rope";
  rope.stiffness = stiffness;
  rope.length = 2;
  rope.through.resize(2);
  rope.through[1].body = "load";
  scene.ropes = {rope};
  scene.simulation.formulation = "chain";
  scene.simulation.step = kFrame;
  scene.simulation.end = 0.6;
  return scene;
}

// Falls into a rod of 2 m that is drawn slack, as a bow to the side.
Scene falls_into_rod(double mass, double stiffness, double slack, int segments) {
  const double half = 1 - 0.5 * slack;
  Section section = wire(1e11, 0.01, 5000, 0.01);
  section.EA = 2 * stiffness;
  Scene scene = one_rod(section, Vec3::Zero(), Vec3(0, 0, -2 * half), segments);
  scene.rods[0].shape.kind = CurveKind::Points;
  scene.rods[0].shape.points = {Vec3::Zero(), Vec3(std::sqrt(1 - half * half), 0, -half), Vec3(0, 0, -2 * half)};
  scene.gravity = {0, 0, -kGravity};
  scene.bodies = {load(mass, Vec3(0, 0, -2 * half))};
  scene.holds = {grip(0, false), grip(1, false, "load")};
  scene.simulation.step = kFrame;
  scene.simulation.end = 0.6;
  return scene;
}

// Hangs on a rod as it is drawn: stretched, or not yet.
Scene hangs(double mass, double stiffness, double stretch) {
  Section section = wire(1e11, 0.01, 5000, 0.01);
  section.EA = 2 * stiffness;
  Scene scene = pendulum(section, 2, 10, mass, 0, stretch);
  scene.simulation.step = kFrame;
  scene.simulation.end = 0.5;
  return scene;
}

const Event* find(const Outcome& outcome, EventKind kind) {
  const auto found = std::find_if(outcome.events.begin(), outcome.events.end(),
                                  [kind](const Event& event) { return event.kind == kind; });
  return found == outcome.events.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a load that falls into its rope pulls as hard as energy says, at 1/60 s") {
  // ωh from 0.3 to 17: at the upper end the blow is over within a tenth of a step
  for (const double stiffness : {3e5, 2e6, 1e7, 1e9})
    for (const double slack : {0.05, 0.3}) {
      CAPTURE(stiffness);
      CAPTURE(slack);
      const auto outcome = run(falls_into_rope(1000, stiffness, slack));
      REQUIRE(outcome.ok());
      const double expected = caught(1000, stiffness, std::sqrt(2 * kGravity * slack));
      CHECK(outcome->states.back().pose.ropes[0].peak_tension == doctest::Approx(expected).epsilon(0.1));
    }
}

TEST_CASE("a blow is told, with its pull, and checked against the limit") {
  Scene scene = falls_into_rope(1000, 1e7, 0.3);
  const double expected = caught(1000, 1e7, std::sqrt(2 * kGravity * 0.3));
  scene.ropes[0].breaking_tension = 1.2 * expected;
  const auto held = run(scene);
  REQUIRE(held.ok());
  const Event* jerk = find(*held, EventKind::Jerked);
  REQUIRE(jerk != nullptr);
  CHECK(jerk->object.name == "rope");
  CHECK(jerk->value == doctest::Approx(expected).epsilon(0.1));
  CHECK(find(*held, EventKind::Broke) == nullptr);
  REQUIRE_FALSE(held->checks.empty());
  CHECK(held->checks[0].value == doctest::Approx(expected).epsilon(0.1));

  // at 1/60 s alone the rope seems to bear less than half of it, and would hold
  scene.ropes[0].breaking_tension = 0.8 * expected;
  const auto broken = run(scene);
  REQUIRE(broken.ok());
  CHECK(find(*broken, EventKind::Broke) != nullptr);
  CHECK(broken->states.back().pose.ropes[0].broken);
}

TEST_CASE("who watches a run can stop it while it looks closer at a blow") {
  // the looks that a calm step has are two; beyond, it goes through the blow again in shorter ones
  const Scene scene = falls_into_rope(1000, 2e6, 0.5);
  double last_time = -1;
  int looks_in_step = 0;
  bool asked = false;
  RunOptions options;
  options.progress = [&](double share, const char*) {
    looks_in_step = share == last_time ? looks_in_step + 1 : 0;
    last_time = share;
    CHECK_FALSE(asked);
    asked = looks_in_step > 10;
    return !asked;
  };
  const Result<Outcome> outcome = run(scene, options);
  REQUIRE(outcome.ok());
  CHECK(asked);
  CHECK(outcome->run->why == kStopped);
  // it fell for as long as it takes
  CHECK(outcome->run->end == doctest::Approx(std::sqrt(2 * 0.5 / kGravity)).epsilon(0.06));
}

TEST_CASE("a load that falls into a slack rod pulls as hard as it must, whatever the step") {
  struct Fall {
    double mass, stiffness, slack;
    int segments;
  };
  // against energy, where the rod is light; steps of 1/15360 s come within 2 % of it
  for (const Fall& fall : {Fall{1000, 1e6, 0.2, 20}, Fall{1000, 2.5e6, 0.2, 20}, Fall{1000, 2.5e6, 0.05, 20},
                           Fall{300, 1e6, 0.5, 20}, Fall{100, 1e6, 0.2, 10}})
    for (const int rate : {60, 120, 240, 960}) {
      CAPTURE(fall.mass);
      CAPTURE(fall.stiffness);
      CAPTURE(fall.slack);
      CAPTURE(rate);
      Scene scene = falls_into_rod(fall.mass, fall.stiffness, fall.slack, fall.segments);
      scene.simulation.step = 1.0 / rate;
      scene.simulation.end = fall.slack > 0.3 ? 0.6 : 0.4;
      const auto outcome = run(scene);
      REQUIRE(outcome.ok());
      const double expected = caught(fall.mass, fall.stiffness, std::sqrt(2 * kGravity * fall.slack));
      CHECK(outcome->states.back().pose.rods[0].peak_tension.value == doctest::Approx(expected).epsilon(0.15));
      CHECK(outcome->run->max_energy_error < 0.05 * outcome->run->energy_scale);
    }
}

TEST_CASE("a load that hangs, or comes to hang on a rod that is drawn unstretched, gives no blow") {
  for (const double stretch : {1000 * kGravity / 1e6, 0.0}) {
    CAPTURE(stretch);
    const auto outcome = run(hangs(1000, 1e6, stretch));
    REQUIRE(outcome.ok());
    CHECK(find(*outcome, EventKind::Jerked) == nullptr);
    const double peak = outcome->states.back().pose.rods[0].peak_tension.value;
    CHECK(peak > 0.99 * 1000 * kGravity);
    CHECK(peak < (stretch > 0 ? 1.02 : 2.0) * 1000 * kGravity);
  }
}

}  // namespace filum::test_blows
