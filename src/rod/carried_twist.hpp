// The twist that carrying directors along with a curve adds in a step in time, as a lever on the curve.
//
// With v = r′, a = r″ at the two ends of the step, t = v/λ, t′ = (a − (a·t) t)/λ, the twist per u (rod/spline_strain.hpp)
//
//     m = −(t0 × t1)·(t0′ + t1′)/(1 + t0·t1) = L·(v1 − v0),      L = v_m × (t0′ + t1′)/(λ0 λ1 + v0·v1),
//
// since v0 × (v1 − v0) = v_m × (v1 − v0), v_m = (v0 + v1)/2: a torque T along the curve, as the force T L on v, does exactly
// the work T m.
#pragma once

#include "rod/spline_strain.hpp"

#include <filum/types.hpp>

namespace filum::rod {

struct CarriedTwist {
  double value = 0;           // m
  Vec3 lever = Vec3::Zero();  // L
  Mat3 by_v, by_a;            // ∂L by the end of the step
  Vec3 value_by_v = Vec3::Zero(), value_by_a = Vec3::Zero();
};

inline CarriedTwist carried_twist_step(const Vec3& v0, const Vec3& a0, const Vec3& v1, const Vec3& a1) {
  const double speed0 = v0.norm(), speed1 = v1.norm();
  const Vec3 t1 = v1 / speed1;
  const Vec3 slopes = tangent_slope(v0, a0) + tangent_slope(v1, a1);
  const Vec3 middle = 0.5 * (v0 + v1);
  const double scale = 1 / (speed0 * speed1 + v0.dot(v1));
  CarriedTwist twist;
  twist.lever = scale * middle.cross(slopes);
  twist.value = twist.lever.dot(v1 - v0);

  // δt1′ = (1 − t tᵀ) δa/λ − [t′ tᵀ + t t′ᵀ + (a·t)(1 − t tᵀ)/λ] δv/λ
  const Mat3 across = Mat3::Identity() - t1 * t1.transpose();
  const Vec3 slope1 = tangent_slope(v1, a1);
  const Mat3 slope_by_v = -(slope1 * t1.transpose() + t1 * slope1.transpose() + a1.dot(t1) / speed1 * across) / speed1;
  const Mat3 around =
      scale * (Mat3() << 0, -middle[2], middle[1], middle[2], 0, -middle[0], -middle[1], middle[0], 0).finished();
  twist.by_a = around * across / speed1;
  twist.by_v = around * slope_by_v - scale * twist.lever * (speed0 * t1 + v0).transpose();
  // ½ δv × (t0′ + t1′)
  for (int i = 0; i < 3; ++i) twist.by_v.col(i) += 0.5 * scale * Vec3::Unit(i).cross(slopes);
  twist.value_by_v = twist.lever + twist.by_v.transpose() * (v1 - v0);
  twist.value_by_a = twist.by_a.transpose() * (v1 - v0);
  return twist;
}

}  // namespace filum::rod
