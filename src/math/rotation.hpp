// Rotations: exponential, logarithm, Cayley map, quaternion matrices and the Jacobian of the exponential.
//
// A rotation is a Mat3 or a unit Quat; a rotation vector w turns by |w| about w / |w|. Formulas are the classical ones
// (Rodrigues; Murray, Li & Sastry, "A Mathematical Introduction to Robotic Manipulation", ch. 2), each with a series
// where the closed form divides by zero. Nothing here allocates or fails: every input gives a finite answer.
//
// Notation: [w] = skew(w), [w] v = w x v. Quaternions as four-vectors are ordered (w, x, y, z).
#pragma once

#include <cmath>
#include <filum/types.hpp>
#include <numbers>

namespace filum::math {

using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;

inline constexpr double kPi = std::numbers::pi;

// Below this squared angle the series are used; their first dropped term is then under 1e-17.
inline constexpr double kSmallAngle2 = 1e-4;

// The matrix of the cross product, [w] v = w x v.
inline Mat3 skew(const Vec3& w) {
  Mat3 s;
  s << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return s;
}

// sin(a) / a.
inline double sinc(double a) {
  const double a2 = a * a;
  return a2 < kSmallAngle2 ? 1 - a2 / 6 * (1 - a2 / 20 * (1 - a2 / 42)) : std::sin(a) / a;
}

// A matrix that is a rotation but for round-off, made one.
inline Mat3 nearest_rotation(const Mat3& r) {
  return Quat(r).normalized().toRotationMatrix();
}

// exp([w]) = I + sin|w| / |w| [w] + (1 - cos|w|) / |w|^2 [w]^2 (Rodrigues); 1 - cos a = 2 sin^2(a / 2) avoids
// cancellation.
inline Mat3 exp_so3(const Vec3& w) {
  const double angle = w.norm();
  const double half = sinc(angle / 2);
  const Mat3 s = skew(w);
  return Mat3::Identity() + sinc(angle) * s + 0.5 * half * half * (s * s);
}

// The unit quaternion of exp([w]).
inline Quat exp_quat(const Vec3& w) {
  const double half = w.norm() / 2;
  const Vec3 v = 0.5 * sinc(half) * w;
  return Quat(std::cos(half), v.x(), v.y(), v.z());
}

// The rotation vector of a unit quaternion, |w| <= pi; q and -q give the same one.
inline Vec3 log_quat(const Quat& q) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const double c = sign * q.w();
  const double s = q.vec().norm();
  // atan2 stays accurate near 0 and near pi; the ratio needs its series only where s vanishes
  const double r2 = s * s / (c * c);
  const double factor =
      s * s < kSmallAngle2 ? 2 / c * (1 - r2 * (1.0 / 3 - r2 * (1.0 / 5 - r2 / 7))) : 2 * std::atan2(s, c) / s;
  return sign * factor * q.vec();
}

// The rotation vector of a rotation matrix, |w| <= pi, through the quaternion of its largest component.
inline Vec3 log_so3(const Mat3& r) {
  return log_quat(Quat(r).normalized());
}

// The Cayley map: the rotation by 2 atan(|w| / 2) about w, (I - [w]/2)^-1 (I + [w]/2) in closed form.
inline Mat3 cayley(const Vec3& w) {
  const Mat3 s = skew(w);
  return Mat3::Identity() + (s + 0.5 * (s * s)) / (1 + w.squaredNorm() / 4);
}

// Its inverse: 2 tan(a / 2) times the axis of a rotation by a < pi.
inline Vec3 cayley_vector(const Mat3& r) {
  const Quat q(r);
  return 2 / q.w() * q.vec();
}

// How Cayley's vector changes when the rotation is followed by a small one: T = I - [v]/2 + v v^T/4.
inline Mat3 cayley_derivative(const Vec3& v) {
  return Mat3::Identity() - 0.5 * skew(v) + 0.25 * v * v.transpose();
}

// Left Jacobian of exp: exp([w + dw]) = exp([J dw]) exp([w]) to first order.
// J = I + (1 - cos a) / a^2 [w] + (a - sin a) / a^3 [w]^2, a = |w|.
inline Mat3 left_jacobian(const Vec3& w) {
  const double a2 = w.squaredNorm();
  const double a = std::sqrt(a2);
  const double half = sinc(a / 2);
  const double c = a2 < kSmallAngle2 ? (1 - a2 / 20 * (1 - a2 / 42)) / 6 : (a - std::sin(a)) / (a2 * a);
  const Mat3 s = skew(w);
  return Mat3::Identity() + 0.5 * half * half * s + c * (s * s);
}

// Inverse of the left Jacobian, J^-1 = I - [w] / 2 + (1 - (a/2) cot(a/2)) / a^2 [w]^2; singular at a = 2 pi.
inline Mat3 left_jacobian_inverse(const Vec3& w) {
  const double a2 = w.squaredNorm();
  const double half = std::sqrt(a2) / 2;
  const double c =
      a2 < kSmallAngle2 ? (1 + a2 / 60 * (1 + a2 / 42)) / 12 : (1 - half * std::cos(half) / std::sin(half)) / a2;
  const Mat3 s = skew(w);
  return Mat3::Identity() - 0.5 * s + c * (s * s);
}

// A quaternion as the four-vector (w, x, y, z).
inline Vec4 to_vec4(const Quat& q) {
  return Vec4(q.w(), q.x(), q.y(), q.z());
}

// q p = quat_left(q) p.
inline Mat4 quat_left(const Quat& q) {
  Mat4 m;
  m << q.w(), -q.x(), -q.y(), -q.z(),  //
      q.x(), q.w(), -q.z(), q.y(),     //
      q.y(), q.z(), q.w(), -q.x(),     //
      q.z(), -q.y(), q.x(), q.w();
  return m;
}

// p q = quat_right(q) p.
inline Mat4 quat_right(const Quat& q) {
  Mat4 m;
  m << q.w(), -q.x(), -q.y(), -q.z(),  //
      q.x(), q.w(), q.z(), -q.y(),     //
      q.y(), -q.z(), q.w(), q.x(),     //
      q.z(), q.y(), -q.x(), q.w();
  return m;
}

// conj(p) = quat_conjugate() p.
inline Mat4 quat_conjugate() {
  return Vec4(1, -1, -1, -1).asDiagonal();
}

// The representative of `angle` (mod 2 pi) nearest to `near`.
inline double unwrap(double angle, double near) {
  return angle - 2 * kPi * std::round((angle - near) / (2 * kPi));
}

// The angle in (-pi, pi] from a to b, counted positive about `axis`; a and b square to the axis, of any length.
inline double signed_angle(const Vec3& a, const Vec3& b, const Vec3& axis) {
  return std::atan2(axis.dot(a.cross(b)), a.dot(b));
}

struct SwingTwist {
  Quat swing;    // turns the axis without spinning about it
  double twist;  // angle about the axis in [-pi, pi], applied first
};

// Splits q = swing * (rotation by `twist` about the unit `axis`); a half-turn swing leaves the twist open, then it is
// 0.
inline SwingTwist swing_twist(const Quat& q, const Vec3& axis) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const double along = sign * q.vec().dot(axis);
  const double half = std::atan2(along, sign * q.w());
  const Vec3 v = -std::sin(half) * axis;
  return {q * Quat(std::cos(half), v.x(), v.y(), v.z()), 2 * half};
}

}  // namespace filum::math
