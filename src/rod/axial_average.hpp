// The axial force of an edge over a whole step in time, such that the work it does is the change of its energy.
//
// With e0 and e1 the edge at the two ends of a step, ε0 and ε1 their strains, the force T d with
//
//     T = EA [(ε0 + ε1)/2 + χ/4 (ε1 − ε0 − Δε_before)] + η (ε1 − ε0)/h,   d = (e0 + e1)/(|e0| + |e1|)
//
// does, but for its χ and η parts, exactly the work ΔV on the motion e1 − e0, since d·(e1 − e0) = |e1| − |e0|: no energy
// is made. It is along the edge at mid-step, so that angular momentum is kept too. [Energy-momentum methods: Simo1992;
// Gonzalez2000] The χ part works against the second difference of the strain in time: it damps waves that flip from step
// to step, and leaves those that the step resolves nearly alone (their loss is of fourth order in frequency × step).
#pragma once

#include <filum/types.hpp>

namespace filum::rod {

struct AxialAverage {
  Vec3 direction = Vec3::Zero();    // d: not of unit length when the edge turns
  Vec3 end_tangent = Vec3::Zero();  // e1/|e1|
  double mean_length = 0;           // (|e0| + |e1|)/2
  double change = 0;                // ε1 − ε0
  double force = 0;                 // T, damping included
  double rate = 0;                  // ∂T/∂|e1|
};

// The edge at the start of the step.
struct AxialStart {
  Vec3 edge = Vec3::Zero();
  double length = 0;
  double change = 0;  // Δε_before: of the strain in the step before
};

// What an edge is made of. `viscosity`: tension per rate of strain, N·s.
struct AxialStepLaw {
  double rest_length = 0;
  double stiffness = 0;
  double viscosity = 0;
  double chi = 0;
  double step = 0;
};

inline AxialAverage axial_average(const AxialStart& start, const Vec3& end, const AxialStepLaw& law) {
  AxialAverage a;
  const double end_length = end.norm();
  a.mean_length = 0.5 * (start.length + end_length);
  a.direction = (0.5 / a.mean_length) * (start.edge + end);
  a.end_tangent = (1 / end_length) * end;
  const double per_rest = 1 / law.rest_length;
  a.change = (end_length - start.length) * per_rest;
  const double slope = law.stiffness * (0.5 + 0.25 * law.chi) + law.viscosity / law.step;
  a.force =
      law.stiffness * ((start.length - law.rest_length) * per_rest - 0.25 * law.chi * start.change) + slope * a.change;
  a.rate = slope * per_rest;
  return a;
}

// ∂(T d)/∂e1 = ∂T/∂|e1| d t1ᵀ + T (1 − d t1ᵀ)/(|e0| + |e1|): unsymmetric, since d and e1 part when the edge turns.
// `force` is passed in, because Newton iterates it as its own unknown.
inline Mat3 axial_average_stiffness(const AxialAverage& a, double force) {
  const double turning = 0.5 * force / a.mean_length;
  Mat3 h = (a.rate - turning) * a.direction * a.end_tangent.transpose();
  h.diagonal().array() += turning;
  return h;
}

}  // namespace filum::rod
