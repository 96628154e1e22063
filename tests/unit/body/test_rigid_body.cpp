// Rigid bodies: inertia, Newton-Euler, and what the step keeps.
#include "body/rigid_body.hpp"

#include "math/rotation.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_rigid_body {

using namespace filum::body;
using math::kPi;

namespace {

const RigidBody kBrick = box_body(2, Vec3(0.1, 0.2, 0.3));

State tumbling(const RigidBody& body = kBrick) {
  State state;
  state.orientation = math::exp_quat(Vec3(0.3, -0.8, 0.5));
  state.position = Vec3(1, 2, 3);
  state.velocity = Vec3(0.1, -0.2, 0.3);
  state.angular_momentum = world_inertia(body, state.orientation) * Vec3(3, -2, 5);
  return state;
}

// Distance between two states after the same time: position and orientation.
double distance(const State& a, const State& b) {
  return (a.position - b.position).norm() + a.orientation.angularDistance(b.orientation);
}

State run(const RigidBody& body, State state, const Vec3& force, const Vec3& torque, double time, int steps) {
  for (int i = 0; i < steps; ++i) step(body, state, force, torque, time / steps);
  return state;
}

}  // namespace

TEST_CASE("a box has the textbook inertia, a point none") {
  const RigidBody body = box_body(12, Vec3(1, 2, 3));
  CHECK((body.inertia - Vec3(13, 10, 5)).norm() < 1e-14);
  CHECK(box_body(3, Vec3::Zero()).inertia == Vec3::Zero());

  // a quarter turn about z exchanges x and y
  const Mat3 turned = world_inertia(body, math::exp_quat(Vec3(0, 0, kPi / 2)));
  CHECK((turned.diagonal() - Vec3(10, 13, 5)).norm() < 1e-13);
  CHECK((turned - Mat3(turned.diagonal().asDiagonal())).norm() < 1e-13);
}

TEST_CASE("momentum and energy agree with the world inertia") {
  const RigidBody body = box_body(4, Vec3(0.1, 0.4, 0.9));
  const State state = tumbling(body);
  const Mat3 inertia = world_inertia(body, state.orientation);
  const Vec3 omega(3, -2, 5);
  CHECK((spin(body, state) - omega).norm() < 1e-13);
  CHECK(kinetic_energy(body, state) ==
        doctest::Approx(2 * state.velocity.squaredNorm() + 0.5 * omega.dot(inertia * omega)).epsilon(1e-14));
}

TEST_CASE("three rotation increments carry the energy that four quaternion rates do") {
  // M = 4 [q] diag(1, I) [q]ᵀ, q̇ = ½ ω q: ½ q̇ᵀ M q̇ = ½ ω·(R I Rᵀ) ω, and M has an inverse
  const State state = tumbling();
  const Vec3 omega(3, -2, 5);
  const math::Mat4 left = math::quat_left(state.orientation);
  const math::Vec4 moments(1, kBrick.inertia[0], kBrick.inertia[1], kBrick.inertia[2]);
  const math::Mat4 mass = 4 * left * moments.asDiagonal() * left.transpose();
  const math::Vec4 rate = 0.5 * math::to_vec4(Quat(0, omega.x(), omega.y(), omega.z()) * state.orientation);
  CHECK(0.5 * rate.dot(mass * rate) == doctest::Approx(0.5 * omega.dot(state.angular_momentum)).epsilon(1e-14));
  CHECK(mass.determinant() == doctest::Approx(256 * kBrick.inertia.prod()).epsilon(1e-12));
}

TEST_CASE("a torque-free body keeps momentum, energy and unit length over 100 000 steps") {
  State state = tumbling();
  const double energy = kinetic_energy(kBrick, state);
  double energy_error = 0;
  double length_error = 0;
  double momentum_error = 0;
  for (int i = 0; i < 100000; ++i) {
    step(kBrick, state, Vec3::Zero(), Vec3::Zero(), 1.0 / 60);
    energy_error = std::max(energy_error, std::abs(kinetic_energy(kBrick, state) / energy - 1));
    length_error = std::max(length_error, std::abs(state.orientation.norm() - 1));
    // the stored momentum is the one that pose and spin have
    const Vec3 moving = world_inertia(kBrick, state.orientation) * spin(kBrick, state);
    momentum_error = std::max(momentum_error, (moving - tumbling().angular_momentum).norm());
  }
  CHECK(state.angular_momentum == tumbling().angular_momentum);
  CHECK(momentum_error < 1e-14 * tumbling().angular_momentum.norm());
  // rounding of the attitude walks at random: about √1e5 × 1e-16 × the spread of the moments
  CHECK(energy_error < 1e-12);
  CHECK(length_error < 1e-14);
  CHECK(state.velocity == tumbling().velocity);
  // it has not stood still
  CHECK(state.orientation.angularDistance(tumbling().orientation) > 0.1);
}

