#include "body/rigid_body.hpp"

#include "geometry/primitives.hpp"
#include "math/dense.hpp"
#include "math/rotation.hpp"

#include <cmath>
#include <optional>

namespace filum::body {
namespace {

constexpr int kMaxNewton = 12;
// A turn that Newton cannot find is cut in halves, at most this often.
constexpr int kMaxHalvings = 16;

// 1/I, 0 for an axis without inertia.
Vec3 inverse_inertia(const RigidBody& body) {
  return body.inertia.unaryExpr([](double moment) { return moment > 0 ? 1 / moment : 0.0; });
}

// The rotation vector h·Ω (body frame) of one free step: I Ω = ½(Π0 + Π1) with Π1 = exp(−hΩ) Π0.
//
// It is the energy-momentum midpoint rule of Austin, Krishnaprasad & Wang, «Almost Poisson integration of rigid body
// systems» (1993), with the exponential in place of the Cayley map. L = R Π is kept by construction. The exponential of
// hΩ is the Cayley map of a vector c·hΩ, hence Π1 − Π0 = c·h (½(Π0 + Π1)) × Ω, which is square to Ω = I⁻¹ ½(Π0 + Π1),
// so the energy ½ Π·I⁻¹Π is kept, too. For a spin about a principal axis Ω is the spin, and the step is exact.
std::optional<Vec3> free_turn(const RigidBody& body, const Vec3& momentum, double dt) {
  Vec3 rate = inverse_inertia(body).cwiseProduct(momentum);
  double last = INFINITY;
  for (int iteration = 0; iteration < kMaxNewton; ++iteration) {
    // residual and Newton matrix I − ½h [Π1] J(−hΩ), J the left Jacobian of the exponential
    const Vec3 turn = dt * rate;
    const Vec3 after = math::exp_quat(-turn) * momentum;
    const Vec3 residual = body.inertia.cwiseProduct(rate) - 0.5 * (momentum + after);
    Mat3 matrix = -0.5 * dt * (math::skew(after) * math::left_jacobian(-turn));
    matrix.diagonal() += body.inertia;
    const Vec3 change = math::solve(matrix, residual);
    rate -= change;
    // quadratic convergence: the change after a small one is below round-off
    const double size = change.norm();
    if (!std::isfinite(size)) return std::nullopt;
    if (size <= 1e-14 * rate.norm() || (size < 1e-10 * rate.norm() && size >= last)) return dt * rate;
    last = size;
  }
  return std::nullopt;
}

// Free flight of the orientation; the world momentum stays as it is.
void turn_freely(const RigidBody& body, State& state, double dt, int halvings) {
  if (!(body.inertia.minCoeff() > 0)) return;
  const Vec3 momentum = state.orientation.conjugate() * state.angular_momentum;
  const std::optional<Vec3> turn = free_turn(body, momentum, dt);
  if (!turn && halvings < kMaxHalvings) {
    turn_freely(body, state, dt / 2, halvings + 1);
    turn_freely(body, state, dt / 2, halvings + 1);
    return;
  }
  const Vec3 explicit_turn = dt * inverse_inertia(body).cwiseProduct(momentum);
  state.orientation = (state.orientation * math::exp_quat(turn.value_or(explicit_turn))).normalized();
}

// Adds an impulse to the momenta.
void kick(const RigidBody& body, State& state, const Vec3& impulse, const Vec3& turning) {
  if (body.mass > 0) state.velocity += impulse / body.mass;
  state.angular_momentum += turning;
}

}  // namespace

RigidBody box_body(double mass, const Vec3& edges) {
  return {mass, mass * geometry::box(edges).gyration};
}

Mat3 world_inertia(const RigidBody& body, const Quat& orientation) {
  const Mat3 axes = orientation.toRotationMatrix();
  return axes * body.inertia.asDiagonal() * axes.transpose();
}

Vec3 spin(const RigidBody& body, const State& state) {
  const Vec3 momentum = state.orientation.conjugate() * state.angular_momentum;
  return state.orientation * inverse_inertia(body).cwiseProduct(momentum);
}

double kinetic_energy(const RigidBody& body, const State& state) {
  return 0.5 * body.mass * state.velocity.squaredNorm() + 0.5 * spin(body, state).dot(state.angular_momentum);
}

Acceleration newton_euler(const RigidBody& body, const State& state, const Vec3& force, const Vec3& torque) {
  Acceleration out;
  if (body.mass > 0) out.linear = force / body.mass;
  const Vec3 net = torque - spin(body, state).cross(state.angular_momentum);
  const Vec3 local = state.orientation.conjugate() * net;
  out.angular = state.orientation * inverse_inertia(body).cwiseProduct(local);
  return out;
}

void step(const RigidBody& body, State& state, const Vec3& force, const Vec3& torque, double dt) {
  kick(body, state, dt / 2 * force, dt / 2 * torque);
  state.position += dt * state.velocity;
  turn_freely(body, state, dt, 0);
  kick(body, state, dt / 2 * force, dt / 2 * torque);
}

}  // namespace filum::body
