// ArcSpline: a cubic spline in space, evaluated by arc length: the interpolating C2 one through points, or that of control
// points in a basis of its own (rod/cubic_basis.hpp).
//
// Parameter u of the first: cumulative chord length, so that the speed |p'(u)| stays near one. Ends are natural (p'' = 0), or the
// spline is periodic. In each span, with its chord h, b = (u − u0)/h, a = 1 − b and second derivatives m0, m1:
// p = a p0 + b p1 + ((a³ − a) m0 + (b³ − b) m1) h²/6 (de Boor, «A Practical Guide to Splines», ch. IV).
//
// Arc length s(u) = ∫|p'|du by Gauss quadrature on spans halved until it no longer changes; s(u) is inverted by
// Newton's method inside a bracket.
#pragma once

#include "rod/cubic_basis.hpp"

#include <filum/curve.hpp>

#include <optional>
#include <span>
#include <vector>

namespace filum::rod {

class ArcSpline {
 public:
  // At least two points, neighbours distinct. Periodic: the last point equals the first, and there are four or more.
  ArcSpline(std::vector<Vec3> points, bool periodic);
  // One control point for each of the basis.
  ArcSpline(const CubicBasis& basis, std::vector<Vec3> control);

  [[nodiscard]] double length() const { return cell_arc_.back(); }

  // s in [0, length]
  [[nodiscard]] CurveSample at(double s) const;
  // One value for each control point, blended as they are.
  [[nodiscard]] double blend(const std::vector<double>& values, double s) const;

 private:
  struct Place {
    std::size_t span;
    double b;
  };
  [[nodiscard]] Place place(double s) const;
  [[nodiscard]] BasisAt basis_at(std::size_t span, double b) const;
  [[nodiscard]] Vec3 blended(std::size_t span, double b, std::size_t order) const;
  void measure();
  // Position and dp/du at b in [0, 1] within a span.
  [[nodiscard]] Vec3 value(std::size_t span, double b) const;
  [[nodiscard]] Vec3 slope(std::size_t span, double b) const;
  [[nodiscard]] double arc_between(std::size_t span, double b0, double b1) const;
  void solve_natural();
  void solve_periodic();
  void add_cells(std::size_t span, double b0, double b1, double arc, double tolerance, int depth);

  std::vector<Vec3> points_;   // at the ends of the spans
  std::vector<Vec3> second_;   // d²p/du² at each point
  std::vector<double> chord_;  // h of each span
  std::optional<CubicBasis> basis_;
  std::vector<double> breaks_;  // of the basis: where spans begin and end
  std::vector<Vec3> control_;   // of the basis
  // a cell is a part of a span on which one Gauss rule is exact to round-off
  struct Cell {
    std::size_t span;
    double b0, b1;
  };
  std::vector<Cell> cells_;
  std::vector<double> cell_arc_;  // arc length at the start of each cell, and of the whole
};

}  // namespace filum::rod
