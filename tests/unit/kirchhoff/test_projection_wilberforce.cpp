// A body that hangs on a straight rod and spins, for a minute: its spin passes into twist and back, and with enough of
// it the rod buckles, writhes, lifts the body and lets it down again (Wilberforce's pendulum in [Kirsch2012, ch. 7]).
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace filum::test_projection_wilberforce {

namespace {

struct Minute {
  double start = 0;   // energy of the spin, J
  double gained = 0;  // largest rise of the energy balance
  double lost = 0;    // largest fall
  double lifted = 0;  // largest rise of the weights' energy
  int reversals = 0;  // of the twist
  long failed = 0;
};

// 0.8e-3 N·m²/1 m on 1e-4 kg·m²: 2.2 s from twist to twist. The rod buckles at 2√(EI mg) = 0.028 N·m, 35 rad of twist,
// once the spin has brought as much: 99 rad/s in a long rod, somewhat more between these clamps.
Minute hang(double spin) {
  Scene scene = test::scene_of(R"(
  given: {shape: given, EA: 1e5, EI: [1e-3, 1e-3], GJ: 8e-4, mass_per_length: 0.01, radius: 2 mm}
rods: {a: {section: given, segments: 20, extensible: false, velocity: [1e-3, 0, 0], shape: {line: [[0,0,0],[0,0,-1]]}}}
bodies: {b: {mass: 0.02, inertia: 1e-4, motion: free, position: [0,0,-1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], body: b}]
record: {every: 0.02}
)");
  scene.bodies.front().spin = Vec3(0, 0, spin);
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.stepper = Stepper::Projection;
  scene.simulation.step = 1.0 / 240;
  scene.simulation.end = 60;
  const Result<Outcome> outcome = run(scene);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  Minute minute;
  minute.failed = outcome->run->failed_steps;
  const std::vector<HistoryRow>& row = outcome->history;
  minute.start = row.front().energy.kinetic;
  for (std::size_t i = 1; i < row.size(); ++i) {
    const double change = row[i].energy.balance() - row.front().energy.balance();
    minute.gained = std::max(minute.gained, change);
    minute.lost = std::max(minute.lost, -change);
    minute.lifted = std::max(minute.lifted, row[i].energy.gravity - row.front().energy.gravity);
    minute.reversals += row[i].turns.front() * row[i - 1].turns.front() < 0 ? 1 : 0;
  }
  MESSAGE(spin << " rad/s: " << minute.reversals << " reversals, gained " << minute.gained << ", lost " << minute.lost
               << ", lifted " << minute.lifted << " of " << minute.start << " J, " << minute.failed
               << " steps divided");
  return minute;
}

}  // namespace

TEST_SUITE("long") {
  TEST_CASE("projection: a spinning body on a straight rod twists to and fro for a minute, its ledger closed") {
    const Minute minute = hang(115);
    CHECK(minute.failed == 0);
    // 60 s over 2.2 s, twice each
    CHECK(std::abs(minute.reversals - 54) <= 2);
    // symplectic Euler swings about the true energy; nothing adds up
    CHECK(minute.gained < 0.005 * minute.start);
    CHECK(minute.lost < 0.005 * minute.start);
  }

  TEST_CASE("projection: with more spin the rod buckles and lifts the body, loses energy and goes on for a minute") {
    const Minute minute = hang(150);
    CHECK(minute.lifted > 0.05);
    CHECK(minute.reversals >= 50);
    // the projection takes energy from violent motion, and never brings any
    CHECK(minute.gained < 0.005 * minute.start);
  }
}

}  // namespace filum::test_projection_wilberforce
