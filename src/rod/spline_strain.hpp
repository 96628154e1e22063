// Bending of a spline rod at one place, and the twist that carrying its directors adds: value, gradient and Hessian.
//
// At a place of the curve: v = r′, a = r″ by rest arc length u, λ = |v|, t = v/λ, j the rest speed |r₀′|, directors
// d1, d2, t. Strains are per rest length:
//
//     κ1 = −a·d2/(λ j),    κ2 = a·d1/(λ j)             (r′ × r″/(λ² j) on the directors)
//
// No Frenet frame and no division by the curvature: straight and inflected places are no special case. (r′ × r″/λ³
// would be per present length, and so couple stretch to bending.)
//
// When v and a change, the directors go along by the smallest rotation t0 → t and are then turned by θ about t
// [Bergou2008; Meier2014]. The twist per u that going along adds is m = −(t0 × t)·(t0′ + t′)/(1 + t0·t), with
// t′ = (a − (a·t) t)/λ.
//
// Changes are taken in local axes, y = Fᵀδv/λ and z = Fᵀδa/λ with F = (d1, d2, t), α = Fᵀa/λ. To second order
//
//     f_i = α_i (1 − y3 + y3² − ½(y1² + y2²)) − α3 y_i (1 − 2 y3) − ½ y_i (α1 y1 + α2 y2) + z_i (1 − y3) − y_i z3
//     κ1 = −(f2 cos θ − f1 sin θ)/j,      κ2 = (f1 cos θ + f2 sin θ)/j,             i = 1, 2
//     m  = (α1 y2 − α2 y1)(1 − 3/2 y3) + ½ (y2 z1 − y1 z2)
#pragma once

#include <filum/types.hpp>

#include <cmath>

namespace filum::rod {

using Vec7 = Eigen::Matrix<double, 7, 1>;  // (y, z, θ)
using Mat7 = Eigen::Matrix<double, 7, 7>;

struct SplineStrain {
  double speed = 1;           // λ
  Vec2 curvature{0, 0};       // κ1, κ2
  Vec7 by1;                   // ∂κ1
  Vec7 by2;                   // ∂κ2
  Vec7 carried;               // ∂m
  Vec3 alpha = Vec3::Zero();  // α
  double per_rest_speed = 1;  // 1/j
};

inline SplineStrain spline_strain(const Vec3& v, const Vec3& a, const Mat3& frame, double rest_speed) {
  SplineStrain s;
  s.speed = v.norm();
  s.alpha = frame.transpose() * a / s.speed;
  s.per_rest_speed = 1 / rest_speed;
  const double p = s.per_rest_speed;
  const double a1 = s.alpha[0], a2 = s.alpha[1], a3 = s.alpha[2];
  s.curvature = Vec2(-a2 * p, a1 * p);
  s.by1 << 0, a3 * p, a2 * p, 0, -p, 0, a1 * p;
  s.by2 << -a3 * p, 0, -a1 * p, p, 0, 0, a2 * p;
  s.carried << -a2, a1, 0, 0, 0, 0, 0;
  return s;
}

// Second derivatives of m1 κ1 + m2 κ2 + torque m.
inline Mat7 spline_strain_hessian(const SplineStrain& s, double m1, double m2, double torque) {
  const double a1 = s.alpha[0], a2 = s.alpha[1], a3 = s.alpha[2];
  const double c1 = m2 * s.per_rest_speed;   // weight of f1
  const double c2 = -m1 * s.per_rest_speed;  // weight of f2
  const double bent = c1 * a1 + c2 * a2;
  Mat7 h = Mat7::Zero();
  // (y, y)
  h(0, 0) = -bent - c1 * a1;
  h(1, 1) = -bent - c2 * a2;
  h(2, 2) = 2 * bent;
  h(0, 1) = h(1, 0) = -0.5 * (c1 * a2 + c2 * a1);
  h(0, 2) = h(2, 0) = 2 * c1 * a3 + 1.5 * torque * a2;
  h(1, 2) = h(2, 1) = 2 * c2 * a3 - 1.5 * torque * a1;
  // (y, z)
  h(2, 3) = h(3, 2) = -c1;
  h(2, 4) = h(4, 2) = -c2;
  h(0, 5) = h(5, 0) = -c1;
  h(1, 5) = h(5, 1) = -c2;
  h(1, 3) = h(3, 1) = 0.5 * torque;
  h(0, 4) = h(4, 0) = -0.5 * torque;
  // θ: κ1 gains f1 θ, κ2 gains f2 θ, and both lose half of θ² times themselves
  h(6, 6) = c2 * -a2 - c1 * a1;
  const double p = s.per_rest_speed;
  const double w1 = m1 * p, w2 = m2 * p;
  h(0, 6) = h(6, 0) = -a3 * w1;
  h(1, 6) = h(6, 1) = -a3 * w2;
  h(2, 6) = h(6, 2) = -a1 * w1 - a2 * w2;
  h(3, 6) = h(6, 3) = w1;
  h(4, 6) = h(6, 4) = w2;
  return h;
}

// t′ at a place.
inline Vec3 tangent_slope(const Vec3& v, const Vec3& a) {
  const double speed2 = v.squaredNorm();
  return (a - a.dot(v) / speed2 * v) / std::sqrt(speed2);
}

// m of a finite change from (v0, a0) to (v, a). Opposite directions have no smallest rotation.
inline double carried_twist(const Vec3& v0, const Vec3& a0, const Vec3& v, const Vec3& a) {
  const Vec3 t0 = v0.normalized();
  const Vec3 t = v.normalized();
  return -t0.cross(t).dot(tangent_slope(v0, a0) + tangent_slope(v, a)) / (1 + t0.dot(t));
}

}  // namespace filum::rod
