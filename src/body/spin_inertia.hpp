// The torque that turns a rigid body through a step of an implicit integrator, and how it changes with the rotation.
//
// The rate of the angular momentum L = R J Ω is taken as c·L1 − (known), and the spin at the end of the step as
// Ω1 = g Θ + (known), with Θ the step's rotation vector (the same in the body frame at either end of it). Newton's
// unknown is the rotation at the end of the step or, for a midpoint rule, half way: R0 → R → R1 are then equal turns
// and Θ is Cayley's vector of the whole, 2 tan(|w|) w/|w| for a half turn w. With c = 1/h, g = 2/h and the known −Ω0 a
// body under no torque keeps angular momentum and kinetic energy to round-off, and, since (R1 − R0) a = Θ × (R1 + R0)
// a/2, the force at a point fixed to the body does as much work on the body as on what is tied to it. (Simo & Wong
// 1991, «Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum».)
#pragma once

#include <filum/types.hpp>

namespace filum::body {

struct SpinScheme {
  bool midpoint = false;
  double spin_rate = 0;      // g, 1/s
  double momentum_rate = 0;  // c, 1/s
};

struct SpinInertia {
  Vec3 torque = Vec3::Zero();   // dL/dt, world frame
  Mat3 tangent = Mat3::Zero();  // its derivative by a left increment exp(δ) R: unsymmetric
  Vec3 spin = Vec3::Zero();     // Ω1, body frame
};

// `start`, `now`: R at the start of the step and as it is; `inertia`: J in the frame in which R = 1; `known_spin` in
// the body frame, `known_momentum` in the world's. A midpoint must be less than a quarter turn away from the start.
[[nodiscard]] SpinInertia spin_inertia(const Mat3& inertia, const Mat3& start, const Mat3& now,
                                       const SpinScheme& scheme, const Vec3& known_spin, const Vec3& known_momentum);

// A body's arm over a step of the midpoint rule: the mean of its two ends, (R0 + R1) a/2, and its derivative by a left
// increment exp(δ) R of the rotation half way.
struct MeanArm {
  Vec3 value = Vec3::Zero();
  Mat3 by_rotation = Mat3::Zero();
};
[[nodiscard]] MeanArm mean_arm(const Mat3& start, const Mat3& middle, const Vec3& arm);

}  // namespace filum::body
