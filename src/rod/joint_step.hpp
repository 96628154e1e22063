// A joint over a step in time: the moment that does exactly the work by which its energy changes.
//
// s0, s1 are its strains (rod/joint.hpp) at the two ends of the step, D0, D1 their gradients (δs = Dᵀ (w_B − w_A) for
// rotations w of its two sides), θ_A and θ_B the turns of the sides in the step (rod/edge_turn.hpp), Θ = θ_B − θ_A and
// θ̄ = (θ_A + θ_B)/2. With components m that belong to the strains,
//
//     m = K [(s0 + s1)/2 − s̄] + η (s1 − s0)/h + χ/4 K (s1 − s0 − Δs_before),
//     D = Bᵀ D0 + B D1,       B = (½ − ¼ [θ̄]×)/(1 + ¼ θ̄²),
//     M = D m + c Θ,          c = (m·(s1 − s0) − (D m)·Θ)/(Θ² + ε²),
//
// M on B and −M on A do the work M·Θ = m·(s1 − s0): what is elastic in m gives the change of ½ (s − s̄)ᵀ K (s − s̄) to
// the last digit, what is viscous its loss, and χ, which damps strains that flip from step to step, never a gain.
// [Gonzalez2000; Romero2002] B turns both gradients into what Cayley's vector sees of them, so that the quotient c is
// of third order in Θ even where the rod turns fast as a whole.
//
// Since the turns are Cayley's vectors of the frames' rotations, a rotation w at the step's end changes them by
// T w, T = 1 − ½ [θ]× + ¼ θ θᵀ. Derivatives are plain ones, by those rotations.
//
// Written for numbers T: a double, or several joints side by side (math/lanes.hpp).
#pragma once

#include "rod/joint_kernel.hpp"

#include <filum/types.hpp>

