// A point beside an edge, carried by its frame: the edge of a flat rod's section that touches something.
//
// With r = F o its arm from the edge, square to t, W of rod/edge.hpp and q = t × r,
//
//     δr = w × r = −[r]× W (δe, δθ),
//
// and since the frame is carried without twist and then turned, r becomes r' − (r'·t')/(1 + t·t') (t + t') with
// r' = r cos δθ + q sin δθ, so that to second order in δe and δθ
//
//     δr = δθ q − (r·δe) t/|e|  −  ½ δθ² r − δθ (q·δe) t/|e| + (r·δe)(t·δe) t/|e|² − ½ (r·δe) δe⊥/|e|².
//
// In a step that keeps energy a force f at the point acts on the edge with the moment r̄ × f, r̄ the mean of the arms at
// the step's ends: with θ Cayley's vector of the frame's rotation r1 − r0 = θ × r̄, so that (rod/edge_turn.hpp) it does
// f·(r1 − r0).
#pragma once

#include "math/rotation.hpp"
#include "rod/edge_turn.hpp"

#include <filum/types.hpp>

namespace filum::rod {

// ∂r/∂(δe, δθ).
inline Mat34 arm_moves(const Vec3& r, const Vec3& t, double length) {
  return -math::skew(r) * turning(t, length);
}

// −∂²(f·r)/∂(δe, δθ)² of a force that stays.
inline Mat4 arm_stiffness(const Vec3& r, const Vec3& t, double length, const Vec3& force) {
  const double along = force.dot(t);
  const Vec3 across = force - along * t;
  const double s = 1 / length;
  Mat4 h = Mat4::Zero();
  const Mat3 tilt = along * r * t.transpose() - 0.5 * r * across.transpose();
  h.topLeftCorner<3, 3>() = -s * s * (tilt + tilt.transpose());
  h.topRightCorner<3, 1>() = along * s * t.cross(r);
  h.bottomLeftCorner<1, 3>() = h.topRightCorner<3, 1>().transpose();
  h(3, 3) = force.dot(r);
  return h;
}

// In a step that keeps energy: what multiplies the force, on (δe, δθ).
inline Mat43 arm_pushes(const EdgeTurn& turn, const Vec3& mean) {
  return moment_map<double>(turn) * math::skew(mean);
}

// And what of it goes with the state at the step's end, with the sign reversed, of a force that stays. `moves`: of the arm
// at that end.
inline Mat4 arm_step_stiffness(const EdgeTurn& turn, const Vec3& mean, const Mat34& moves, const Vec3& force) {
  return 0.5 * moment_map<double>(turn) * math::skew(force) * moves -
         moment_map_derivative<double>(turn, mean.cross(force));
}

}  // namespace filum::rod
