// Bending by the curvature binormal: the strain of a joint whose measure of curvature is 2 tan(φ/2).
//
// Between the unit tangents t0 and t1 of two neighbouring frames
//
//     κb = 2 t0×t1/(1 + t0·t1),      |κb| = 2 tan(φ/2)         [Bergou2008; Kirsch2012, ch. 4],
//
// which takes no trigonometry. Its components are taken on the frame half way, F0 turned by half of the twist τ, so
// that turning either frame about its own tangent turns them by half as much. With c = cos(φ/2), d = (t0 + t1)/2c the
// mid tangent and Δ = w1 − w0 the relative rotation of the two frames (world rotation increments),
//
//     δω_i = g_i·Δ,    g_i = P D_i,    P v = v/c + (v·κb) κb/(4(1 + c)),       δτ = d·Δ/c,
//
// with D1, D2 the first two axes of the mid frame: the parts of Δ along κb and square to it count 1/c² and 1/c. The
// energy of a joint is ½ Σ k_i (ε_i − ε̄_i)² in ε = (ω1, ω2, τ), its moment M = ∂E/∂w1 = −∂E/∂w0 = Σ m_i g_i,
// m_i = k_i (ε_i − ε̄_i). For equal bending stiffnesses and no rest curvature this is
//
//     M = (2 k κb + m3 (t0 + t1))/(1 + t0·t1),
//
// which needs no frames. Everything is finite until a joint is folded flat, φ = π.
#pragma once

#include "rod/joint.hpp"

#include <filum/types.hpp>

#include <algorithm>

namespace filum::rod {

// 1 + t0·t1 is kept above this: a joint folded flat makes large moments, but no infinities.
inline constexpr double kSmallestFold = 1e-10;

inline double fold(const Vec3& t0, const Vec3& t1) {
  return std::max(1 + t0.dot(t1), kSmallestFold);
}

struct BinormalStrain {
  Vec3 value = Vec3::Zero();     // ω1, ω2 on the mid frame, and the twist as it was given
  Mat3 gradient = Mat3::Zero();  // columns g1, g2, g3: δε_i = g_i·(w1 − w0)
};

// `twist` is that from frame0 to frame1, unwrapped: it is the caller's to know.
BinormalStrain binormal_strain(const Mat3& frame0, const Mat3& frame1, double twist);

// The same rest strain in this measure: turning angles become 2 tan(φ/2).
JointElasticity binormal_elasticity(const JointElasticity& by_angle);

inline double binormal_energy(const Vec3& strain, const JointElasticity& elasticity) {
  const Vec3 excess = strain - elasticity.rest;
  return 0.5 * excess.dot(elasticity.stiffness.cwiseProduct(excess));
}

// Moment of a joint with one bending stiffness, straight at rest, that carries the twisting moment m3.
inline Vec3 round_moment(const Vec3& t0, const Vec3& t1, double stiffness, double m3) {
  const double inverse = 1 / fold(t0, t1);
  return inverse * ((4 * stiffness * inverse) * t0.cross(t1) + m3 * (t0 + t1));
}

// Energy of bending of such a joint: ½ k |κb|² = 2 k tan²(φ/2).
inline double round_energy(const Vec3& t0, const Vec3& t1, double stiffness) {
  return 2 * stiffness * std::max(1 - t0.dot(t1), 0.0) / fold(t0, t1);
}

// How the bending energy answers to the mean angle ᾱ by which both frames are turned about their tangents: the
// components turn by −ᾱ.
struct AngleDerivatives {
  double first = 0;
  double second = 0;
  double positive = 0;  // the part of `second` that is never negative
};
inline AngleDerivatives angle_derivatives(const Vec2& bend, const JointElasticity& elasticity) {
  const Vec2 k = elasticity.stiffness.head<2>();
  const Vec2 m = k.cwiseProduct(bend - elasticity.rest.head<2>());
  const double positive = k[0] * bend[1] * bend[1] + k[1] * bend[0] * bend[0];
  return {m[0] * bend[1] - m[1] * bend[0], positive - m.dot(bend), positive};
}

}  // namespace filum::rod
