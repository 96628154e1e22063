// How far an edge turns within a step in time, such that moments on it do their exact work.
//
// With e0 = l0 t0 and e1 = l1 t1 the edge at the two ends of the step, e_m = (e0 + e1)/2, l̄ = (l0 + l1)/2,
// t̄ = (t0 + t1)/2, k = |t̄|, Δt = t1 − t0 and α the angle of its frame at the end against the one at the start, carried
// there without twist, Cayley's vector of the frame's rotation is
//
//     θ = (t0 × t1)/k² + β t̄/k,        β = 2 tan(α/2)/k.
//
// A moment M on the edge is, without error, a force f on it and a torque τ about it,
//
//     f = (M × t̄)/(k² l̄) − β (M·Δt)/(4 l̄² k) e_m,      τ = M·e_m/(l̄ k):
//
//     f·(e1 − e0) + τ β = M·θ,      e_m × f = M whenever τ = 0.
//
// The first identity keeps energy, the second angular momentum, whatever M is and however the edge stretches, since
// e1 − e0 = l̄ Δt + (l1 − l0) t̄ and e_m = l̄ t̄ + (l1 − l0) Δt/4. [in the manner of Simo1992; Romero2002]
//
// Derivatives are plain ones by (δe1, δθ), the change of the end's edge and the turn of its frame about it.
#pragma once

#include "rod/edge.hpp"

#include <filum/types.hpp>

namespace filum::rod {

using Vec4 = Eigen::Vector4d;
using Mat43 = Eigen::Matrix<double, 4, 3>;

struct EdgeTurn {
  Vec3 middle = Vec3::Zero();       // e_m
  Vec3 mean = Vec3::Zero();         // t̄
  Vec3 change = Vec3::Zero();       // Δt
  Vec3 end_tangent = Vec3::Zero();  // t1
  double per_end = 0;               // 1/l1
  double per_length = 0;            // 1/l̄
  double mean_square = 1;           // k²
  double per_mean = 1;              // 1/k
  double angle = 0;                 // α, in (−π, π]
  double half_tan = 0;              // tan(α/2)
  double spin = 0;                  // β
  Vec3 turn = Vec3::Zero();         // θ

  // ∂α/∂(δe1, δθ) is this times the rotation of the end's frame.
  [[nodiscard]] Vec3 angle_gradient() const { return (1 / mean_square) * mean; }
};

// The frames' third columns are the directions of the edges, `length0` and `length1` their lengths.
EdgeTurn edge_turn(const Vec3& e0, double length0, const Mat3& frame0, const Vec3& e1, double length1,
                   const Mat3& frame1);

// (f, τ): what a moment on the edge is on (δe, δθ).
Vec4 moment_on_edge(const EdgeTurn& turn, const Vec3& moment);

// The same as a matrix that multiplies the moment: its rows are (δe, δθ).
Mat43 moment_map(const EdgeTurn& turn);

// ∂(f, τ)/∂(δe1, δθ) of a moment that stays.
Mat4 moment_map_derivative(const EdgeTurn& turn, const Vec3& moment);

}  // namespace filum::rod
