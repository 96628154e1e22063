// Laid ropes: a pull turns them. [Feyrer2015, ch. 2]
//
// Per length the energy is EA/2 e² + C e τ + GJ/2 τ², e the stretch, τ the twist, C = k d EA with the torque factor k and the
// diameter d: held from turning, the rope has the torque C e = k d T under the tension T. The same as squares,
//
//     ½ (EA − C²/GJ) e²  +  ½ GJ (τ + β e)²,      β = C/GJ,
//
// says that the rope wants to be unlaid by β e, and that free to turn it is as stiff as EA − C²/GJ. It is positive
// definite if C² < EA GJ. A joint between two edges has σ = τ + Σ λ (|e|/l − f) instead of its twist τ, λ = β times the half
// of the edge that is the joint's, l the edge's rest length, f the rod's length over the compiled one. So
//
//     E = ½ K (σ − σ̄)²,   ∂E/∂|e| = m λ/l,   m = K (σ − σ̄),
//
// and second derivatives are K (∇σ)(∇σ)ᵀ beside the geometric ones of τ and |e|, with their m. On (δe, rest × δθ) of an edge
// ∇σ is the row of τ and that of |e|, which points along the edge.
#pragma once

#include "rod/edge.hpp"

#include <filum/section.hpp>
#include <filum/types.hpp>

namespace filum::rod {

using Vec4 = Eigen::Vector4d;

// C, N·m, of a rope with this torque factor.
inline double lay_coupling(double torque_factor, const Stiffness& stiff) {
  return torque_factor * stiff.outline.sum() * stiff.EA;
}

// What one edge does to σ of a joint, on (δe, rest × δθ).
struct LaidSide {
  Vec4 twist = Vec4::Zero();    // ∇τ
  Vec4 stretch = Vec4::Zero();  // λ/l ∇|e|
  [[nodiscard]] Vec4 sum() const { return twist + stretch; }
};

inline LaidSide laid_side(const Mat34& turning, const Vec3& twist_gradient, double sign, const Vec3& tangent,
                          double per_length) {
  LaidSide side;
  side.twist = sign * turning.transpose() * twist_gradient;
  side.stretch.head<3>() = per_length * tangent;
  return side;
}

// The second derivative of E by two edges, less what twist alone has.
inline Mat4 lay_stiffness(double stiffness, const LaidSide& a, const LaidSide& b) {
  return stiffness * (a.stretch * b.sum().transpose() + a.twist * b.stretch.transpose());
}

}  // namespace filum::rod
