// Once set up, an iteration allocates nothing.
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "formulations/kirchhoff/kirchhoff.hpp"
#include "sim/drivers.hpp"
#include "sim/live/engine.hpp"
#include "unit/count_allocations.hpp"
#include "unit/kirchhoff/projection_rig.hpp"
#include "unit/kirchhoff/test_variational_rig.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

namespace filum::test_allocation {

using namespace filum::discrete;
using namespace filum::kirchhoff;

namespace {

long allocations_of_an_iteration(const std::string& text) {
  const ModelData model = compile_model(test::scene_of(text));
  RodSystem system(model);
  const Targets targets = sim::resting_targets(*model.scene);
  RodState state = start_state(model, targets);
  double turned = 0;
  auto iterate = [&] {
    system.evaluate(state, targets, RodSystem::Want::NewtonTangent);
    system.solve(0);
    turned += system.largest_rotation(state);
    system.advance(state, 0.01);
  };
  iterate();
  const long before = g_allocations;
  iterate();
  iterate();
  const long after = g_allocations;
  CHECK(turned > 0);
  return after - before;
}

}  // namespace

TEST_CASE("evaluate, solve and advance do not allocate after the first call") {
  // the counter counts
  const long before = g_allocations;
  ::operator delete(::operator new(3));
  CHECK(g_allocations > before);

  const std::string rods = R"(
rods:
  a: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.4,0,0]]}}
  b: {material: rubber, section: band, segments: 20, shape: {line: [[0.2,0,0],[0.2,0.3,0]]}}
  c: {material: rubber, section: hose, segments: 20, closed: true,
      shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 1 turn}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: 0.37, fix: [position], slide: true},
        {rod: b, at: end, fix: [position]}, {rod: c, at: start, fix: [position]}]
junctions: [{rods: [{rod: a, at: middle}, {rod: b, at: start}]}]
)";
  CHECK(allocations_of_an_iteration(rods) == 0);
  // the unsymmetric twin
  CHECK(allocations_of_an_iteration(rods + "torques: [{rod: b, at: middle, torque: [0, 0.01, 0.02], follow: true}]") ==
        0);
}

TEST_CASE("a step of a run does not allocate, drivers, halvings and going back included") {
  Scene scene = test::scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.4,0,0]]}}}
bodies: {arm: {motion: driven, position: [0.4, 0, 0]}}
holds: [{name: near, rod: a, at: start, fix: [position, orientation]},
        {name: far, rod: a, at: end, fix: [position, orientation], body: arm}]
forces: [{rod: a, at: middle, force: [0, 0, -0.1]}]
drivers:
  - {hold: near, path: [{t: 0}, {t: 1, turns: 20}]}
  - {body: arm, path: [{t: 0}, {t: 1, position: [0.3, 0.1, 0]}]}
  - {force: 0, path: [{t: 0, scale: 0}, {t: 1, scale: 1}]}
)");
  scene.simulation.step = 1.0 / 60;
  scene.simulation.end = 1;
  for (const bool adaptive : {false, true}) {
    if (adaptive) scene.simulation.tolerance = 1e-6;
    sim::Engine engine(scene, std::make_unique<KirchhoffFormulation>());
    engine.begin();
    REQUIRE(engine.step(1));
    // the first failure is told, which takes a text; later ones are not
    if (engine.report().failed_steps > 0) (void)engine.take_events();
    long most = 0;
    for (int k = 0; k < 20; ++k) {
      const bool failed_before = engine.report().failed_steps > 0;
      const long before = g_allocations;
      const bool moved = engine.step(1);
      const long after = g_allocations;
      REQUIRE(moved);
      if (failed_before == (engine.report().failed_steps > 0)) most = std::max(most, after - before);
    }
    CHECK(most == 0);
  }
}

TEST_CASE("a step by projection does not allocate") {
  for (const bool round : {true, false}) {
    Scene scene = test::bare_scene(test::given(0.01, 0.008, 0.1));
    if (!round) scene.sections[0].section.EI[1] = 0.02;
    test::add_line(scene, Vec3::Zero(), Vec3::UnitX(), 12).damping = {1, 1e-3, 1e-5, 1e-5, 0, 0.1};
    test::add_ring(scene, 1, 12);
    Body body;
    body.name = "body";
    body.mass = 0.1;
    body.box = Vec3(0.1, 0.1, 0.1);
    body.position = Vec3(1.05, 0, 0);
    body.motion = BodyMotion::Free;
    scene.bodies.push_back(body);
    test::add_hold(scene, 0, test::Grip::Clamp);
    test::add_hold(scene, 1, test::Grip::Clamp).body = "body";
    test::Motion motion(scene);
    REQUIRE(motion.step(1e-4).usable);
    const long before = g_allocations;
    const bool usable = motion.step(1e-4).usable;
    const long after = g_allocations;
    CHECK(usable);
    CHECK(after == before);
  }
}

TEST_CASE("a variational step does not allocate, failed and taut ones included") {
  test::threads::Thread thread;
  Scene scene = thread.scene();
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].damping = {1, 1e-4, 1e-6, 1e-6, 0, 0.01};
  scene.holds = {test::threads::hold("near", 0, true, true), test::threads::hold("far", 1, true, true)};
  test::threads::Motion motion(scene);
  motion.targets.holds[1].position.x() = 0.9;
  const double h = 0.5 * motion.scheme->longest_step();
  // the far hold comes in from where the thread is slack
  for (std::size_t n = 0; n < motion.state.position.size(); ++n) {
    const double s = static_cast<double>(n) / 20;
    motion.state.position[n] = Vec3(0.9 * s, 0, -0.2 * std::sin(3.14159265358979 * s));
  }
  for (std::size_t j = 0; j < motion.state.edge.size(); ++j)
    motion.state.edge[j] = motion.state.position[j + 1] - motion.state.position[j];
  REQUIRE(motion.stepper->step(motion.state, motion.targets, h).usable);
  const long before = g_allocations;
  motion.targets.holds[1].turns = 0.01;
  const bool usable = motion.stepper->step(motion.state, motion.targets, h).usable;
  const double longest = motion.scheme->longest_step_from(motion.state);
  const bool refused = !motion.stepper->step(motion.state, motion.targets, 100 * h).usable;
  const long after = g_allocations;
  CHECK(usable);
  CHECK(longest > 0);
  CHECK(refused);
  CHECK(after == before);
}

}  // namespace filum::test_allocation
