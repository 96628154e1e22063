// What of a scene the variational stepper refuses, by name; and that it takes up states of another origin.
#include "unit/kirchhoff/test_variational_rig.hpp"

namespace filum::test_variational_scene {

using namespace filum::test::threads;

namespace {

// One problem, at this place, that names the thing.
void check_refused(const Scene& scene, const std::string& first, const std::string& name) {
  const auto problems = kirchhoff::variational_refusals(scene);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].path.front() == first);
  CHECK_MESSAGE(problems[0].message.find(name) != std::string::npos, problems[0].message);
}

}  // namespace

TEST_CASE("what it cannot do is refused by name, what it can is not") {
  const Thread thread;
  Scene good = thread.scene();
  good.holds = {hold("near", 0, true, true), hold("far", 1, true, false)};
  Hold rail = hold("rail", 0.5, true, false);
  rail.fix.position = {false, true, false};
  good.holds.push_back(rail);
  good.rods[0].damping = {1, 1e-3, 1e-6, 1e-6, 1, 0.1};
  PointForce force;
  force.point = {"thread", {0.3, 0}};
  force.force = {1, 0, 0};
  good.forces = {force};
  CHECK(kirchhoff::variational_refusals(good).empty());

  Scene scene = good;
  scene.rods[0].rest.kind = RestKind::Uniform;
  check_refused(scene, "rods", "'thread'");
  scene = good;
  scene.sections[0].section.EI = {1e-3, 2e-3};
  check_refused(scene, "rods", "'thread'");
  scene = good;
  scene.sections[0].section.mass_per_length = 0;
  check_refused(scene, "rods", "mass");
  scene = good;
  scene.holds[1].slide = true;
  check_refused(scene, "holds", "'far'");
  scene = good;
  scene.holds[0].fix.orientation = {true, true, false};
  check_refused(scene, "holds", "'near'");
  scene = good;
  Junction junction;
  junction.name = "knot";
  scene.junctions = {junction};
  check_refused(scene, "junctions", "'knot'");
  scene = good;
  Body body;
  body.name = "bob";
  body.motion = BodyMotion::Free;
  scene.bodies = {body};
  check_refused(scene, "bodies", "'bob'");
  scene = good;
  scene.torques.resize(1);
  check_refused(scene, "torques", "torque 1");
  scene = good;
  scene.forces[0].follow = true;
  check_refused(scene, "forces", "force 1");
  scene = good;
  Driver driver;
  driver.kind = DriverKind::Rod;
  driver.target = "thread";
  scene.drivers = {driver};
  check_refused(scene, "drivers", "'thread'");
  scene = good;
  driver.kind = DriverKind::Hold;
  driver.target = "near";
  driver.path.resize(1);
  driver.path[0].fix = Fix{{true, true, true}, {false, true, true}};
  scene.drivers = {driver};
  check_refused(scene, "drivers", "'near'");
  scene = good;
  scene.simulation.rotary_inertia = true;
  check_refused(scene, "simulation", "rotary inertia");
  scene = good;
  scene.simulation.tolerance = 1e-4;
  check_refused(scene, "simulation", "adaptive");
  scene = good;
  scene.simulation.iterations = 3;
  check_refused(scene, "simulation", "iterations");
}

TEST_CASE("a drawn curve starts with the rod's length and moves without a jolt") {
  // the chords of a half circle alone would be 0.1 % too short for the rod
  Thread thread;
  Scene scene = thread.scene();
  scene.rods[0].shape = Curve{};
  scene.rods[0].shape.kind = CurveKind::Arc;
  scene.rods[0].shape.start = {1 / 3.14159265358979, 0, 0};
  scene.rods[0].shape.angle = 3.14159265358979;
  Motion motion(scene);
  CHECK(motion.strain() < 1e-11);
  const double energy = motion.stepper->elastic_energy(motion.state).value();
  motion.step(0.01 * motion.scheme->longest_step());
  CHECK(motion.strain() < 1e-11);
  // it springs open from rest: hardly any speed after a short step
  CHECK(motion.kinetic() < 1e-3 * energy);
  CHECK(motion.stepper->elastic_energy(motion.state).value() == doctest::Approx(energy).epsilon(0.01));
}

TEST_CASE("steps are repeatable to the last bit, also after going back to a copy") {
  Thread thread;
  Scene scene = thread.scene();
  scene.gravity = {0, 0, -9.81};
  scene.holds = {hold("near", 0, true, true)};
  Motion one(scene);
  Motion two(scene);
  const double h = 0.7 * one.scheme->longest_step();
  for (int k = 0; k < 100; ++k) {
    one.step(h);
    const discrete::RodState before = two.state;
    two.step(0.5 * h);
    two.state = before;
    two.step(h);
  }
  for (std::size_t n = 0; n < one.state.position.size(); ++n) {
    CHECK(one.state.position[n] == two.state.position[n]);
    CHECK(one.state.velocity[n] == two.state.velocity[n]);
  }
  CHECK(one.state.twist == two.state.twist);
}

TEST_CASE("the neglected strain is that of the largest tension, unless the rod says it does not matter") {
  Thread thread;
  Scene scene = thread.scene();
  scene.gravity = {9.81, 0, 0};
  scene.holds = {hold("near", 0, true, true)};
  for (const bool extensible : {true, false}) {
    scene.rods[0].extensible = extensible;
    Motion motion(scene);
    const StepReport report = motion.step(0.5 * motion.scheme->longest_step());
    // hanging straight down: the first edge carries all but half an edge's weight
    const double weight = 9.81 * thread.mass_per_length * (1 - 0.5 / thread.segments);
    CHECK(motion.state.tension[0] == doctest::Approx(weight).epsilon(1e-9));
    CHECK(report.neglected_strain == doctest::Approx(extensible ? weight / thread.stretch : 0).epsilon(1e-9));
    CHECK(motion.state.hold_force[0].x() == doctest::Approx(-9.81 * thread.mass_per_length).epsilon(1e-9));
  }
}

}  // namespace filum::test_variational_scene
