// Cubic bases by a parameter: Catmull-Rom, B-splines on any knots, and NURBS.
//
// Four control points act at a parameter u. Catmull-Rom and evenly spread B-splines of n points have n − 3 spans of
// length 1, u from 0 to n − 3; Catmull-Rom goes through its points 1 … n − 2.
//
// Reference: [Theetten2006, section 3]; B-splines and their derivatives by the recurrence of Cox and de Boor, knots
// inserted by Boehm's rule.
#pragma once

#include <Eigen/Core>

#include <array>
#include <vector>

namespace filum::rod {

// The four functions that are not zero at a parameter, with three derivatives by it.
struct BasisAt {
  int first = 0;                                      // the control point of the first
  std::array<std::array<double, 4>, 4> derivative{};  // [order][function]
};

// Gives each function a weight: R_i = w_i N_i/Σ w N, and its derivatives. `weights`: of all control points.
void make_rational(BasisAt& basis, const std::vector<double>& weights);

class CubicBasis {
 public:
  static CubicBasis catmull_rom(int points);
  // Knots 0 … n − 3 that go on evenly beyond both ends.
  static CubicBasis b_spline(int points);
  // On n + 4 knots that do not fall; none is there more than four times.
  static CubicBasis b_spline(std::vector<double> knots);
  // Knots 0 … n − 3, fourfold at the ends: from the first control point to the last.
  static CubicBasis clamped(int points);
  // NURBS: one positive weight for each control point of a B-spline.
  [[nodiscard]] CubicBasis weighted(std::vector<double> weights) const;

  [[nodiscard]] int points() const { return points_; }
  [[nodiscard]] double begin() const;
  [[nodiscard]] double end() const;
  // Where one polynomial ends and the next begins, `begin` and `end` included.
  [[nodiscard]] std::vector<double> breaks() const;
  [[nodiscard]] BasisAt at(double u) const;

  // The same curve with one knot more; `control` holds a point in each row and gets one more. Not for Catmull-Rom,
  // which has no knots.
  [[nodiscard]] CubicBasis insert_knot(double u, Eigen::MatrixXd& control) const;

 private:
  [[nodiscard]] int span_of(double u) const;

  int points_ = 0;
  std::vector<double> knots_;    // empty: Catmull-Rom
  std::vector<double> weights_;  // empty: all are one
};

}  // namespace filum::rod
