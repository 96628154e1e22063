// How long a step may be from a given state, and that runs keep to it: taut rods, bodies that spin.
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "unit/rod_rig.hpp"

#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_longest_step {

using test::scene_of;

namespace {

struct Trace {
  RunReport report;
  double worst = 0;  // of the energy balance
  double most = 0;   // largest kinetic energy
  std::string why;
};

// Through a session, which divides steps beforehand and halves those that fail.
Trace play(const Scene& scene, double end) {
  Result<Session> session = Session::begin(scene);
  REQUIRE_MESSAGE(session.ok(), (session.ok() ? "" : session.error().text()));
  Trace trace;
  const double start = session->pose().energy.balance();
  while (session->time() < end - 1e-9) {
    if (!session->step()) {
      trace.why = session->report().why;
      break;
    }
    const Energy energy = session->pose().energy;
    trace.worst = std::max(trace.worst, std::abs(energy.balance() - start));
    trace.most = std::max(trace.most, energy.kinetic);
  }
  trace.report = session->report();
  return trace;
}

// A kilogram on a thread of a gram, 5 degrees off the plumb line: as a string of 20 masses its tension of 9.8 N makes
// it vibrate at ω = √(4T/ml) = 4000/s.
Scene pendulum() {
  Scene scene = scene_of(R"(
  thread: {shape: given, EA: 1e5, EI: [1e-6, 1e-6], GJ: 1e-6, mass_per_length: 1e-3, radius: 2 mm}
rods: {a: {section: thread, segments: 20, extensible: false, shape: {line: [[0,0,0],[0.0871557,0,-0.9961947]]}}}
bodies: {b: {mass: 1, motion: free, position: [0.0871557,0,-0.9961947]}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position], body: b}]
)");
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.stepper = Stepper::Projection;
  scene.simulation.step = 1e-2;
  return scene;
}

// The same thread, pulled by 10 N instead of a weight.
Scene pulled() {
  Scene scene = pendulum();
  scene.bodies.clear();
  scene.holds.pop_back();
  scene.forces.push_back({{"a", {1, 0}}, "", Vec3(0, 0, -10), false});
  scene.simulation.stepper = Stepper::Variational;
  return scene;
}

}  // namespace

TEST_CASE("a taut thread shortens the longest step of the steppers that take it as a string") {
  for (const Stepper stepper : {Stepper::Projection, Stepper::Variational}) {
    Scene scene = pulled();
    scene.simulation.stepper = stepper;
    const auto model = sim::make_formulation("kirchhoff")->compile(scene);
    const std::unique_ptr<Workspace> workspace = model->workspace();
    const Targets targets = sim::resting_targets(scene);
    const auto state = model->start(targets);
    // nothing pulls at it yet, so far as the state knows
    CHECK(model->longest_step_from(*state) == model->longest_step());
    for (int k = 0; k < 200; ++k) REQUIRE(model->step(*workspace, *state, targets, 1e-5).usable);
    // 0.9/ω of projection; of variational at most 1/ω, and no less than 1/√2 of that
    const double inverse_rate = 1 / std::sqrt(4 * 10 / (5e-5 * 0.05));
    CHECK(model->longest_step_from(*state) < 1.01 * inverse_rate);
    CHECK(model->longest_step_from(*state) > 0.6 * inverse_rate);
  }
}

TEST_CASE("a heavy weight on a light thread swings by projection without a failed step") {
  const Trace trace = play(pendulum(), 2);
  CHECK(trace.why == "");
  CHECK(trace.report.failed_steps == 0);
  // one hundredth of the swing a second; before steps were divided for it, four tenths of it were lost
  CHECK(trace.worst < 0.05 * trace.most);
}

TEST_CASE("a thread that is pulled hard vibrates as a string in the variational stepper") {
  const Trace trace = play(pulled(), 0.5);
  CHECK(trace.why == "");
  // the first step, of which nothing is known before
  CHECK(trace.report.failed_steps <= 1);
  CHECK(trace.worst < 0.02 * trace.most);
}

TEST_CASE("a body that spins fast divides the step: half a radian in each") {
  Scene scene = scene_of(R"(
  shaft: {shape: given, EA: 1e5, EI: [10, 10], GJ: 0.01, mass_per_length: 1e-3, radius: 2 mm}
gravity: [0, 0, 0]
rods: {a: {section: shaft, segments: 10, shape: {line: [[0,0,0],[0,0,-1]]}}}
bodies: {b: {mass: 1, inertia: 1e-3, motion: free, position: [0,0,-1], spin: [0,0,300]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], body: b}]
)");
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.step = 1.0 / 60;
  const Trace trace = play(scene, 1);
  CHECK(trace.why == "");
  // 5 rad in a step of the scene
  CHECK(trace.report.smallest_step < 1.1 / 600);
  // 45 J at 300 rad/s; a fifth of it was lost at 5 rad a step
  CHECK(trace.most == doctest::Approx(45).epsilon(0.01));
  // the twist that it winds up goes on in waves of 25 000 rad/s: moments that were let off with the round-off of the
  // body's position, far larger, would leave 1e-4 of the energy
  CHECK(trace.worst < 1e-6 * trace.most);
}

TEST_CASE("what no step is short enough for is said in words that help") {
  // tight between two holds, one of which goes away
  Scene scene = pulled();
  scene.forces.clear();
  scene.gravity = Vec3::Zero();
  Hold far = scene.holds.front();
  far.name = "far";
  far.at = {1, 0};
  scene.holds.push_back(far);
  for (const Stepper stepper : {Stepper::Projection, Stepper::Variational}) {
    scene.simulation.stepper = stepper;
    Result<Session> session = Session::begin(scene);
    REQUIRE(session.ok());
    REQUIRE(session->move_hold("far", Vec3(0.1, 0, -1.1)).ok());
    CHECK_FALSE(session->step());
    CHECK(session->report().why.find("stretched tight between two holds") != std::string::npos);
    CHECK(session->report().why.find("'implicit'") != std::string::npos);
  }
}

// Its energy goes into waves that turn edges by a tenth of a radian in a thousandth of a step. With the moments that
// corrections by hundredths of it seem to make the hard way, Newton would have to go on in parts of that size (840
// iterations a step); with moments of its own it takes some 30.
TEST_CASE("a strip that springs open in the air is followed in few iterations") {
  const Scene scene = scene_of(R"(
  strip: {shape: rectangle, width: 6.8 mm, height: 1.27 mm}
gravity: [0, 0, 0]
rods: {a: {material: metal, section: strip, segments: 30, velocity: [0.5, 0, 0.6], spin: [0, 4, 2], rest: straight,
  shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 160 deg}}}}
simulation: {mode: dynamics, step: 1/60}
)");
  const Trace trace = play(scene, 0.1);
  CHECK(trace.why.empty());
  CHECK(trace.worst < 1e-7 * trace.most);
  CHECK(trace.report.iterations < 150 * trace.report.steps);
}

}  // namespace filum::test_longest_step
