// Constraint rows that tie something to a rigid body: a point and an orientation.
//
// Derivatives are with respect to translations and to world rotation increments w, R → exp([w]) R; the mass that
// belongs to w is world_inertia(). No unit-length row for the quaternion is needed and nothing is singular (the
// quaternion form of Kirsch, «Discrete Elastic Rods», 2012, section 6.3, has both).
#pragma once

#include <filum/types.hpp>

namespace filum::body {

// C = R x̄ + r − γ: the body's point x̄ (body frame) lies on the point γ.
struct AttachmentRows {
  Vec3 value = Vec3::Zero();
  // ∂C/∂r = 1 and ∂C/∂γ = −1, so only the rotation's share is kept
  Mat3 by_rotation = Mat3::Zero();  // ∂C/∂w = −[R x̄]
};
[[nodiscard]] AttachmentRows attachment_rows(const Quat& orientation, const Vec3& position, const Vec3& body_point,
                                             const Vec3& point);

// ∂²(λ·C)/∂w² at w = 0, symmetric: ½(λρᵀ + ρλᵀ) − (λ·ρ) 1, ρ = R x̄. All other second derivatives vanish.
[[nodiscard]] Mat3 attachment_curvature(const Quat& orientation, const Vec3& body_point, const Vec3& multiplier);

// c = log(Aᵀ B): the rotation from frame A to frame B, on the axes of A; zero when they agree. Turning both frames
// alike changes nothing, so ∂c/∂w_A = −∂c/∂w_B. Smooth up to half a turn.
struct OrientationRows {
  Vec3 value = Vec3::Zero();
  Mat3 by_rotation_b = Mat3::Zero();  // ∂c/∂w_B = J⁻¹(c) Aᵀ
};
[[nodiscard]] OrientationRows orientation_rows(const Quat& a, const Quat& b);

}  // namespace filum::body
