// Rigid bodies on rods under the projection stepper.
#include "unit/kirchhoff/projection_rig.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_projection_bodies {

using namespace filum::test;

namespace {

Body& add_body(Scene& scene, const Vec3& position, double mass, const Vec3& inertia) {
  Body body;
  body.name = "body" + std::to_string(scene.bodies.size());
  body.mass = mass;
  body.inertia = inertia;
  body.box = Vec3(0.05, 0.05, 0.05);
  body.position = position;
  body.motion = BodyMotion::Free;
  scene.bodies.push_back(body);
  return scene.bodies.back();
}

double tie_error(const Motion& motion) {
  double worst = 0;
  for (const discrete::Tie& tie : motion.model.ties) {
    const Vec3 gap = motion.state.position[at(tie.master)] + motion.state.rotor[at(tie.rotor)] * tie.arm -
                     motion.state.position[at(tie.slave)];
    worst = std::max(worst, gap.norm());
  }
  return worst;
}

Vec3 angular_momentum(const Motion& motion) {
  Vec3 sum = Vec3::Zero();
  for (int node = 0; node < motion.model.nodes; ++node)
    sum += motion.model.node_mass[at(node)] * motion.state.position[at(node)].cross(motion.state.velocity[at(node)]);
  for (const discrete::FreeBody& body : motion.model.bodies)
    sum += motion.state.rotor[at(body.rotor)] * motion.model.rotors[at(body.rotor)].inertia *
           motion.state.rotor_spin[at(body.rotor)];
  return sum;
}

// Period of a body's turning about the rod, with the body at one end and a clamp at the other.
double torsional_period(bool body_at_end) {
  Scene scene = bare_scene(given(0.01, 0.004, 0.02));
  add_line(scene, {0, 0, 0}, {0, 0, -1}, 12);
  add_hold(scene, body_at_end ? 0 : 1, Grip::Clamp);
  add_hold(scene, body_at_end ? 1 : 0, Grip::Clamp).body = "body0";
  add_body(scene, {0, 0, body_at_end ? -1.0 : 0.0}, 0.5, Vec3(4e-4, 4e-4, 3e-4)).spin = Vec3(0, 0, 2);
  Motion motion(scene);
  const double h = motion.scheme->longest_step();
  double last = 0;
  double first = 0;
  int crossings = 0;
  for (long k = 1; k < 200000; ++k) {
    motion.steps(1, h);
    const double spin = motion.state.rotor_spin[at(motion.model.bodies[0].rotor)].z();
    // a torque of the wrong sign would make it run away
    REQUIRE(std::abs(spin) < 2.2);
    if (k > 1 && last * spin < 0) {
      const double t = h * (static_cast<double>(k) - spin / (spin - last));
      if (crossings == 0) first = t;
      if (++crossings == 5) return (t - first) / 2;
    }
    last = spin;
  }
  return 0;
}

}  // namespace

TEST_CASE("projection: a torsional pendulum has the period 2π√(I L/GJ), at either end") {
  const double wanted = kTurn * std::sqrt(3e-4 / 0.004);
  CHECK(torsional_period(true) == doctest::Approx(wanted).epsilon(1e-3));
  CHECK(torsional_period(false) == doctest::Approx(wanted).epsilon(1e-3));
}

TEST_CASE("projection: bodies at both ends and between rods stay attached, and nothing is singular") {
  Scene scene = bare_scene(given(0.01, 0.008, 0.1));
  scene.gravity = {0, 0, -9.81};
  add_line(scene, {0, 0, 0}, {0.5, 0, 0}, 10);
  add_line(scene, {0.6, 0, 0}, {1.1, 0, 0}, 10);
  add_line(scene, {0.55, 0.05, 0}, {0.55, 0.4, 0}, 8);
  add_body(scene, {0.55, 0, 0}, 0.3, Vec3(3e-4, 4e-4, 5e-4)).spin = Vec3(1, 5, 2);
  add_body(scene, {1.15, 0, 0}, 0.1, Vec3(1e-4, 1e-4, 2e-4));
  add_hold(scene, 0, Grip::Place, 0);
  add_hold(scene, 1, Grip::Clamp, 0).body = "body0";
  add_hold(scene, 0, Grip::Clamp, 1).body = "body0";
  add_hold(scene, 1, Grip::Place, 1).body = "body1";
  add_hold(scene, 0, Grip::Place, 2).body = "body0";
  Motion motion(scene);
  const double h = motion.scheme->longest_step();
  for (int k = 0; k < 3000; ++k) {
    motion.steps(1, h);
    REQUIRE(tie_error(motion) <= 2e-10);
    REQUIRE(motion.stretch() <= 1e-10);
  }
  CHECK(motion.fastest() > 0.1);
  // orientations stay rotations
  for (const Mat3& rotor : motion.state.rotor) CHECK((rotor * rotor.transpose() - Mat3::Identity()).norm() < 1e-12);
}

