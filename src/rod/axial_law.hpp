// How long a segment is under an axial force, at rest and over a step in time.
//
// Newton has an axial force T of its own for every segment, from which the segment's length r follows without loss of
// digits however stiff it is. What acts along the segment's direction d is ρ:
//
//     at rest, or at the end of a step
//         T = EA ε + η (ε − ε0)/h
//         r = l (1 + ε)
//         ρ = T
//     in the middle of a step: T of rod/axial_average.hpp, linear in the length L1 at the step's end
//         4 r² − 4 r d·e0 + L0² = L1²,      r = |e0 + e1|/2 along d
//         ρ = 2 T r/(L0 + L1)
//
// Derivatives by the direction are given as d × ∂/∂d, what a turn of the segment multiplies.
#pragma once

#include "rod/axial_average.hpp"

#include <filum/types.hpp>

#include <cmath>

namespace filum::rod {

struct AxialLaw {
  double pull = 0;                     // T, N
  double length = 0;                   // r, m
  double length_by_pull = 0;           // ∂r/∂T
  Vec3 length_by_turn = Vec3::Zero();  // d × ∂r/∂d
  double force = 0;                    // ρ, N
  double force_by_pull = 1;            // ∂ρ/∂T
  Vec3 force_by_turn = Vec3::Zero();   // d × ∂ρ/∂d
  double strain_rate = 0;              // over the step, of the law that averages
};

inline AxialLaw elastic_law(double pull, double rest_length, double axial_stiffness) {
  AxialLaw law;
  law.pull = law.force = pull;
  law.length = rest_length * (1 + pull / axial_stiffness);
  law.length_by_pull = rest_length / axial_stiffness;
  return law;
}

// `start_length`: |e0|; `viscosity`: tension per rate of strain; `elapsed`: h.
inline AxialLaw viscous_law(double pull, double rest_length, double axial_stiffness, double start_length,
                            double viscosity, double elapsed) {
  const double viscous = viscosity / elapsed;
  AxialLaw law;
  law.pull = law.force = pull;
  const double strain = (pull + viscous * (start_length / rest_length - 1)) / (axial_stiffness + viscous);
  law.length = rest_length * (1 + strain);
  law.length_by_pull = rest_length / (axial_stiffness + viscous);
  return law;
}

inline AxialLaw averaged_law(double pull, const Vec3& direction, const AxialStart& start, double rest_length,
                             double axial_stiffness, double chi, double viscosity, double step) {
  AxialLaw law;
  law.pull = pull;
  // L1, from T being linear in it
  const double slope = (axial_stiffness * (0.5 + 0.25 * chi) + viscosity / step) / rest_length;
  const double known =
      axial_stiffness * ((start.length - rest_length) / rest_length - 0.25 * chi * step * start.strain_rate);
  const double end_length = start.length + (pull - known) / slope;
  law.strain_rate = (end_length - start.length) / (rest_length * step);
  // r = ½ [p + S], p = d·e0, S² = p² + L1² − L0²
  const double along = direction.dot(start.edge);
  const double root = std::sqrt(along * along + (end_length - start.length) * (end_length + start.length));
  law.length = 0.5 * (along + root);
  law.length_by_pull = 0.5 * end_length / (root * slope);
  const Vec3 across = direction.cross(start.edge);
  law.length_by_turn = law.length / root * across;
  const double mean = 0.5 * (start.length + end_length);
  law.force = pull * law.length / mean;
  law.force_by_pull = (law.length + pull * law.length_by_pull - 0.5 * law.force / slope) / mean;
  law.force_by_turn = pull / mean * law.length_by_turn;
  return law;
}

}  // namespace filum::rod
