// B-spline curves, with weights and knots of their own or without: points, derivatives and lengths.
//
// Notation: p degree, n control points, knots u_0 … u_{n+p}; the curve is there for u_p <= u <= u_n. Evaluated by
// de Boor's scheme on homogeneous points [Piegl1997, ch. 4 and 5].
#pragma once

#include <filum/types.hpp>

#include <vector>

namespace filum::geometry {

struct BSpline {
  int degree = 1;               // >= 1
  std::vector<Vec3> points;     // at least degree + 1
  std::vector<double> weights;  // one per point, > 0; empty: all one
  std::vector<double> knots;    // points + degree + 1, not falling
};

// Evenly spaced. Clamped ones begin and end with degree + 1 equal knots, so that the curve runs from the first point to
// the last; with the others it runs from knot to knot in between.
[[nodiscard]] std::vector<double> clamped_knots(int points, int degree);
[[nodiscard]] std::vector<double> uniform_knots(int points, int degree);

struct BSplinePoint {
  Vec3 position = Vec3::Zero();
  Vec3 derivative = Vec3::Zero();  // by u
};
[[nodiscard]] BSplinePoint evaluate(const BSpline& curve, double u);

[[nodiscard]] double arc_length(const BSpline& curve);

// At `count` (two or more) places evenly spaced along the curve, both ends included.
[[nodiscard]] std::vector<Vec3> evenly_spaced(const BSpline& curve, int count);

}  // namespace filum::geometry
