// What is around a time step: the clock, halving, adaptive steps, records, switches, saved states. With a fake model.
#include "base/index.hpp"
#include "sim/run/clock.hpp"
#include "sim/run/march.hpp"
#include "sim/run/run.hpp"
#include "unit/sim/fake_model.hpp"

#include <filum/scene.hpp>

#include <doctest/doctest.h>

#include <numbers>

namespace filum::test_run {

using test::fake_scene;
using test::FakeFormulation;
using test::FakeOptions;

namespace {

Outcome ran(FakeOptions& fake, const Scene& scene, const RunOptions& options = {}) {
  const Result<Outcome> outcome = sim::run_with(std::make_unique<FakeFormulation>(fake), scene, options);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  return *outcome;
}

double last_x(const Outcome& outcome) {
  return outcome.states.back().pose.rods[0].position.back().x();
}

Keyframe key_at(double t) {
  Keyframe key;
  key.t = t;
  return key;
}

const Fix kNothing{};
const Fix kAll{{true, true, true}, {true, true, true}};

}  // namespace

TEST_CASE("instants are whole multiples of the step and nothing adds up") {
  // 0.1 is no binary number: a sum of a million of them is off by 1e-6 and more
  double t = 0;
  for (int k = 1; k <= 1'000'000; ++k) {
    const sim::Tick tick = sim::next_tick(t, 0.1, 1e9);
    t = tick.t;
    REQUIRE(t == k * 0.1);
    REQUIRE(tick.dt == 0.1);
  }
  // the last one is cut, one that begins between multiples ends at the next
  CHECK(sim::next_tick(0.2, 0.1, 0.25).t == 0.25);
  CHECK(sim::next_tick(0.25, 0.1, 9).t == 3 * 0.1);
  CHECK(sim::next_tick(0.25, 0.1, 9).dt == doctest::Approx(0.05));
  // a limit at a multiple is that multiple, to the last bit: 3 × 0.1 is not 0.3
  CHECK(sim::next_tick(2 * 0.1, 0.1, 0.3).t == 3 * 0.1);
  CHECK(sim::next_tick(2 * 0.1, 0.1, 0.3).dt == 0.1);
}

TEST_CASE("a run goes to its end in steps of the scene's length, the last one cut") {
  FakeOptions fake;
  const Outcome outcome = ran(fake, fake_scene(0.1, 1.05));
  CHECK(outcome.run->completed);
  CHECK(outcome.run->steps == 11);
  CHECK(outcome.run->end == 1.05);
  CHECK(outcome.run->largest_step == 0.1);
  CHECK(outcome.run->smallest_step == doctest::Approx(0.05));
  CHECK(outcome.run->failed_steps == 0);
  CHECK(outcome.states.size() == 2);
  CHECK(outcome.states[0].t == 0);
  // the exact solution, eleven roundings
  CHECK(last_x(outcome) == doctest::Approx(std::cos(1.05)).epsilon(1e-14));
  CHECK(outcome.run->max_energy_error < 1e-14);
  CHECK(outcome.run->energy_scale > 0.3);
}

TEST_CASE("a step that fails is halved, then grows again, and is counted") {
  FakeOptions fake;
  // around t = 0.45 nothing longer than 0.02 works
  fake.usable = [](double t, double dt) { return t + dt < 0.44 || t > 0.46 || dt < 0.02; };
  const Outcome outcome = ran(fake, fake_scene(0.1, 1));
  CHECK(outcome.run->completed);
  CHECK(outcome.run->failed_steps == 1);
  CHECK(outcome.run->halvings >= 3);
  CHECK(outcome.run->smallest_step == doctest::Approx(0.1 / 8));
  CHECK(outcome.run->steps == 10);
  CHECK(last_x(outcome) == doctest::Approx(std::cos(1.0)).epsilon(1e-13));
  REQUIRE(outcome.events.size() == 1);
  CHECK(outcome.events[0].kind == EventKind::StepDivided);
  CHECK(outcome.events[0].why == "as told");
  CHECK(outcome.events[0].t == doctest::Approx(0.4));
  // within the step it grew again: not all of the step went in eighths
  CHECK(fake.calls.size() < 9 + 8);
  // and the next step is whole
  CHECK(fake.calls.back().dt == 0.1);
}

TEST_CASE("a step that fails however short leaves the state before it, and the run says so") {
  FakeOptions fake;
  fake.usable = [](double t, double dt) { return t + dt <= 0.52; };
  const Outcome outcome = ran(fake, fake_scene(0.1, 1));
  CHECK_FALSE(outcome.run->completed);
  CHECK(outcome.run->why.find("as told") != std::string::npos);
  CHECK(outcome.run->end == 5 * 0.1);
  CHECK(outcome.states.back().t == 5 * 0.1);
  CHECK(last_x(outcome) == doctest::Approx(std::cos(0.5)).epsilon(1e-14));
  // recorded once
  CHECK(outcome.history.size() == 6);
  CHECK(outcome.events.back().kind == EventKind::RunStopped);
  // at most 2^12 parts: that many halvings of a way and no endless loop
  CHECK(fake.tries < 100);
}

TEST_CASE("holds on their way through a divided step move at an even rate") {
  FakeOptions fake;
  Scene scene = fake_scene(1, 1);
  Keyframe end = key_at(1);
  end.position = Vec3(4, 0, 0);
  end.turns = 2;
  scene.drivers.push_back({DriverKind::Hold, "h", 0, {key_at(0), end}});
  ran(fake, scene);
  // two turns are 26 times half a radian
  REQUIRE(fake.calls.size() == 26);
  for (int k = 0; k < 26; ++k) {
    CHECK(fake.calls[at(k)].dt == doctest::Approx(1.0 / 26).epsilon(1e-14));
    CHECK(fake.calls[at(k)].hold.position.x() == doctest::Approx(4.0 / 26 * (k + 1)).epsilon(1e-14));
    CHECK(fake.calls[at(k)].hold.turns == doctest::Approx(2.0 / 26 * (k + 1)).epsilon(1e-14));
  }
}

TEST_CASE("a hold's turning is the change of its orientation and its turns together") {
  Targets from, to;
  from.holds.resize(2);
  to.holds.resize(2);
  to.holds[1].orientation = Quat(Eigen::AngleAxisd(1.0, Vec3::UnitY()));
  to.holds[1].turns = -0.5;
  CHECK(sim::largest_turn(from, to) == doctest::Approx(1 + std::numbers::pi));
}

TEST_CASE("a formulation's longest step divides the scene's evenly") {
  FakeOptions fake;
  fake.longest_step = 0.03;
  const Outcome outcome = ran(fake, fake_scene(0.1, 0.2));
  CHECK(outcome.run->steps == 2);
  REQUIRE(fake.calls.size() == 8);
  CHECK(outcome.run->largest_step == doctest::Approx(0.025));
  // one that fails among them is found again and halved alone
  fake = {};
  fake.longest_step = 0.03;
  fake.usable = [](double t, double dt) { return std::abs(t - 0.05) > 1e-9 || dt < 0.02; };
  const Outcome halved = ran(fake, fake_scene(0.1, 0.2));
  CHECK(halved.run->completed);
  CHECK(halved.run->failed_steps == 1);
  CHECK(halved.run->halvings == 1);
  CHECK(last_x(halved) == doctest::Approx(std::cos(0.2)).epsilon(1e-14));
}

TEST_CASE("an adaptive step keeps its error below the tolerance and is no shorter than it must be") {
  FakeOptions fake;
  // third order, ten times harder in the middle
  fake.error = [](double t, double dt) { return (t > 1 && t < 2 ? 10 : 1) * dt * dt * dt; };
  Scene scene = fake_scene(0.5, 3);
  scene.simulation.tolerance = 1e-6;
  const Outcome outcome = ran(fake, scene);
  CHECK(outcome.run->completed);
  CHECK(outcome.run->end == 3);
  CHECK(last_x(outcome) == doctest::Approx(std::cos(3.0)).epsilon(1e-12));
  // steps of 0.01 and 0.01/10^(1/3) would do; the safety of 0.9 costs 11 %, the beginning and two changes some more
  const double least = 2 / 0.01 + 1 / (0.01 / std::cbrt(10.0));
  CHECK(outcome.run->steps > least);
  CHECK(outcome.run->steps < 1.2 * least);
  CHECK(outcome.run->largest_step <= 0.01 * 1.0001);

  // every other one is counted: the first trial of 0.5 alone is taken back three times (0.5 → 0.1 → 0.02 → 0.009)
  CHECK(outcome.run->rejected_steps >= 3);
  CHECK(outcome.run->rejected_steps < 10);

  // an error that no step can bring down
  fake = {};
  fake.error = [](double, double) { return 1.0; };
  CHECK_FALSE(ran(fake, scene).run->completed);
}

TEST_CASE("bounded cost: steps short of convergence are accepted and counted") {
  FakeOptions fake;
  fake.short_of_convergence = true;
  const Outcome outcome = ran(fake, fake_scene(0.1, 1));
  CHECK(outcome.run->completed);
  CHECK(outcome.run->unconverged_steps == 10);
}

TEST_CASE("records come at the first step at or after each multiple, first and last included") {
  FakeOptions fake;
  Scene scene = fake_scene(0.1, 1.05);
  scene.record.every = 0.25;
  std::vector<double> seen;
  RunOptions options;
  options.frame = [&](const Snapshot& snapshot) {
    seen.push_back(snapshot.t);
    return true;
  };
  const Outcome outcome = ran(fake, scene, options);
  CHECK(seen == std::vector<double>{0, 3 * 0.1, 5 * 0.1, 8 * 0.1, 10 * 0.1, 1.05});
  REQUIRE(outcome.history.size() == 6);
  CHECK(outcome.history[2].t == 5 * 0.1);
  CHECK(outcome.states.size() == 2);
}

TEST_CASE("a run stops when the caller says so, and keeps what it has") {
  FakeOptions fake;
  RunOptions options;
  options.frame = [](const Snapshot& snapshot) { return snapshot.t < 0.35; };
  const Outcome outcome = ran(fake, fake_scene(0.1, 1), options);
  CHECK_FALSE(outcome.run->completed);
  CHECK(outcome.run->why == "stopped on request");
  CHECK(outcome.run->end == 4 * 0.1);
}

TEST_CASE("a saved state goes on to the last bit") {
  Scene scene = fake_scene(0.1, 2);
  scene.simulation.tolerance = 1e-5;
  Keyframe release = key_at(0.33), grip = key_at(0.71), away = key_at(1.5);
  release.fix = kNothing;
  grip.fix = kAll;
  away.position = Vec3(3, 0, 0);
  scene.drivers.push_back({DriverKind::Hold, "h", 0, {release, grip, away}});
  auto hard = [](double, double dt) { return 3 * dt * dt * dt; };

  FakeOptions whole;
  whole.error = hard;
  SavedState at_once;
  RunOptions options;
  options.save = &at_once;
  ran(whole, scene, options);

  // stopped in between, gone on from there
  for (const double stop : {0.2, 0.5, 0.9}) {
    FakeOptions parts;
    parts.error = hard;
    SavedState middle, end;
    RunOptions first;
    first.frame = [&](const Snapshot& snapshot) { return snapshot.t < stop; };
    first.save = &middle;
    ran(parts, scene, first);
    RunOptions second;
    second.resume = &middle;
    second.save = &end;
    const Outcome outcome = ran(parts, scene, second);
    CHECK(outcome.run->start == middle.t);
    CHECK(end.t == at_once.t);
    CHECK(end.values == at_once.values);
  }
}

TEST_CASE("a saved state of another scene, or one that is past the end, is refused") {
  FakeOptions fake;
  SavedState saved;
  RunOptions options;
  options.save = &saved;
  ran(fake, fake_scene(0.1, 1), options);
  options = {};
  options.resume = &saved;
  const auto run_with = [&](const Scene& scene) {
    return sim::run_with(std::make_unique<FakeFormulation>(fake), scene, options);
  };
  CHECK(run_with(fake_scene(0.1, 1)).error().message.find("nothing to run") != std::string::npos);
  Scene other = fake_scene(0.1, 2);
  CHECK(run_with(other).ok());
  other.rods[0].segments = 51;
  CHECK(run_with(other).error().message.find("does not fit") != std::string::npos);
  saved.values.resize(7);
  CHECK(run_with(fake_scene(0.1, 2)).error().message.find("does not fit") != std::string::npos);
}

TEST_CASE("a hold switches at the time of its keyframe and grips where it is") {
  FakeOptions fake;
  Scene scene = fake_scene(0.1, 1);
  Keyframe begin = key_at(0), release = key_at(0.25), grip = key_at(0.55), end = key_at(0.95);
  begin.position = Vec3(7, 0, 0);
  release.fix = kNothing;
  grip.fix = kAll;
  end.position = Vec3(5, 0, 0);
  scene.drivers.push_back({DriverKind::Hold, "h", 0, {begin, release, grip, end}});
  const Outcome outcome = ran(fake, scene);
  CHECK(fake.log == std::vector<std::string>{"compiled pppooo", "compiled ......", "carried over", "compiled pppooo",
                                             "carried over"});
  REQUIRE(outcome.events.size() == 2);
  CHECK(outcome.events[0].t == 0.25);
  CHECK(outcome.events[0].kind == EventKind::LetGo);
  CHECK(outcome.events[0].object == ObjectRef{ObjectKind::Hold, "h"});
  CHECK(outcome.events[1].t == 0.55);
  CHECK(outcome.events[1].kind == EventKind::FixesPose);
  // steps end at the switches and then at multiples again
  std::vector<double> ends;
  for (const test::FakeCall& call : fake.calls) ends.push_back(call.t);
  CHECK(ends.size() == 12);
  CHECK(ends[2] == doctest::Approx(0.25));
  CHECK(ends[3] == doctest::Approx(0.3));
  // found at x(0.55), from there in an even rate to 5 at 0.95
  const test::FakeCall& next = fake.calls[7];
  CHECK(next.t == doctest::Approx(0.6));
  const double x = (0.4 * next.hold.position.x() - 0.05 * 5) / 0.35;
  CHECK(std::abs(x) < 1.5);
  CHECK(fake.calls[8].hold.position.x() == doctest::Approx(x + (5 - x) * 0.15 / 0.4));
  CHECK(fake.calls.back().hold.position.x() == 5);
  CHECK(next.hold.orientation.angularDistance(Quat(Eigen::AngleAxisd(0.55, Vec3::UnitY()))) < 1e-7);
  // the energy that the changes brought is accounted for: what is left is rounding
  CHECK(outcome.run->max_energy_error < 1e-14);
}

TEST_CASE("an equilibrium to start from that is not found ends the run before it begins") {
  FakeOptions fake;
  fake.converges = false;
  Scene scene = fake_scene(0.1, 1);
  scene.simulation.start = StartKind::Equilibrium;
  const Outcome outcome = ran(fake, scene);
  CHECK_FALSE(outcome.solve.converged);
  CHECK_FALSE(outcome.run->completed);
  CHECK(outcome.run->why.find("nothing holds it") != std::string::npos);
  CHECK(outcome.run->steps == 0);
  CHECK(outcome.states.size() == 1);
}

TEST_CASE("an inextensible stepper that neglects too much stops, unless the rods are declared so") {
  FakeOptions fake;
  fake.neglected_strain = 2e-3;
  Scene scene = fake_scene(0.1, 1);
  const Outcome outcome = ran(fake, scene);
  CHECK_FALSE(outcome.run->completed);
  CHECK(outcome.run->why.find("extensible: false") != std::string::npos);
  CHECK(outcome.run->end == 0);
  scene.rods[0].extensible = false;
  CHECK(ran(fake, scene).run->completed);
  CHECK(ran(fake, scene).run->neglected_strain == 2e-3);
}

TEST_CASE("events are told once, limits over the whole run") {
  FakeOptions fake;
  Scene scene = fake_scene(0.1, 7);
  scene.rods[0].limits.max_tension = 0.5;
  const Outcome outcome = ran(fake, scene);
  // cos t is below zero from π/2 to 3π/2
  REQUIRE(outcome.events.size() == 1);
  CHECK(outcome.events[0].t == doctest::Approx(1.6));
  REQUIRE(outcome.checks.size() == 1);
  CHECK(outcome.checks[0].violated);
  CHECK(outcome.checks[0].t == 0);
  CHECK(outcome.checks[0].value == 1);
}

TEST_CASE("what a run needs") {
  FakeOptions fake;
  const auto refused = [&](const Scene& scene) {
    return sim::run_with(std::make_unique<FakeFormulation>(fake), scene, {}).error().message;
  };
  CHECK(refused(fake_scene(0.1, 0)).find("simulation.end is missing") == 0);
  Scene scene = fake_scene(0.1, 1);
  scene.simulation.start = StartKind::Result;
  CHECK(refused(scene).find("starts from a result") != std::string::npos);
}

}  // namespace filum::test_run
