#include "body/joint_rows.hpp"

#include "math/rotation.hpp"

namespace filum::body {

AttachmentRows attachment_rows(const Quat& orientation, const Vec3& position, const Vec3& body_point,
                               const Vec3& point) {
  const Vec3 arm = orientation * body_point;
  return {arm + position - point, -math::skew(arm)};
}

// exp([w]) ρ = ρ + w×ρ + ½ w×(w×ρ) + …, and λ·(w×(w×ρ)) = (λ·w)(w·ρ) − (λ·ρ)|w|².
Mat3 attachment_curvature(const Quat& orientation, const Vec3& body_point, const Vec3& multiplier) {
  const Vec3 arm = orientation * body_point;
  const Mat3 outer = multiplier * arm.transpose();
  return 0.5 * (outer + outer.transpose()) - multiplier.dot(arm) * Mat3::Identity();
}

// Aᵀ exp([w]) B = exp([Aᵀ w]) Aᵀ B, and log(exp([u]) exp([c])) = c + J⁻¹(c) u + …, J the left Jacobian.
OrientationRows orientation_rows(const Quat& a, const Quat& b) {
  const Vec3 value = math::log_quat(a.conjugate() * b);
  return {value, math::left_jacobian_inverse(value) * a.toRotationMatrix().transpose()};
}

}  // namespace filum::body
