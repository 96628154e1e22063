#include "rod/joint_step.hpp"

#include "math/rotation.hpp"

namespace filum::rod {

Mat3 strain_gradient(const JointStrain& strain) {
  Mat3 gradient;
  gradient.col(0) = joint_moment(strain, Vec3::UnitX());
  gradient.col(1) = joint_moment(strain, Vec3::UnitY());
  gradient.col(2) = joint_moment(strain, Vec3::UnitZ());
  return gradient;
}

JointStep joint_step(const JointStepStart& start, const JointStrain& end, const StepLaw& law, const Vec3& turn_a,
                     const Vec3& turn_b) {
  JointStep step;
  step.change = end.vector() - start.strain;
  step.components = law.base + law.slope.cwiseProduct(step.change);
  step.end_gradient = strain_gradient(end);
  step.relative = turn_b - turn_a;
  step.common = 0.5 * (turn_a + turn_b);

  const Mat3 quarter = 0.25 * math::skew(step.common);
  const double scale = 1 / (1 + 0.25 * step.common.squaredNorm());
  step.gradient = scale * (0.5 * (start.gradient + step.end_gradient) + quarter * (start.gradient - step.end_gradient));

  const Vec3 plain = step.gradient * step.components;
  const double square = step.relative.squaredNorm() + kQuotientTurn * kQuotientTurn;
  step.quotient = (step.components.dot(step.change) - plain.dot(step.relative)) / square;
  step.moment = plain + step.quotient * step.relative;
  return step;
}

JointStepTangent joint_step_tangent(const JointStepStart& start, const JointStrain& end, const StepLaw& law,
                                    const JointStep& step) {
  const Vec3& m = step.components;
  const Vec3 m0 = start.gradient * m;
  const Vec3 m1 = step.end_gradient * m;
  const Vec3 plain = step.gradient * m;
  const Vec3& turn = step.relative;
  const double per_square = 1 / (turn.squaredNorm() + kQuotientTurn * kQuotientTurn);
  const double scale = 1 / (1 + 0.25 * step.common.squaredNorm());

  // P x = x − Θ (Θ·x)/n
  const auto project = [&](const Mat3& x) { return Mat3(x - per_square * turn * (turn.transpose() * x)); };
  const Mat3 b = scale * (0.5 * Mat3::Identity() - 0.25 * math::skew(step.common));
  // what the change of m does: D̄ K' D1ᵀ, D̄ = D + Θ (Δs − DᵀΘ)ᵀ/n
  const Mat3 lifted = step.gradient + per_square * turn * (step.change - step.gradient.transpose() * turn).transpose();

  // by w_B − w_A, by w_A + w_B, by δθ_B − δθ_A and by δθ_A + δθ_B
  const Mat3 by_end = lifted * law.slope.asDiagonal() * step.end_gradient.transpose() +
                      project(b * joint_stiffness(end, JointElasticity{}, m)) + per_square * turn * m1.transpose();
  const Mat3 by_both_ends = project(-0.5 * b * math::skew(m1));
  const Mat3 by_turn =
      step.quotient * Mat3::Identity() - per_square * turn * (plain + 2 * step.quotient * turn).transpose();
  // δB and δBᵀ: (−¼ [D0 m − D1 m]× − ½ (D m) θ̄ᵀ)/(1 + ¼ θ̄²), by half the sum of the turns
  const Mat3 by_both_turns =
      project(0.5 * scale * (-0.25 * math::skew(m0 - m1) - 0.5 * plain * step.common.transpose()));
  JointStepTangent tangent;
  const Mat3 turn_a = math::cayley_derivative(step.common - 0.5 * turn);
  const Mat3 turn_b = math::cayley_derivative(step.common + 0.5 * turn);
  tangent.by_a = by_both_ends - by_end + (by_both_turns - by_turn) * turn_a;
  tangent.by_b = by_both_ends + by_end + (by_both_turns + by_turn) * turn_b;
  return tangent;
}

}  // namespace filum::rod
