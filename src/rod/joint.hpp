// The bending and twisting of a rod between two neighbouring cross-sections, as a function of their two frames alone.
//
// A frame F has the columns d1, d2, d3 (the tangent). The rotation from F0 to F1 is taken apart symmetrically,
//
//     F1 = F0 · Rz(τ/2) · exp(b) · Rz(τ/2),      b = (κ1, κ2, 0),  φ = |b| the turning angle,
//
// half of the twist, all of the bend, half of the twist. The three numbers are the integrated strains of the joint:
// curvature times length about d1 and d2 of the frame half way, and twist times length. This is the turning angle φ as
// the discrete curvature, in components; docs/theory/kirchhoff.md says why (measured against 2 tan φ/2 and 2 sin φ/2).
// τ is the twist of [Bergou2008] (parallel transport from d3 of F0 to d3 of F1), kept unwrapped. For a section
// with equal bending stiffnesses and no rest curvature the bending energy does not depend on the twist, exactly.
//
// Derivatives are taken with respect to world rotation increments w0, w1: F0 → exp(w0) F0, F1 → exp(w1) F1. With the
// mid frame Hm = F0 Rz(τ/2) exp(b/2), a = b/φ, n = d3 × a and g = (φ/2)/sin(φ/2),
//
//     δφ = a·Δ,   φ δa = g (n·Δ) n,   δτ = (d3·Δ)/cos(φ/2),        Δ = w1 − w0,
//
// and the second derivative along constant w0, w1 follows from the angular velocity of the mid frame (the derivation is
// in docs/theory/kirchhoff.md).
//
// Folded flat, φ = π, τ has no meaning, and near it every way past the fold winds τ up by whole turns. So from 150° on
// the strains are ψ(φ) a and f(φ) τ in place of φ a and τ (FoldOf): ψ is flat and f nothing where the joint is folded, both
// with two continuous derivatives. A joint goes through the fold as over the top of a smooth hill, and no energy is
// made or lost there. No mesh resolves a rod that turns by 150° at one node: what is given up is no rod's behaviour.
//
// The same kernel serves every formulation that has frames: points and angles, points and quaternions, rigid segments.
// It is written for numbers T (rod/joint_kernel.hpp), double or several joints side by side; here it is for one joint.
#pragma once

#include "math/lanes.hpp"

#include <filum/types.hpp>

namespace filum::rod {

using math::Mat3Of;
using math::Vec2Of;
using math::Vec3Of;

// Stiffness of a joint: EI1/len, EI2/len, GJ/len in N·m, and its strain when nothing acts.
template <class T>
struct JointElasticityOf {
  Vec3Of<T> stiffness = Vec3Of<T>::Zero();
  Vec3Of<T> rest = Vec3Of<T>::Zero();  // (κ̄1, κ̄2, τ̄) × length, rad
};
using JointElasticity = JointElasticityOf<double>;

template <class T>
struct JointStrainOf {
  Vec2Of<T> bend = Vec2Of<T>::Zero();  // about d1 and d2 of the mid frame, rad: ψ a
  T twist = 0;                         // τ, unwrapped, rad
  T angle = 0;                         // φ, in [0, π]
  T bow = 0;                           // ψ, which is φ unless the joint is nearly folded
  T hold = 1;                          // f, by which it counts its twist
  T hold_slope = 0;                    // df/dφ
  T half_cos = 1;                      // cos(φ/2)
  T half_tan = 0;                      // tan(φ/2)
  Mat3Of<T> axes = Mat3Of<T>::Zero();  // columns a, n, d3 of the mid frame, in the world

  [[nodiscard]] Vec3Of<T> vector() const { return {bend[0], bend[1], hold * twist}; }
  // δ(f τ) = gradient · (w1 − w0)
  [[nodiscard]] Vec3Of<T> twist_gradient() const {
    return (hold / half_cos) * axes.col(2) + (hold_slope * twist) * axes.col(0);
  }
};
using JointStrain = JointStrainOf<double>;

// `twist_near`: the twist is given as the representative nearest to this value (whole turns are kept by the caller's
// state).
JointStrain joint_strain(const Mat3& frame0, const Mat3& frame1, double twist_near);

// The three strains alone.
Vec3 joint_strain_vector(const Mat3& frame0, const Mat3& frame1, double twist_near);

double joint_energy(const JointStrain& strain, const JointElasticity& elasticity);

// Generalised forces of the strains, (m1, m2, m3) on the mid frame's d1, d2, d3.
Vec3 joint_moment_components(const JointStrain& strain, const JointElasticity& elasticity);

// M = ∂E/∂w1 = −∂E/∂w0, in the world.
Vec3 joint_moment(const JointStrain& strain, const Vec3& components);

// C such that the second derivative of the energy is Δᵀ C Δ + w0ᵀ [M]× w1 (so ∂²E/∂w0∂w1 = −C + ½[M]×).
Mat3 joint_stiffness(const JointStrain& strain, const JointElasticity& elasticity, const Vec3& components);

}  // namespace filum::rod