TEST_CASE("projection: two neighbouring nodes on one body do not make the solve singular") {
  Scene scene = bare_scene(given(0.01, 0.008, 0.1));
  add_line(scene, {0, 0, 0}, {1, 0, 0}, 10);
  add_body(scene, {0, 0, 0}, 0.2, Vec3(2e-4, 2e-4, 2e-4)).spin = Vec3(0, 0, 3);
  add_hold(scene, 0, Grip::Place).body = "body0";
  add_hold(scene, 0.1, Grip::Place).body = "body0";
  Motion motion(scene);
  motion.steps(2000, motion.scheme->longest_step());
  CHECK(tie_error(motion) < 2e-10);
  CHECK(motion.stretch() < 1e-9);
}

TEST_CASE("projection: a free body turns as a free body, and keeps its angular momentum") {
  Scene scene = bare_scene(given(0.01, 0.008, 0.1));
  add_line(scene, {0, 0, 0}, {1, 0, 0}, 4);
  Body& body = add_body(scene, {0, 2, 0}, 0.2, Vec3(1e-4, 2e-4, 3e-4));
  body.orientation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  body.spin = Vec3(0.4, 6, 0.2);
  Motion motion(scene);
  const Vec3 before = angular_momentum(motion);
  const double energy = motion.kinetic();
  motion.steps(5000, 1e-3);
  CHECK((angular_momentum(motion) - before).norm() < 1e-11 * before.norm());
  CHECK(motion.kinetic() == doctest::Approx(energy).epsilon(1e-10));
}

TEST_CASE("projection: rod and body together keep their momentum") {
  Scene scene = bare_scene(given(0.01, 0.008, 0.1));
  add_line(scene, {0, 0, 0}, {0.6, 0, 0}, 12);
  Body& body = add_body(scene, {-0.05, 0, 0}, 0.2, Vec3(2e-4, 3e-4, 3e-4));
  body.velocity = Vec3(0, 0.2, 0.4);
  body.spin = Vec3(3, 2, -1);
  add_hold(scene, 0, Grip::Clamp).body = "body0";
  Motion motion(scene);
  const double h = motion.scheme->longest_step();
  const Vec3 momentum = motion.momentum();
  const Vec3 turning = angular_momentum(motion);
  const double energy = motion.energy();
  motion.steps(static_cast<long>(1 / h), h);
  CHECK((motion.momentum() - momentum).norm() < 1e-12 * momentum.norm());
  // gradients at the iterate instead of at the step's beginning: angular momentum to first order in h only
  CHECK((angular_momentum(motion) - turning).norm() < 0.01 * turning.norm());
  CHECK(motion.energy() < 1.02 * energy);
  CHECK(motion.energy() > 0.9 * energy);
}

TEST_CASE("projection: a falling body is stopped by its taut rod, which carries its weight") {
  Scene scene = bare_scene(given(0.001, 0.0008, 0.02));
  scene.gravity = {0, 0, -9.81};
  add_line(scene, {0, 0, 0}, {0, 0, -0.5}, 10).damping.mass = 1;
  add_body(scene, {0, 0, -0.55}, 0.5, Vec3(3e-4, 3e-4, 3e-4));
  add_hold(scene, 0, Grip::Place);
  add_hold(scene, 1, Grip::Place).body = "body0";
  Motion motion(scene);
  motion.steps(2000, motion.scheme->longest_step());
  CHECK(motion.state.position[at(motion.model.bodies[0].node)].z() == doctest::Approx(-0.55).epsilon(1e-9));
  CHECK(motion.state.hold_force[0].z() == doctest::Approx(9.81 * 0.51).epsilon(1e-6));
  // the body pulls the rod's end down with its weight
  CHECK(motion.state.hold_force[1].z() == doctest::Approx(-9.81 * 0.5).epsilon(1e-6));
}

}  // namespace filum::test_projection_bodies
