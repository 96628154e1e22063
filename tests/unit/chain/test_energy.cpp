// The ledger of a chain: what its step damps counts as dissipated, what it makes does not.
#include "unit/chain/chain_rig.hpp"

#include "formulations/chain/chain_energy.hpp"

#include <filum/outcome.hpp>
#include <filum/run.hpp>
#include <filum/scene_file.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::test_energy {

using namespace filum::test;

TEST_CASE("what a step loses counts as dissipated; what it gains stays in the balance") {
  chain::ChainState state;
  auto step = [&](double before, double after) {
    Energy energy;
    energy.kinetic = after;
    chain::note_loss(before, energy, kFrame, state);
  };
  step(10, 7);
  CHECK(state.dissipated == doctest::Approx(3));
  // a ripple upwards is paid for before anything more is lost
  step(7, 9);
  CHECK(state.dissipated == doctest::Approx(3));
  CHECK(state.risen == doctest::Approx(2));
  step(9, 6);
  CHECK(state.dissipated == doctest::Approx(4));
  CHECK(state.risen == doctest::Approx(0));
}

TEST_CASE("a load that falls into its rope loses what the snap takes, and the ledger tells") {
  // a tonne, half a metre above where its rope is taut
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  scene.simulation.formulation = "chain";
  scene.bodies = {load(1000, Vec3(0, 0, -3.5))};
  Rope rope;
  rope.name = "rope";
  rope.stiffness = 1e7;
  rope.length = 4;
  rope.through.resize(2);
  rope.through[1].body = "load";
  scene.ropes = {rope};
  ChainRig chain(scene);
  const double start = chain.pose().energy.balance();
  double off = 0;
  for (int i = 0; i < 300; ++i) {
    REQUIRE(chain.step());
    off = std::max(off, std::abs(chain.pose().energy.balance() - start));
  }
  const double fallen = 1000 * 9.81 * 0.5;
  // all that it fell with is gone, and known to be; what is left is the rope's stretch
  CHECK(chain.pose().energy.dissipated == doctest::Approx(fallen).epsilon(0.02));
  CHECK(off < 0.02 * fallen);
}

namespace {

// A wire rope with hardly more than its own weight on it, let go all but level.
Scene light_drop(const std::string& formulation, double mass, double length = 15, int segments = 30) {
  const Section rope = wire(1e11, 0.01, 7850, 0.1);
  Scene scene = pendulum(rope, length, segments, mass, 85 * std::numbers::pi / 180);
  scene.simulation.formulation = formulation;
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.step = kFrame;
  scene.simulation.end = 30;
  return scene;
}

int count(const Outcome& outcome, EventKind kind) {
  return static_cast<int>(std::count_if(outcome.events.begin(), outcome.events.end(),
                                        [kind](const Event& event) { return event.kind == kind; }));
}

}  // namespace

TEST_CASE(
    "a light load dropped on its long rope: what the step takes is told once, with what keeps it, and none is made") {
  for (const double mass : {5.0, 20.0}) {
    CAPTURE(mass);
    const auto outcome = run(light_drop("chain", mass));
    REQUIRE(outcome.ok());
    REQUIRE(outcome->run->completed);
    const Energy& last = outcome->states.back().pose.energy;
    CHECK(last.dissipated > 0.05 * outcome->run->energy_scale);
    CHECK(count(*outcome, EventKind::EnergyTaken) == 1);
    const auto told = std::find_if(outcome->events.begin(), outcome->events.end(),
                                   [](const Event& event) { return event.kind == EventKind::EnergyTaken; });
    REQUIRE(told != outcome->events.end());
    CHECK(told->value > 0.05);
    CHECK(told->why.find("kirchhoff") != std::string::npos);
    CHECK(outcome->run->max_energy_error < 0.03 * outcome->run->energy_scale);
  }
}

namespace {

struct Drop {
  double mass, length;
  int segments;
};

// What half a minute makes, as a share of the energy that moves.
double made(const Drop& drop, double step) {
  Scene scene = light_drop("chain", drop.mass, drop.length, drop.segments);
  scene.simulation.step = step;
  const auto outcome = run(scene);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->run->completed);
  return outcome->run->max_energy_error / outcome->run->energy_scale;
}

}  // namespace