TEST_CASE("a spin about a principal axis is exact in one step, however long") {
  for (int axis = 0; axis < 3; ++axis) {
    State state;
    state.orientation = math::exp_quat(Vec3(0.3, -0.8, 0.5));
    const Quat start = state.orientation;
    state.angular_momentum = start * (2.5 * kBrick.inertia[axis] * Vec3::Unit(axis));
    step(kBrick, state, Vec3::Zero(), Vec3::Zero(), 1.0);
    CHECK(state.orientation.angularDistance(start * math::exp_quat(2.5 * Vec3::Unit(axis))) < 1e-13);
    CHECK((spin(kBrick, state) - start * (2.5 * Vec3::Unit(axis))).norm() < 1e-13);
  }
}

TEST_CASE("a symmetric top precesses as theory says") {
  // free precession of the axis about L at |L|/I1
  const RigidBody top{1, Vec3(2, 2, 1)};
  State state;
  state.angular_momentum = Vec3(2, 0, 3);
  const double period = 2 * kPi * 2 / state.angular_momentum.norm();
  const auto axis_error = [&](int steps) {
    const State end = run(top, state, Vec3::Zero(), Vec3::Zero(), period, steps);
    return (end.orientation * Vec3::UnitZ() - Vec3::UnitZ()).norm();
  };
  CHECK(axis_error(200) < 1e-3);
  CHECK(std::log2(axis_error(100) / axis_error(200)) == doctest::Approx(2).epsilon(0.02));
}

TEST_CASE("the step is of second order under load and returns when time is turned") {
  const Vec3 force(1, 2, -3);
  const Vec3 torque(0.02, -0.05, 0.03);
  const State fine = run(kBrick, tumbling(), force, torque, 1, 6400);
  const double coarse = distance(run(kBrick, tumbling(), force, torque, 1, 100), fine);
  const double half = distance(run(kBrick, tumbling(), force, torque, 1, 200), fine);
  CHECK(std::log2(coarse / half) == doctest::Approx(2).epsilon(0.03));

  // a constant force gives the parabola exactly, a constant torque adds up exactly
  CHECK((fine.position - (Vec3(1, 2, 3) + Vec3(0.1, -0.2, 0.3) + force / 4)).norm() < 1e-12);
  CHECK((fine.angular_momentum - tumbling().angular_momentum - torque).norm() < 1e-13);

  State back = run(kBrick, tumbling(), force, torque, 1, 100);
  for (int i = 0; i < 100; ++i) step(kBrick, back, force, torque, -0.01);
  CHECK(distance(back, tumbling()) < 1e-12);
}

TEST_CASE("the step follows Newton and Euler") {
  const Vec3 force(1, 2, -3);
  const Vec3 torque(0.02, -0.05, 0.03);
  const State start = tumbling();
  const Acceleration rate = newton_euler(kBrick, start, force, torque);
  CHECK((rate.linear - force / 2).norm() < 1e-15);
  // d(R I Rᵀ ω)/dt = τ: the equation itself
  const Vec3 net =
      world_inertia(kBrick, start.orientation) * rate.angular + spin(kBrick, start).cross(start.angular_momentum);
  CHECK((net - torque).norm() < 1e-14);
  // central difference of the spin over a step forth and one back: error of order h² × third derivatives
  State forth = start;
  State back = start;
  const double h = 1e-4;
  step(kBrick, forth, force, torque, h);
  step(kBrick, back, force, torque, -h);
  CHECK(((spin(kBrick, forth) - spin(kBrick, back)) / (2 * h) - rate.angular).norm() < 1e-5 * rate.angular.norm());
}

TEST_CASE("violent and degenerate bodies stay finite and keep their energy") {
  // many turns a step, moments a thousand to one
  const RigidBody needle{1, Vec3(1, 1.001, 1e-3)};
  State state;
  state.angular_momentum = Vec3(40, 30, 0.2);
  const double energy = kinetic_energy(needle, state);
  for (int i = 0; i < 100; ++i) step(needle, state, Vec3::Zero(), Vec3::Zero(), 1.0 / 60);
  // an error e of the attitude changes the energy by e × the spread of the inverse moments, here a thousandfold
  CHECK(kinetic_energy(needle, state) == doctest::Approx(energy).epsilon(1e-11));

  // a point answers forces, and does not turn
  const RigidBody point = box_body(2, Vec3::Zero());
  State moved;
  step(point, moved, Vec3(2, 0, 0), Vec3(1, 1, 1), 1);
  CHECK(moved.velocity == Vec3(1, 0, 0));
  CHECK(moved.orientation.coeffs() == Quat::Identity().coeffs());
  CHECK(spin(point, moved) == Vec3::Zero());
}

}  // namespace filum::test_rigid_body
