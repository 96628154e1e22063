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
//
// Written for numbers T: a double, or several edges side by side (math/lanes.hpp).
#pragma once

#include "math/lanes.hpp"
#include "rod/edge.hpp"

#include <filum/types.hpp>

namespace filum::rod {

using math::Mat34Of;
using math::Mat3Of;
using math::Mat43Of;
using math::Mat4Of;
using math::Vec3Of;
using math::Vec4Of;
using Vec4 = Vec4Of<double>;
using Mat43 = Mat43Of<double>;

template <class T>
struct EdgeTurnOf {
  Vec3Of<T> middle = Vec3Of<T>::Zero();       // e_m
  Vec3Of<T> mean = Vec3Of<T>::Zero();         // t̄
  Vec3Of<T> change = Vec3Of<T>::Zero();       // Δt
  Vec3Of<T> end_tangent = Vec3Of<T>::Zero();  // t1
  T per_end = 0;                              // 1/l1
  T per_length = 0;                           // 1/l̄
  T mean_square = 1;                          // k²
  T per_mean = 1;                             // 1/k
  T half_tan = 0;                             // tan(α/2)
  T spin = 0;                                 // β
  Vec3Of<T> turn = Vec3Of<T>::Zero();         // θ

  // ∂α/∂(δe1, δθ) is this times the rotation of the end's frame.
  [[nodiscard]] Vec3Of<T> angle_gradient() const { return (T(1) / mean_square) * mean; }
};
using EdgeTurn = EdgeTurnOf<double>;

// The frames' third columns are the directions of the edges, `length0` and `length1` their lengths.
template <class T>
EdgeTurnOf<T> edge_turn(const Vec3Of<T>& e0, const T& length0, const Mat3Of<T>& frame0, const Vec3Of<T>& e1,
                        const T& length1, const Mat3Of<T>& frame1) {
  EdgeTurnOf<T> turn;
  const Vec3Of<T> t0 = frame0.col(2);
  const Vec3Of<T> t1 = frame1.col(2);
  turn.middle = 0.5 * (e0 + e1);
  turn.mean = 0.5 * (t0 + t1);
  turn.change = t1 - t0;
  turn.end_tangent = t1;
  turn.per_end = 1.0 / length1;
  turn.per_length = 2.0 / (length0 + length1);
  turn.mean_square = turn.mean.squaredNorm();
  const T per_square = 1.0 / turn.mean_square;
  using std::sqrt;
  turn.per_mean = sqrt(per_square);

  // d1 of the start carried to the end without twist: v − (v·t1)/(1 + t0·t1) (t0 + t1), 1 + t0·t1 = 2 k²
  const Vec3Of<T> carried = frame0.col(0) - (per_square * frame0.col(0).dot(t1)) * turn.mean;
  const T cosine = carried.dot(frame1.col(0));
  const T sine = -carried.dot(frame1.col(1));
  // tan(α/2) of a unit vector (cos α, sin α)
  turn.half_tan = sine / (1.0 + cosine);
  turn.spin = 2.0 * turn.half_tan * turn.per_mean;
  turn.turn = per_square * t0.cross(t1) + (turn.spin * turn.per_mean) * turn.mean;
  return turn;
}

// (f, τ): what a moment on the edge is on (δe, δθ).
template <class T>
Vec4Of<T> moment_on_edge(const EdgeTurnOf<T>& turn, const Vec3Of<T>& moment) {
  const T along = 0.25 * turn.spin * turn.per_length * turn.per_length * turn.per_mean * moment.dot(turn.change);
  const Vec3Of<T> force = (turn.per_length / turn.mean_square) * moment.cross(turn.mean) - along * turn.middle;
  return {force[0], force[1], force[2], turn.per_length * turn.per_mean * moment.dot(turn.middle)};
}

// The same as a matrix that multiplies the moment: its rows are (δe, δθ).
template <class T>
Mat43Of<T> moment_map(const EdgeTurnOf<T>& turn) {
  const T along = 0.25 * turn.spin * turn.per_length * turn.per_length * turn.per_mean;
  const Vec3Of<T> across = (-turn.per_length / turn.mean_square) * turn.mean;
  Mat43Of<T> map;
  map << math::cross_matrix<T>(across) - (along * turn.middle) * turn.change.transpose(),
      (turn.per_length * turn.per_mean) * turn.middle.transpose();
  return map;
}

// ∂(f, τ)/∂(δe1, δθ) of a moment that stays.
template <class T>
Mat4Of<T> moment_map_derivative(const EdgeTurnOf<T>& turn, const Vec3Of<T>& moment) {
  // δk/k = t̄·δt1/(2k²), δl̄/l̄ = t1·δe/(2l̄), with δt1 = (1 − t1 t1ᵀ) δe/l1
  const auto across = [&](const Vec3Of<T>& v) {
    return Vec3Of<T>(turn.per_end * (v - v.dot(turn.end_tangent) * turn.end_tangent));
  };
  const Vec3Of<T> by_mean = across((0.5 / turn.mean_square) * turn.mean);
  const Vec3Of<T> by_length = (0.5 * turn.per_length) * turn.end_tangent;

  // (M × t̄)/(k² l̄)
  const T scale = turn.per_length / turn.mean_square;
  const Vec3Of<T> shear = scale * moment.cross(turn.mean);
  const T half = 0.5 * scale * turn.per_end;
  const Vec3Of<T> turned = half * moment.cross(turn.end_tangent);
  Mat3Of<T> force_by_edge = half * math::cross_matrix<T>(moment) - turned * turn.end_tangent.transpose() -
                            shear * Vec3Of<T>(2.0 * by_mean + by_length).transpose();

  // −β (M·Δt)/(4 l̄² k) e_m; δβ = (1 + tan²) δα/k − β δk/k, δα = t̄·w/k², w = t1 × δe/l1 + δθ t1
  const T part = 0.25 * turn.per_length * turn.per_length * turn.per_mean;
  const T flow = moment.dot(turn.change);
  const T by_angle = (1.0 + turn.half_tan * turn.half_tan) * turn.per_mean / turn.mean_square;
  const Vec3Of<T> spin_by_edge = (by_angle * turn.per_end) * turn.mean.cross(turn.end_tangent) - turn.spin * by_mean;
  const T spin_by_turn = by_angle * turn.mean.dot(turn.end_tangent);
  const Vec3Of<T> along_by_edge =
      part * (flow * spin_by_edge + turn.spin * across(moment) - (turn.spin * flow) * (2.0 * by_length + by_mean));
  force_by_edge -= turn.middle * along_by_edge.transpose();
  force_by_edge.diagonal().array() -= 0.5 * part * turn.spin * flow;

  // M·e_m/(l̄ k)
  const T torque = turn.per_length * turn.per_mean * moment.dot(turn.middle);
  const Vec3Of<T> torque_by_edge = (0.5 * turn.per_length * turn.per_mean) * moment - torque * (by_length + by_mean);

  Mat4Of<T> derivative;
  derivative << force_by_edge, -(part * flow * spin_by_turn) * turn.middle,  //
      torque_by_edge.transpose(), T(0);
  return derivative;
}

}  // namespace filum::rod
