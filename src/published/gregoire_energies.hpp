// The energies of Grégoire's cable: points joined by segments that each carry a quaternion of four free components.
//
// What the geometry demands (segments of one length, unit quaternions, quaternions that turn the reference direction
// onto their segment) is asked for by stiff springs, and made exact by integral forces: a force f that is added to a
// spring ½ k C² as f C and grows by a share of k C after each equilibrium, the multiplier of an augmented Lagrangian.
// Filum's own formulations do otherwise; this one is kept to compare with.
//
// Each function gives value, gradient and Hessian. Segments enter by their vector Δx = x_{i+1} − x_i; the gradient
// with respect to x_{i+1} is that of Δx, with respect to x_i its negative. Quaternions are four-vectors (q0, q1, q2,
// q3) of any length but zero: every formula holds off the unit sphere.
//
// Reference: [Gregoire2007, ch. 3 (energies), ch. 4 (integral forces), app. A (derivatives)]. Where the printed
// formulas are wrong (docs/theory/cosserat-source.md lists them) the derivatives here are those of the energies.
//
// Notation: ℓ = |Δx|, u = Δx/ℓ; r(q) = the reference direction (0, 1, 0) turned by q, of length |q|²; k a spring's
// constant; f an integral force.
#pragma once

#include "math/rotation.hpp"

#include <filum/types.hpp>

namespace filum::published {

using math::Mat4;
using math::Vec4;

// An energy of N numbers with its derivatives.
template <int N>
struct Term {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;

  double energy = 0;
  Vector gradient = Vector::Zero();
  Matrix hessian = Matrix::Zero();
};

// A spring ½ k C² with its integral force f C.
struct Spring {
  double constant = 0;
  double integral = 0;
};

// The same for three conditions at once.
struct VectorSpring {
  double constant = 0;
  Vec3 integral = Vec3::Zero();
};

// Of a joint between two segments: E = ½ (ω − ω0)ᵀ A (ω − ω0). Components in the order of the reference frame, whose
// second axis is the tangent: (κ1, τ, κ2).
struct JointSpring {
  Vec3 constant = Vec3::Zero();  // diagonal of A: stiffness times the length that the joint stands for, N·m³
  Vec3 rest = Vec3::Zero();      // ω0, 1/m
  double length = 0;             // between the middles of the two segments, m
};

// The reference direction turned by q (not divided by |q|²), and its derivative.
Vec3 turned_reference(const Vec4& q);
Eigen::Matrix<double, 3, 4> turned_reference_slope(const Vec4& q);

// ω = (2/length) vec(q̄_a q_b): curvatures and torsion between two segments, (κ1, τ, κ2).
Vec3 joint_strain(const Vec4& qa, const Vec4& qb, double length);

// −w·x, w the weight of a point.
Term<3> weight(const Vec3& x, const Vec3& w);

// C = |Δx| − rest.
Term<3> length(const Vec3& delta, double rest, const Spring& spring);

// Bending and torsion, of (q_a, q_b).
Term<8> bending(const Vec4& qa, const Vec4& qb, const JointSpring& joint);

// C = 1/|q| − 1, which keeps a quaternion away from zero.
Term<4> norm(const Vec4& q, const Spring& spring);

// C = |q| − 1, which the source tried first and gave up: very stiff cables pull a quaternion through zero.
Term<4> plain_norm(const Vec4& q, const Spring& spring);

// C = u − r(q), of (Δx, q): the segment lies where its quaternion points.
Term<7> coherence(const Vec3& delta, const Vec4& q, const VectorSpring& spring);

// ½ k |x − target|² of a point or a quaternion.
template <int N>
Term<N> attachment(const Eigen::Matrix<double, N, 1>& x, const Eigen::Matrix<double, N, 1>& target, double k) {
  Term<N> term;
  term.energy = 0.5 * k * (x - target).squaredNorm();
  term.gradient = k * (x - target);
  term.hessian.diagonal().setConstant(k);
  return term;
}

// ½ k |(a + b)/2 − target|², of (a, b): the middle of a segment, or the orientation at a point between two segments.
// The mean of two quaternions is not normalised; if it were the cable could kink at the handle.
template <int N>
Term<2 * N> mean_attachment(const Eigen::Matrix<double, N, 1>& a, const Eigen::Matrix<double, N, 1>& b,
                            const Eigen::Matrix<double, N, 1>& target, double k) {
  const Eigen::Matrix<double, N, 1> mean = (a + b) / 2;
  const Term<N> whole = attachment<N>(mean, target, k);
  Term<2 * N> term;
  term.energy = whole.energy;
  term.gradient << whole.gradient / 2, whole.gradient / 2;
  const typename Term<N>::Matrix quarter = whole.hessian / 4;
  term.hessian << quarter, quarter, quarter, quarter;
  return term;
}

}  // namespace filum::published
