// The axial force of an edge over a whole step in time, such that the work it does is the change of its energy.
//
// With e0 and e1 the edge at the two ends of a step, ε their strains, the force
//
//     T d,   T = EA [(1 + χ) ε1 + (1 − χ) ε0] / 2,   d = (e0 + e1)/(|e0| + |e1|)
//
// does the work ΔV + χ EA l (Δ ε)²/2 on the motion e1 − e0, since d·(e1 − e0) = |e1| − |e0|: no energy is made, and a
// small χ takes a little from the shortest axial waves, which no step of a useful length resolves. The force is along
// the edge at mid-step, so that angular momentum is kept too. (Energy-momentum methods: Simo & Tarnow 1992; Gonzalez
// 2000.) The unknown is the edge in the middle of the step, e_m = (e0 + e1)/2.
#pragma once

#include <filum/types.hpp>

namespace filum::rod {

struct AxialAverage {
  Vec3 direction = Vec3::Zero();    // d: not of unit length when the edge turns
  Vec3 end_tangent = Vec3::Zero();  // e1/|e1|
  double mean_length = 0;           // (|e0| + |e1|)/2
  double end_strain = 0;            // ε1
  double force = 0;                 // T, damping included
  double rate = 0;                  // ∂T/∂|e1|
};

// `viscosity`: tension per rate of strain, N·s. `start_length` is |e0|.
inline AxialAverage axial_average(const Vec3& start, double start_length, const Vec3& middle, double rest_length,
                                  double axial_stiffness, double chi, double viscosity, double step) {
  AxialAverage a;
  const Vec3 end = 2 * middle - start;
  const double end_length = end.norm();
  a.mean_length = 0.5 * (start_length + end_length);
  a.direction = middle / a.mean_length;
  a.end_tangent = end / end_length;
  a.end_strain = (end_length - rest_length) / rest_length;
  const double start_strain = (start_length - rest_length) / rest_length;
  const double damping = viscosity / step;
  a.force = 0.5 * axial_stiffness * ((1 + chi) * a.end_strain + (1 - chi) * start_strain) +
            damping * (a.end_strain - start_strain);
  a.rate = (0.5 * axial_stiffness * (1 + chi) + damping) / rest_length;
  return a;
}

// ∂(T d)/∂e_m = (2 ∂T/∂|e1| − T/mean) d e1ᵀ/|e1| + T/mean: unsymmetric, since d and e1 part when the edge turns.
// `force` is passed in, because Newton iterates it as its own unknown.
inline Mat3 axial_average_stiffness(const AxialAverage& a, double force) {
  Mat3 h = (2 * a.rate - force / a.mean_length) * a.direction * a.end_tangent.transpose();
  h.diagonal().array() += force / a.mean_length;
  return h;
}

}  // namespace filum::rod
