// The torque that turns a rigid body through a step of an implicit integrator, and how it changes with the rotation at
// the step's end, which is the unknown.
//
// `spin_inertia`: the rate of the angular momentum L = R J Ω is taken as c·L1 − (known), and the spin at the end of the
// step as Ω1 = g Θ + (known), with Θ the step's rotation vector (the same in the body frame at either end of it).
//
// `spin_over_step` has Θ = Cayley's vector of the step, c = 1/h, g = 2/h and the known −Ω0. A body under no torque then
// keeps angular momentum and kinetic energy to round-off, and, since (R1 − R0) a = Θ × (R1 + R0) a/2, the force at a
// point fixed to the body does as much work on the body as on what is tied to it. [Simo1991] With another share a of
// Ω1 in the mean spin, Θ = h ((1 − a) Ω0 + a Ω1), the step takes (a − ½) ΔΩ·JΔΩ, and no angular momentum.
#pragma once

#include <filum/types.hpp>

namespace filum::body {

struct SpinScheme {
  double spin_rate = 0;      // g, 1/s
  double momentum_rate = 0;  // c, 1/s
};

struct SpinInertia {
  Vec3 torque = Vec3::Zero();   // dL/dt, world frame
  Mat3 tangent = Mat3::Zero();  // its derivative by a left increment exp(δ) R1: unsymmetric
  Vec3 spin = Vec3::Zero();     // Ω1, body frame
};

// `start`, `end`: R0 and R1; `inertia`: J in the frame in which R = 1; `known_spin` in the body frame, `known_momentum`
// in the world's.
[[nodiscard]] SpinInertia spin_inertia(const Mat3& inertia, const Mat3& start, const Mat3& end,
                                       const SpinScheme& scheme, const Vec3& known_spin, const Vec3& known_momentum);

[[nodiscard]] SpinInertia spin_over_step(const Mat3& inertia, const Mat3& start, const Mat3& end, double step,
                                         const Vec3& start_spin, double share = 0.5);

}  // namespace filum::body