TEST_CASE("ropes that whip make no energy, whatever hangs on them and however they are cut") {
  // steps in which elements turn by half a rad made up to 68 % of it
  for (const Drop& drop : {Drop{10, 30, 60}, Drop{10.3, 30, 61}, Drop{10, 50, 100}, Drop{10, 30, 10}, Drop{5, 10, 100},
                           Drop{1000, 30, 60}}) {
    CAPTURE(drop.mass);
    CAPTURE(drop.length);
    CAPTURE(drop.segments);
    CHECK(made(drop, kFrame) < 0.01);
  }
}

TEST_SUITE("long") {
  TEST_CASE("likewise by steps of 1/30 to 1/480 s and up to 200 elements") {
    for (const Drop& drop : {Drop{7.7, 33, 57}, Drop{3, 30, 60}, Drop{30, 30, 60}, Drop{100, 40, 200}, Drop{4, 22, 13},
                             Drop{17, 18, 150}, Drop{1.5, 8, 40}, Drop{20000, 25, 50}})
      for (const int rate : {30, 60, 120, 480}) {
        CAPTURE(drop.mass);
        CAPTURE(drop.length);
        CAPTURE(drop.segments);
        CAPTURE(rate);
        CHECK(made(drop, 1.0 / rate) < 0.02);
      }
  }
}

// Hook and load flung at some 20 m/s, between a massless rope and a steel sling: blows set the hook spinning by a rad a
// step, and its rope's eye goes round with it. By straight lines that made two thirds of what moved.
TEST_CASE("a hook and a load that are flung on their ropes make no energy") {
  const Result<Scene> scene = parse_scene(R"(filum: 1
materials: {steel: {young: 1e11, poisson: 0.3, density: 7850}}
sections: {sling: {shape: circle, radius: 5 mm}}
rods: {sling: {material: steel, section: sling, segments: 4, shape: {line: [[0, 0, 3.85], [0.2131, 0, 1.6625]]}, length: 2.3196,
               velocity: [-6.97, 12.9, -6.83]}}
bodies:
  hook: {box: [0.5, 0.2, 0.3], mass: 200, position: [0, 0, 4], motion: free, velocity: [-6.97, 12.9, -6.83], spin: [1.76, 0.975, -0.335]}
  load: {box: [1, 1, 0.8], mass: 200, position: [0.2131, 0, 1.2625], motion: free, velocity: [-8.92, -17.7, 13.6], spin: [-1.85, 1.28, 1.85]}
reeving: [{rope: up, stiffness: 1e7, length: 4.5, through: [{point: [0, 0, 8]}, {body: hook, point: [0, 0, 0.15]}]}]
holds:
  - {name: eye, rod: sling, at: start, fix: [position], body: hook}
  - {name: shackle, rod: sling, at: end, fix: [position], body: load}
simulation: {formulation: chain, mode: dynamics, step: 1/60, end: 2}
)",
                                          "fling.yaml");
  REQUIRE(scene.ok());
  const Result<Outcome> outcome = run(*scene);
  REQUIRE(outcome.ok());
  CHECK(outcome->run->completed);
  // each step may make half a per cent before it is halved
  CHECK(outcome->run->max_energy_error < 0.02 * outcome->run->energy_scale);
}

TEST_CASE("a whipping rope goes slack a few times in half a minute, not at every crack") {
  const auto outcome = run(light_drop("chain", 5));
  REQUIRE(outcome.ok());
  CHECK(count(*outcome, EventKind::WentSlack) >= 1);
  CHECK(count(*outcome, EventKind::WentSlack) <= 6);
}

TEST_CASE("a heavy load dropped alike loses little, and nothing is told") {
  const auto outcome = run(light_drop("chain", 2000));
  REQUIRE(outcome.ok());
  CHECK(count(*outcome, EventKind::EnergyTaken) == 0);
  CHECK(count(*outcome, EventKind::EnergyMade) == 0);
  CHECK(outcome->states.back().pose.energy.dissipated < 0.05 * outcome->run->energy_scale);
}

}  // namespace filum::test_energy
