// One edge of a discrete rod: its stretch, and how moving its two nodes turns its frame.
//
// The frame of an edge has the edge's direction as d3 and one free angle. When the edge vector changes by δe, the frame
// is carried along without twist (parallel transport from the old direction to the new one) and then turned by δθ about
// the edge: in exponential coordinates the world rotation of the frame is, to second order,
//
//     w = (t × δe)/|e| + δθ t  −  (t × δe)(t·δe)/|e|²  +  ½ δθ δe⊥/|e|,
//
// so an energy of the frame with moment T = ∂E/∂w has the gradient Wᵀ T, W = [ [t]×/|e| , t ], on (δe, δθ), and its
// second derivative gains the terms of `turning_stiffness` besides Wᵀ (∂²E/∂w²) W.
#pragma once

#include "math/small_angle.hpp"

#include <filum/types.hpp>

#include <cmath>
#include <span>

namespace filum::rod {

using Mat34 = Eigen::Matrix<double, 3, 4>;
using Mat4 = Eigen::Matrix4d;

// Stretch of an edge of rest length l: E = ½ EA l (|e|/l − 1)². Value and force EA(|e|/l − 1).
template <class T>
struct StretchOf {
  T energy = 0;
  T force = 0;  // > 0 in tension
};
using Stretch = StretchOf<double>;
template <class T>
StretchOf<T> stretch(const T& length, const T& rest_length, const T& axial_stiffness) {
  const T strain = (length - rest_length) / rest_length;
  return {0.5 * axial_stiffness * rest_length * strain * strain, axial_stiffness * strain};
}

// Hessian on δe: (EA/l) t tᵀ + (force/|e|)(1 − t tᵀ). `force` is passed in, because Newton iterates it as its own
// unknown.
template <class T>
math::Mat3Of<T> stretch_stiffness(const math::Vec3Of<T>& tangent, const T& length, const T& rest_length,
                                  const T& axial_stiffness, const T& force) {
  const T across = force / length;
  math::Mat3Of<T> h = (axial_stiffness / rest_length - across) * tangent * tangent.transpose();
  h.diagonal().array() += across;
  return h;
}

// W = [ [t]×/|e| , t ]: (δe, δθ) → w, first order.
inline Mat34 turning(const Vec3& t, double length) {
  const double s = 1 / length;
  Mat34 w;
  w << 0, -s * t[2], s * t[1], t[0],  //
      s * t[2], 0, -s * t[0], t[1],   //
      -s * t[1], s * t[0], 0, t[2];
  return w;
}

// X W with W of several edges side by side, its last column per rest length.
template <class T>
math::Mat34Of<T> times_turning(const math::Mat3Of<T>& x, const math::Vec3Of<T>& t, const T& per_length,
                               const T& per_rest) {
  math::Mat34Of<T> product;
  const math::Vec3Of<T> along = per_rest * (x * t);
  for (int i = 0; i < 3; ++i) {
    const math::Vec3Of<T> row = x.row(i).transpose();
    const math::Vec3Of<T> across = per_length * row.cross(t);
    product.row(i) << across[0], across[1], across[2], along[i];
  }
  return product;
}

// Wᵀ X, likewise.
template <class T>
math::Mat4Of<T> turning_transposed_times(const math::Vec3Of<T>& t, const T& per_length, const T& per_rest,
                                         const math::Mat34Of<T>& x) {
  math::Mat4Of<T> product;
  for (int i = 0; i < 4; ++i) {
    const math::Vec3Of<T> column = x.col(i);
    const math::Vec3Of<T> across = per_length * column.cross(t);
    product.col(i) << across[0], across[1], across[2], per_rest * t.dot(column);
  }
  return product;
}

// Second-order part of w contracted with the moment T = ∂E/∂w, on (δe, δθ).
template <class T>
math::Mat4Of<T> turning_stiffness(const math::Vec3Of<T>& t, const T& length, const math::Vec3Of<T>& moment) {
  const math::Vec3Of<T> c = (1.0 / (length * length)) * moment.cross(t);
  const math::Vec3Of<T> half = (0.5 / length) * (moment - moment.dot(t) * t);
  math::Mat4Of<T> h;
  h << -(c * t.transpose() + t * c.transpose()), half,  //
      half.transpose(), T(0);
  return h;
}
inline Mat4 turning_stiffness(const Vec3& t, double length, const Vec3& moment) {
  return turning_stiffness<double>(t, length, moment);
}

// A frame's d1 carried without twist to the direction t, made square to it.
template <class T>
math::Vec3Of<T> carried_director(const math::Mat3Of<T>& frame, const math::Vec3Of<T>& t) {
  using std::sqrt;
  const math::Vec3Of<T> old_t = frame.col(2);
  const T chi = 1.0 + old_t.dot(t);
  const math::Vec3Of<T> straight = frame.col(0) - (frame.col(0).dot(t) / chi) * (old_t + t);
  // an edge turned right round has no transport; its director is kept as it is
  math::Vec3Of<T> d1 = math::select(chi > T(1e-12), straight, math::Vec3Of<T>(frame.col(0)));
  d1 -= d1.dot(t) * t;
  // of unit length but for round-off, which one step of Newton's method for 1/√ takes away
  const T square = d1.squaredNorm();
  return math::select(math::magnitude(T(square - 1.0)) < T(1e-8), T(1.5 - 0.5 * square), T(1.0 / sqrt(square))) * d1;
}
inline Vec3 carried_director(const Mat3& frame, const Vec3& t) {
  return carried_director<double>(frame, t);
}

// The frame after the edge has become `e` and turned by `theta`: parallel transport, then the turn, made square again.
template <class T>
math::Mat3Of<T> carried_frame(const math::Mat3Of<T>& frame, const math::Vec3Of<T>& e, const T& theta) {
  const math::Vec3Of<T> t = (1.0 / e.norm()) * e;
  const math::Vec3Of<T> d1 = carried_director<T>(frame, t);
  const math::Vec3Of<T> d2 = t.cross(d1);
  const auto [s, c] = math::sin_cos(theta);
  // what rests keeps its frame to the last bit: round-off of a million steps would turn it
  const auto rests = (theta == T(0)) & (t[0] == frame(0, 2)) & (t[1] == frame(1, 2)) & (t[2] == frame(2, 2));
  math::Mat3Of<T> next;
  next.col(0) = math::select(rests, math::Vec3Of<T>(frame.col(0)), math::Vec3Of<T>(c * d1 + s * d2));
  next.col(1) = math::select(rests, math::Vec3Of<T>(frame.col(1)), math::Vec3Of<T>(c * d2 - s * d1));
  next.col(2) = t;
  return next;
}
inline Mat3 carried_frame(const Mat3& frame, const Vec3& e, double theta) {
  return carried_frame<double>(frame, e, theta);
}

// The angle of a frame against another, carried to its direction without twist.
template <class T>
T turn_between(const math::Mat3Of<T>& start, const math::Mat3Of<T>& end) {
  const math::Vec3Of<T> direct = carried_director<T>(start, end.col(2));
  return math::angle_of(T(-direct.dot(end.col(1))), T(direct.dot(end.col(0))));
}
// Of all frames.
void find_turns(std::span<const Mat3> starts, std::span<const Mat3> ends, std::span<double> turns);
// All angles α from their tan(α/2).
void turns_of_halves(std::span<const double> halves, std::span<double> turns);

// All frames, each turned by its rotation vector.
void turn_frames(std::span<Mat3> frames, std::span<const Vec3> rotations);

// All frames, each carried to its edge and turned by its angle about it.
void carry_frames(std::span<Mat3> frames, std::span<const Vec3> edges, std::span<const double> turns);

}  // namespace filum::rod
