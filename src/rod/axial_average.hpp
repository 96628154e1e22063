// The axial force of an edge over a whole step in time, such that the work it does is the change of its energy.
//
// With e0 and e1 the edge at the two ends of a step, ε0 and ε1 their strains, the force T d with
//
//     T = EA [(ε0 + ε1)/2 + χ/4 (ε1 − ε0 − h ε̇)],   d = (e0 + e1)/(|e0| + |e1|)
//
// does, but for its χ part, exactly the work ΔV on the motion e1 − e0, since d·(e1 − e0) = |e1| − |e0|: no energy is
// made. It is along the edge at mid-step, so that angular momentum is kept too. [Energy-momentum methods: Simo1992;
// Gonzalez2000] The χ part, with ε̇ the strain rate of the step before, works against the second difference of
// the strain in time: it damps the shortest axial waves, which flip from step to step, and leaves those that the step
// resolves nearly alone (their loss is of fourth order in frequency × step). The unknown is the edge in the middle of
// the step, e_m = (e0 + e1)/2.
#pragma once

#include <filum/types.hpp>

namespace filum::rod {

struct AxialAverage {
  Vec3 direction = Vec3::Zero();    // d: not of unit length when the edge turns
  Vec3 end_tangent = Vec3::Zero();  // e1/|e1|
  double mean_length = 0;           // (|e0| + |e1|)/2
  double strain_rate = 0;           // (ε1 − ε0)/h
  double force = 0;                 // T, damping included
  double rate = 0;                  // ∂T/∂|e1|
};

// The edge at the start of the step.
struct AxialStart {
  Vec3 edge = Vec3::Zero();
  double length = 0;
  double strain_rate = 0;  // ε̇ of the step before
};

// `viscosity`: tension per rate of strain, N·s.
inline AxialAverage axial_average(const AxialStart& start, const Vec3& middle, double rest_length,
                                  double axial_stiffness, double chi, double viscosity, double step) {
  AxialAverage a;
  const Vec3 end = 2 * middle - start.edge;
  const double end_length = end.norm();
  a.mean_length = 0.5 * (start.length + end_length);
  a.direction = (1 / a.mean_length) * middle;
  a.end_tangent = (1 / end_length) * end;
  const double per_rest = 1 / rest_length;
  const double per_step = 1 / step;
  const double rise = (end_length - start.length) * per_rest;
  a.strain_rate = rise * per_step;
  const double share = 0.5 + 0.25 * chi;
  a.force = axial_stiffness *
                ((start.length - rest_length) * per_rest + share * rise - 0.25 * chi * step * start.strain_rate) +
            viscosity * a.strain_rate;
  a.rate = (axial_stiffness * share + viscosity * per_step) * per_rest;
  return a;
}

// ∂(T d)/∂e_m = (2 ∂T/∂|e1| − T/mean) d e1ᵀ/|e1| + T/mean: unsymmetric, since d and e1 part when the edge turns.
// `force` is passed in, because Newton iterates it as its own unknown.
inline Mat3 axial_average_stiffness(const AxialAverage& a, double force) {
  Mat3 h = (2 * a.rate - force / a.mean_length) * a.direction * a.end_tangent.transpose();
  h.diagonal().array() += force / a.mean_length;
  return h;
}

// The edge in the middle of the step after a correction `de`: the one at its end turns as the correction asks for, but
// lengthens only as that does to first order.
inline Vec3 averaged_edge(const AxialStart& start, const Vec3& middle, const Vec3& de) {
  const Vec3 end = 2 * middle - start.edge;
  const double length = end.norm();
  const Vec3 moved = end + 2 * de;
  return 0.5 * (start.edge + (length + 2 / length * end.dot(de)) / moved.norm() * moved);
}

}  // namespace filum::rod
