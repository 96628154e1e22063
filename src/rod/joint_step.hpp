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
#pragma once

#include "rod/joint.hpp"

#include <filum/types.hpp>

namespace filum::rod {

// Below such turns, rad, the quotient fades out: round-off divided by them would be no moment.
inline constexpr double kQuotientTurn = 1e-4;

// The world gradients of the three strains, as columns.
Mat3 strain_gradient(const JointStrain& strain);

// m = base + slope (s1 − s0), component by component.
struct StepLaw {
  Vec3 base = Vec3::Zero();
  Vec3 slope = Vec3::Zero();
};

struct JointStepStart {
  Vec3 strain = Vec3::Zero();    // s0
  Mat3 gradient = Mat3::Zero();  // D0
};

struct JointStep {
  Vec3 change = Vec3::Zero();      // s1 − s0
  Vec3 components = Vec3::Zero();  // m
  Vec3 moment = Vec3::Zero();      // M
  // kept for the derivative
  Mat3 end_gradient = Mat3::Zero();  // D1
  Mat3 gradient = Mat3::Zero();      // D
  Vec3 relative = Vec3::Zero();      // Θ
  Vec3 common = Vec3::Zero();        // θ̄
  double quotient = 0;               // c
};

JointStep joint_step(const JointStepStart& start, const JointStrain& end, const StepLaw& law, const Vec3& turn_a,
                     const Vec3& turn_b);

// δM = by_a w_A + by_b w_B.
struct JointStepTangent {
  Mat3 by_a, by_b;
};
JointStepTangent joint_step_tangent(const JointStepStart& start, const JointStrain& end, const StepLaw& law,
                                    const JointStep& step);

}  // namespace filum::rod
