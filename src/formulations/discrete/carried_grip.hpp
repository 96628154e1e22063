// A grip on a rod that a free body carries: along the axes that it holds, which turn with the body, the point that it grips
// stays where it is on the body.
//
//     c = Qᵀd − a,   d = p − x,
//
// p the point, x the body's centre, Q the axes (those of the world at the start), a where it grips, in these axes. The Lagrangian is λ·c with λ in the axes
// of the body, nil along those left free, so that what a slideway does to the body turns with it: F = Qλ acts on the
// point, −F on the body, and d × F turns the body back.
//
// An integrator that keeps energy takes means of both ends of its step. With R₁ − R₀ = θ × R̄ (Cayley's vector θ)
//
//     λ·(c₁ − c₀) = Q̄λ·(Δp − Δx) + θ·(Q̄λ × d̄),
//
// so that Q̄λ and Q̄λ × d̄ do no work while c stays nil. The point of a hold that slides is that of the step's end.
#pragma once

#include <filum/types.hpp>

namespace filum::discrete {

// Where it is, at one end of a step.
struct CarriedPlace {
  Mat3 axes = Mat3::Identity();  // Q
  Vec3 apart = Vec3::Zero();     // d
};

// Values and derivatives: of the gap and, on the side of what is to be nil, of the force on the point and the moment on
// the body. `turn`: a turn of the body, in world axes.
struct CarriedGrip {
  Vec3 gap = Vec3::Zero();
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  Mat3 gap_by_point = Mat3::Zero();
  Mat3 gap_by_turn = Mat3::Zero();
  Mat3 force_by_turn = Mat3::Zero();
  Mat3 force_by_lambda = Mat3::Zero();
  Mat3 moment_by_point = Mat3::Zero();
  Mat3 moment_by_turn = Mat3::Zero();
  Mat3 moment_by_lambda = Mat3::Zero();
};

// At rest, or at the end of a step: all of one potential, its second derivative by turns symmetric.
[[nodiscard]] CarriedGrip carried_grip(const CarriedPlace& now, const Vec3& arm, const Vec3& lambda);
// Over a step that keeps energy.
[[nodiscard]] CarriedGrip carried_grip(const CarriedPlace& start, const CarriedPlace& end, const Vec3& arm,
                                       const Vec3& lambda);

}  // namespace filum::discrete