namespace filum::rod {

// Below such turns, rad, the quotient fades out: round-off divided by them would be no moment.
inline constexpr double kQuotientTurn = 1e-4;

// m = base + slope (s1 − s0), component by component.
template <class T>
struct StepLawOf {
  Vec3Of<T> base = Vec3Of<T>::Zero();
  Vec3Of<T> slope = Vec3Of<T>::Zero();
};
using StepLaw = StepLawOf<double>;

template <class T>
struct JointStepStartOf {
  Vec3Of<T> strain = Vec3Of<T>::Zero();    // s0
  Mat3Of<T> gradient = Mat3Of<T>::Zero();  // D0
};
using JointStepStart = JointStepStartOf<double>;

template <class T>
struct JointStepOf {
  Vec3Of<T> change = Vec3Of<T>::Zero();      // s1 − s0
  Vec3Of<T> components = Vec3Of<T>::Zero();  // m
  Vec3Of<T> moment = Vec3Of<T>::Zero();      // M
  // kept for the derivative
  Mat3Of<T> end_gradient = Mat3Of<T>::Zero();  // D1
  Mat3Of<T> gradient = Mat3Of<T>::Zero();      // D
  Vec3Of<T> plain = Vec3Of<T>::Zero();         // D m
  Vec3Of<T> relative = Vec3Of<T>::Zero();      // Θ
  Vec3Of<T> common = Vec3Of<T>::Zero();        // θ̄
  T scale = 0;                                 // 1/(1 + ¼ θ̄²)
  T per_square = 0;                            // 1/(Θ² + ε²)
  T quotient = 0;                              // c
};
using JointStep = JointStepOf<double>;

template <class T>
JointStepOf<T> joint_step(const JointStepStartOf<T>& start, const JointStrainOf<T>& end, const StepLawOf<T>& law,
                          const Vec3Of<T>& turn_a, const Vec3Of<T>& turn_b) {
  JointStepOf<T> step;
  step.change = end.vector() - start.strain;
  step.components = law.base + law.slope.cwiseProduct(step.change);
  step.end_gradient = strain_gradient(end);
  step.relative = turn_b - turn_a;
  step.common = 0.5 * (turn_a + turn_b);

  // D = Bᵀ D0 + B D1, column by column
  step.scale = 1.0 / (1.0 + 0.25 * step.common.squaredNorm());
  for (int i = 0; i < 3; ++i) {
    const Vec3Of<T> sum = start.gradient.col(i) + step.end_gradient.col(i);
    const Vec3Of<T> difference = start.gradient.col(i) - step.end_gradient.col(i);
    step.gradient.col(i) = step.scale * (0.5 * sum + 0.25 * step.common.cross(difference));
  }

  step.plain = step.gradient * step.components;
  step.per_square = 1.0 / (step.relative.squaredNorm() + kQuotientTurn * kQuotientTurn);
  step.quotient = (step.components.dot(step.change) - step.plain.dot(step.relative)) * step.per_square;
  step.moment = step.plain + step.quotient * step.relative;
  return step;
}

// The same with other components m: M is linear in them.
template <class T>
JointStepOf<T> with_components(JointStepOf<T> step, const Vec3Of<T>& components) {
  step.components = components;
  step.plain = step.gradient * components;
  step.quotient = (components.dot(step.change) - step.plain.dot(step.relative)) * step.per_square;
  step.moment = step.plain + step.quotient * step.relative;
  return step;
}

// δM = by_a w_A + by_b w_B.
template <class T>
struct JointStepTangentOf {
  Mat3Of<T> by_a, by_b;
};
using JointStepTangent = JointStepTangentOf<double>;

template <class T>
JointStepTangentOf<T> joint_step_tangent(const JointStepStartOf<T>& start, const JointStrainOf<T>& end,
                                         const StepLawOf<T>& law, const JointStepOf<T>& step) {
  const Vec3Of<T>& m = step.components;
  const Vec3Of<T> m0 = start.gradient * m;
  const Vec3Of<T> m1 = step.end_gradient * m;
  const Vec3Of<T>& turn = step.relative;
  const Vec3Of<T> scaled_turn = step.per_square * turn;

  // P x = x − Θ (Θ·x)/n and B x = (½ x − ¼ θ̄ × x)/(1 + ¼ θ̄²), column by column
  const auto project = [&](const Vec3Of<T>& x) { return Vec3Of<T>(x - turn.dot(x) * scaled_turn); };
  const auto carry = [&](const Vec3Of<T>& x) {
    return Vec3Of<T>(step.scale * (0.5 * x - 0.25 * step.common.cross(x)));
  };

  // what the change of m does: D̄ K' D1ᵀ, D̄ = D + Θ (Δs − DᵀΘ)ᵀ/n
  const Vec3Of<T> left = step.change - step.gradient.transpose() * turn;
  Mat3Of<T> lifted;
  for (int i = 0; i < 3; ++i) lifted.col(i) = law.slope[i] * (step.gradient.col(i) + left[i] * scaled_turn);

  // by w_B − w_A, by w_A + w_B, by δθ_B − δθ_A and by δθ_A + δθ_B
  Mat3Of<T> by_end = lifted * step.end_gradient.transpose() + scaled_turn * m1.transpose();
  Mat3Of<T> by_both_ends, by_both_turns;
  const Mat3Of<T> curved = joint_stiffness(end, JointElasticityOf<T>{}, m);
  const Mat3Of<T> turned_end = math::cross_matrix<T>(-0.5 * m1);
  // δB and δBᵀ: (−¼ [D0 m − D1 m]× − ½ (D m) θ̄ᵀ)/(1 + ¼ θ̄²), by half the sum of the turns
  const Mat3Of<T> turned_both = math::cross_matrix<T>((-0.125 * step.scale) * (m0 - m1)) -
                                (0.25 * step.scale) * step.plain * step.common.transpose();
  for (int i = 0; i < 3; ++i) {
    by_end.col(i) += project(carry(curved.col(i)));
    by_both_ends.col(i) = project(carry(turned_end.col(i)));
    by_both_turns.col(i) = project(turned_both.col(i));
  }
  Mat3Of<T> by_turn = -scaled_turn * Vec3Of<T>(step.plain + (2.0 * step.quotient) * turn).transpose();
  by_turn.diagonal().array() += step.quotient;

  // X T, T = 1 − ½ [θ]× + ¼ θ θᵀ
  const auto by_rotation = [](const Mat3Of<T>& x, const Vec3Of<T>& theta) {
    const Vec3Of<T> along = 0.25 * (x * theta);
    Mat3Of<T> product;
    for (int i = 0; i < 3; ++i) {
      const Vec3Of<T> row = x.row(i).transpose();
      product.row(i) = (row - 0.5 * row.cross(theta) + along[i] * theta).transpose();
    }
    return product;
  };
  const Vec3Of<T> turn_a = step.common - 0.5 * turn;
  const Vec3Of<T> turn_b = step.common + 0.5 * turn;
  JointStepTangentOf<T> tangent;
  tangent.by_a = by_both_ends - by_end + by_rotation(by_both_turns - by_turn, turn_a);
  tangent.by_b = by_both_ends + by_end + by_rotation(by_both_turns + by_turn, turn_b);
  return tangent;
}

}  // namespace filum::rod
