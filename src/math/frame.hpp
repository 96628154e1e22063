// Frames along a curve: parallel transport of directors between tangents, and orthonormal frames.
//
// Parallel transport takes the unit tangent t0 to t1 by the smallest rotation, without twist (Bishop, "There is more
// than one way to frame a curve", 1975). Written here as two reflections,
//
//     R = H(t0 + t1) H(t0),   H(a) = I - 2 a a^T/|a|^2,
//
// which is orthogonal whatever the rounding of t0 + t1 and so stays accurate up to t1 = -t0. The same function carries a
// director along the curve (from edge to edge) and in time (an edge whose tangent has changed).
//
// Frames are matrices with columns d1, d2, d3: d3 the tangent, d2 = d3 x d1.
#pragma once

#include <cmath>
#include <filum/types.hpp>

namespace filum::math {

// A unit vector square to the unit vector t; deterministic.
inline Vec3 any_perpendicular(const Vec3& t) {
  // cross with the axis along which t is smallest
  int axis = 0;
  if (std::abs(t[1]) < std::abs(t[axis])) axis = 1;
  if (std::abs(t[2]) < std::abs(t[axis])) axis = 2;
  return t.cross(Vec3::Unit(axis)).normalized();
}

// The axis t0 + t1 of the second reflection of the transport.
inline Vec3 transport_mirror(const Vec3& t0, const Vec3& t1) {
  const Vec3 sum = t0 + t1;
  if (sum.squaredNorm() > 1e-2) return sum;
  // nearly opposite: rebuild the sum from its part p square to t0, so that the rounding of |t0| and |t1| is not
  // magnified; |p|^2 = (1 - c)(1 + c) with c = t0 . t1
  const Vec3 p = sum - t0.dot(sum) * t0;
  // opposite: any perpendicular gives a half turn that is free of twist
  if (p.squaredNorm() < 1e-30) return any_perpendicular(t0);
  return p + p.squaredNorm() / (1 - t0.dot(t1)) * t0;
}

// v carried from the unit tangent t0 to the unit tangent t1 without twist.
inline Vec3 transport(const Vec3& v, const Vec3& t0, const Vec3& t1) {
  const Vec3 s = transport_mirror(t0, t1);
  const Vec3 mirrored = v - 2 * t0.dot(v) * t0;
  return mirrored - 2 * s.dot(mirrored) / s.squaredNorm() * s;
}

// The rotation that takes the unit tangent t0 to the unit tangent t1 without twist.
inline Mat3 parallel_transport(const Vec3& t0, const Vec3& t1) {
  const Vec3 s = transport_mirror(t0, t1);
  const Mat3 mirror = Mat3::Identity() - 2 * t0 * t0.transpose();
  return mirror - (2 / s.squaredNorm()) * s * (s.transpose() * mirror);
}

// The director d made square to the unit tangent t and of unit length; any perpendicular when d is along t.
inline Vec3 orthonormalise(const Vec3& d, const Vec3& t) {
  const Vec3 square = d - d.dot(t) * t;
  const double norm = square.norm();
  if (!(norm > 1e-12 * d.norm())) return any_perpendicular(t);
  // a second pass removes what cancellation left along t
  const Vec3 unit = square / norm;
  return (unit - unit.dot(t) * t).normalized();
}

// The frame with d3 along `tangent` (any length but zero) and d1 as near to `normal` as it can be.
inline Mat3 frame_from(const Vec3& tangent, const Vec3& normal) {
  Mat3 frame;
  frame.col(2) = tangent.normalized();
  frame.col(0) = orthonormalise(normal, frame.col(2));
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

}  // namespace filum::math
