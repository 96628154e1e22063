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
//
// Written for numbers T: a double, or several edges side by side (math/lanes.hpp).
#pragma once

#include "math/lanes.hpp"

#include <filum/types.hpp>

namespace filum::rod {

using math::Mat3Of;
using math::Vec3Of;

template <class T>
struct AxialAverageOf {
  Vec3Of<T> direction = Vec3Of<T>::Zero();    // d: not of unit length when the edge turns
  Vec3Of<T> end_tangent = Vec3Of<T>::Zero();  // e1/|e1|
  T mean_length = 0;                          // (|e0| + |e1|)/2
  T change = 0;                               // ε1 − ε0
  T force = 0;                                // T, damping included
  T rate = 0;                                 // ∂T/∂|e1|
};
using AxialAverage = AxialAverageOf<double>;

// The edge at the start of the step.
template <class T>
struct AxialStartOf {
  Vec3Of<T> edge = Vec3Of<T>::Zero();
  T length = 0;
  T change = 0;  // Δε_before: of the strain in the step before
};
using AxialStart = AxialStartOf<double>;

// What an edge is made of. `viscosity`: tension per rate of strain, N·s.
template <class T>
struct AxialStepLawOf {
  T rest_length = 0;
  T stiffness = 0;
  T viscosity = 0;
  T chi = 0;
  T step = 0;
};
using AxialStepLaw = AxialStepLawOf<double>;

template <class T>
AxialAverageOf<T> axial_average(const AxialStartOf<T>& start, const Vec3Of<T>& end, const AxialStepLawOf<T>& law) {
  AxialAverageOf<T> a;
  const T end_length = end.norm();
  a.mean_length = 0.5 * (start.length + end_length);
  a.direction = (0.5 / a.mean_length) * (start.edge + end);
  a.end_tangent = (1.0 / end_length) * end;
  const T per_rest = 1.0 / law.rest_length;
  a.change = (end_length - start.length) * per_rest;
  const T slope = law.stiffness * (0.5 + 0.25 * law.chi) + law.viscosity / law.step;
  a.force =
      law.stiffness * ((start.length - law.rest_length) * per_rest - 0.25 * law.chi * start.change) + slope * a.change;
  a.rate = slope * per_rest;
  return a;
}

// ∂(T d)/∂e1 = ∂T/∂|e1| d t1ᵀ + T (1 − d t1ᵀ)/(|e0| + |e1|): unsymmetric, since d and e1 part when the edge turns.
// `force` is passed in, because Newton iterates it as its own unknown.
template <class T>
Mat3Of<T> axial_average_stiffness(const AxialAverageOf<T>& a, const T& force) {
  const T turning = 0.5 * force / a.mean_length;
  Mat3Of<T> h = (a.rate - turning) * a.direction * a.end_tangent.transpose();
  h.diagonal().array() += turning;
  return h;
}

}  // namespace filum::rod
