// Rigid bodies: mass, inertia, momentum and the Newton-Euler equations, with a step for the free body.
//
// Rotations are advanced by increments: a world rotation vector w takes R to exp([w]) R, and the mass that goes with w
// is the world inertia R I Rᵀ. Four quaternion rates would make a singular 4×4 mass; three increments do not.
//
// Notation: R orientation (body to world), ω spin and L angular momentum in the world frame, I principal inertia in the
// body frame, Π = Rᵀ L.
#pragma once

#include <filum/types.hpp>

namespace filum::body {

struct RigidBody {
  double mass = 0;              // kg, > 0 for a body that is to move
  Vec3 inertia = Vec3::Zero();  // principal, about the centre of mass, body frame, kg·m²
};

// The angular momentum is kept instead of the spin: a free body then conserves it to the last bit.
struct State {
  Vec3 position = Vec3::Zero();  // centre of mass
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_momentum = Vec3::Zero();  // L, about the centre of mass, world frame
};

// A box of even density; edge lengths zero make a point.
[[nodiscard]] RigidBody box_body(double mass, const Vec3& edges);

[[nodiscard]] Mat3 world_inertia(const RigidBody& body, const Quat& orientation);

// ω = R I⁻¹ Rᵀ L; an axis without inertia does not turn.
[[nodiscard]] Vec3 spin(const RigidBody& body, const State& state);

[[nodiscard]] double kinetic_energy(const RigidBody& body, const State& state);

struct Acceleration {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();  // dω/dt, world frame
};

// Newton: m a = f. Euler: (R I Rᵀ) dω/dt = τ − ω × L. Torque about the centre of mass. Axes without inertia do not
// answer.
[[nodiscard]] Acceleration newton_euler(const RigidBody& body, const State& state, const Vec3& force,
                                        const Vec3& torque);

// One step under a force and a torque that are constant in the world frame: half the impulse, free flight, the other
// half. Second order and symmetric in time. The free flight keeps momentum exactly and kinetic energy to round-off, and
// is exact for a spin about a principal axis; see the source. The orientation stays of unit length.
void step(const RigidBody& body, State& state, const Vec3& force, const Vec3& torque, double dt);

}  // namespace filum::body
