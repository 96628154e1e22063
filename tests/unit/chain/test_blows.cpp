// Loads that fall into their ropes: what the rope bears must not depend on the step.
#include "unit/chain/chain_rig.hpp"

#include <filum/outcome.hpp>
#include <filum/run.hpp>

#include <algorithm>

using namespace filum;
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

// Thrown up from where it hangs on a rod, and back.
Scene thrown_on_rod(double mass, double stiffness, double speed, int segments) {
  const double length = 2;
  Section section = wire(1e11, 0.01, 5000, 0.01);
  section.EA = stiffness * length;
  Scene scene = pendulum(section, length, segments, mass, 0, mass * kGravity / stiffness);
  scene.bodies[0].velocity = {0, 0, speed};
  scene.simulation.step = kFrame;
  scene.simulation.end = 2.4 * speed / kGravity + 0.1;
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

TEST_CASE("a load thrown up on a rod comes back into it as hard as it must") {
  for (const double stiffness : {1e6, 2.5e6}) {
    CAPTURE(stiffness);
    // the rope weighs a thousandth of the load
    const auto outcome = run(thrown_on_rod(1000, stiffness, 1.5, 10));
    REQUIRE(outcome.ok());
    const double expected = caught(1000, stiffness, 1.5);
    CHECK(outcome->states.back().pose.rods[0].peak_tension.value == doctest::Approx(expected).epsilon(0.15));
  }
}

TEST_CASE("a load that hangs or is hoisted gently is not looked at closer") {
  const auto outcome = run(thrown_on_rod(1000, 1e6, 0, 10));
  REQUIRE(outcome.ok());
  CHECK(find(*outcome, EventKind::Jerked) == nullptr);
  CHECK(outcome->states.back().pose.rods[0].peak_tension.value == doctest::Approx(1000 * kGravity).epsilon(0.02));
}
