// The law of one contact as a convex function of the velocity at which two surfaces move against each other.
//
// For steps of a fixed length, which have to end whatever touches: the motion of a step is then the minimum of a convex
// function, and there is one. After [Castro2022] and [Todorov2014], but for the cone: there friction's bound is μ times the
// normal force of the same instant, and what slides at v lifts by μ|v|h. Here it is a number F, found by asking again.
//
// With g the gap at the start of the step h, n the normal, v the velocity of the one against the other, P = 1 − n nᵀ, k and
// k_t the stiffnesses and a the way by which friction's spring is bent at the start,
//
//     s = g + h n·v,          t = a + h P v,
//     ℓ(v) = ½ k min(s, 0)² + { ½ k_t |t|²             where k_t |t| ≤ F: it sticks
//                             { F |t| − ½ F²/k_t       else: it slides
//
// The impulse on the one is −∂ℓ/∂v. ℓ is convex and has a continuous gradient. What sticks does not creep: the bent spring is
// remembered, what slides keeps F/k_t of it.
#pragma once

#include <filum/types.hpp>

namespace filum::contact {

struct SoftContact {
  double gap = 0;               // g, m
  Vec3 normal = Vec3::UnitZ();  // n, unit
  double stiffness = 0;         // k, N/m
  double stick = 0;             // k_t, likewise
  double limit = 0;             // F, N
  Vec3 bent = Vec3::Zero();     // a, m, square to n
};

struct SoftAnswer {
  double value = 0;             // ℓ, J
  double normal_impulse = 0;    // N·s
  Vec3 impulse = Vec3::Zero();  // −∂ℓ/∂v, normal and friction
  Vec3 slide = Vec3::Zero();    // unit, where it slides; else nil
  // ∂²ℓ/∂v² = along_normal n nᵀ + across P where it sticks, + across (P − slide slideᵀ) where it slides
  double along_normal = 0;  // kg
  double across = 0;
};

[[nodiscard]] SoftAnswer answer(const SoftContact& contact, const Vec3& velocity, double dt);

// The second derivative as a matrix.
[[nodiscard]] Mat3 second_derivative(const SoftContact& contact, const SoftAnswer& answer);

}  // namespace filum::contact
