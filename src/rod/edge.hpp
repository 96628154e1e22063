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

namespace filum::rod {

using Mat34 = Eigen::Matrix<double, 3, 4>;
using Mat4 = Eigen::Matrix4d;

// Stretch of an edge of rest length l: E = ½ EA l (|e|/l − 1)². Value, force EA(|e|/l − 1) and rate EA/l.
struct Stretch {
  double energy = 0;
  double force = 0;  // > 0 in tension
};
inline Stretch stretch(double length, double rest_length, double axial_stiffness) {
  const double strain = (length - rest_length) / rest_length;
  return {0.5 * axial_stiffness * rest_length * strain * strain, axial_stiffness * strain};
}

// Hessian on δe: (EA/l) t tᵀ + (force/|e|)(1 − t tᵀ). `force` is passed in, because Newton iterates it as its own
// unknown.
inline Mat3 stretch_stiffness(const Vec3& tangent, double length, double rest_length, double axial_stiffness,
                              double force) {
  const double across = force / length;
  Mat3 h = (axial_stiffness / rest_length - across) * tangent * tangent.transpose();
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

// Second-order part of w contracted with the moment T = ∂E/∂w, on (δe, δθ).
inline Mat4 turning_stiffness(const Vec3& t, double length, const Vec3& moment) {
  const Vec3 c = moment.cross(t) / (length * length);
  Mat4 h = Mat4::Zero();
  h.topLeftCorner<3, 3>() = -(c * t.transpose() + t * c.transpose());
  const Vec3 half = (0.5 / length) * (moment - moment.dot(t) * t);
  h.topRightCorner<3, 1>() = half;
  h.bottomLeftCorner<1, 3>() = half.transpose();
  return h;
}

// A frame's d1 carried without twist to the direction t, made square to it.
inline Vec3 carried_director(const Mat3& frame, const Vec3& t) {
  const auto old_t = frame.col(2);
  const double chi = 1 + old_t.dot(t);
  // an edge turned right round has no transport; its director is kept as it is
  Vec3 d1 = chi > 1e-12 ? Vec3(frame.col(0) - (frame.col(0).dot(t) / chi) * (old_t + t)) : Vec3(frame.col(0));
  d1 -= d1.dot(t) * t;
  // of unit length but for round-off, which one step of Newton's method for 1/√ takes away
  const double square = d1.squaredNorm();
  return (std::abs(square - 1) < 1e-8 ? 1.5 - 0.5 * square : 1 / std::sqrt(square)) * d1;
}

// The frame after the edge has become `e` and turned by `theta`: parallel transport, then the turn, made square again.
inline Mat3 carried_frame(const Mat3& frame, const Vec3& e, double theta) {
  const Vec3 t = (1 / e.norm()) * e;
  // what rests keeps its frame to the last bit: round-off of a million steps would turn it
  if (theta == 0 && t == frame.col(2)) return frame;
  const Vec3 d1 = carried_director(frame, t);
  const Vec3 d2 = t.cross(d1);
  const auto [s, c] = math::sin_cos(theta);
  Mat3 next;
  next.col(0) = c * d1 + s * d2;
  next.col(1) = c * d2 - s * d1;
  next.col(2) = t;
  return next;
}

}  // namespace filum::rod
