// Tridiagonal systems by elimination without pivoting (Thomas), and cyclic ones: a chain whose last row meets its
// first.
//
// Row i reads  lower[i] x[i−1] + diagonal[i] x[i] + upper[i] x[i+1]. In an open chain lower[0] and upper[n−1] mean
// nothing; in a cyclic one they couple row 0 to row n−1 and row n−1 to row 0. The cyclic system is solved as an open
// chain of n − 1 rows with a border of one row and column. No pivoting: for matrices that are positive definite or
// dominated by their diagonal. O(n), and nothing is allocated after `resize`.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace filum::math {

class Tridiagonal {
 public:
  std::vector<double> lower;
  std::vector<double> diagonal;
  std::vector<double> upper;

  // A cyclic system has at least three rows.
  void resize(std::size_t rows, bool cyclic) {
    cyclic_ = cyclic;
    lower.assign(rows, 0);
    diagonal.assign(rows, 0);
    upper.assign(rows, 0);
    inverse_.assign(rows, 0);
    factor_.assign(rows, 0);
    border_.assign(cyclic ? rows - 1 : 0, 0);
  }

  [[nodiscard]] std::size_t rows() const { return diagonal.size(); }
  [[nodiscard]] bool cyclic() const { return cyclic_; }

  // Reads the three bands and leaves them as they are. False if a pivot is zero or not finite.
  bool factor() {
    eliminate(0);
    return sound_;
  }

  // For a positive semidefinite matrix: rows whose pivot is below this share of their diagonal depend on those before
  // them; their unknowns become zero and their equations are left out. Returns how many there are.
  int factor_semidefinite(double share) { return eliminate(share); }

  // All pivots of the last factoring are positive: so is a symmetric matrix.
  [[nodiscard]] bool positive() const {
    return sound_ && std::all_of(inverse_.begin(), inverse_.end(), [](double value) { return value > 0; });
  }

  // x holds the right-hand side and becomes the solution.
  void solve(std::span<double> x) const {
    const std::size_t open = cyclic_ ? rows() - 1 : rows();
    solve_open(x.first(open));
    if (!cyclic_) return;
    // the last unknown from its own row, then its share in all the others
    const double right = x[open] - upper[open] * x[0] - lower[open] * x[open - 1];
    x[open] = right * inverse_[open];
    for (std::size_t i = 0; i < open; ++i) x[i] -= border_[i] * x[open];
  }

 private:
  void solve_open(std::span<double> x) const {
    const std::size_t n = x.size();
    for (std::size_t i = 1; i < n; ++i) x[i] -= factor_[i] * x[i - 1];
    if (n > 0) x[n - 1] *= inverse_[n - 1];
    for (std::size_t i = n; i-- > 1;) x[i - 1] = (x[i - 1] - upper[i - 1] * x[i]) * inverse_[i - 1];
  }

  // Pivots and factors, row by row. Rows with a pivot of at most `share` of their diagonal are left out, and counted.
  int eliminate(double share) {
    const std::size_t open = cyclic_ ? rows() - 1 : rows();
    int left_out = 0;
    sound_ = true;
    auto invert = [&](double pivot, double whole) {
      sound_ = sound_ && pivot != 0 && std::isfinite(pivot);
      const bool keep = share == 0 || pivot > share * whole;
      left_out += keep ? 0 : 1;
      return keep ? 1 / pivot : 0;
    };
    double previous = 0;
    for (std::size_t i = 0; i < open; ++i) {
      factor_[i] = i > 0 ? lower[i] * previous : 0;
      const double pivot = i > 0 ? diagonal[i] - factor_[i] * upper[i - 1] : diagonal[i];
      inverse_[i] = previous = invert(pivot, diagonal[i]);
    }
    if (cyclic_) inverse_[open] = invert(border_pivot(), diagonal[open]);
    return left_out;
  }

  // border = T⁻¹ c with c the last column; returns what is left of the last diagonal element.
  double border_pivot() {
    const std::size_t last = rows() - 1;
    for (double& value : border_) value = 0;
    border_[0] += lower[0];
    border_[last - 1] += upper[last - 1];
    solve_open(border_);
    return diagonal[last] - upper[last] * border_[0] - lower[last] * border_[last - 1];
  }

  bool cyclic_ = false;
  bool sound_ = false;           // the pivots are finite and none is zero
  std::vector<double> inverse_;  // of the pivots
  std::vector<double> factor_;   // lower[i] / pivot[i−1]
  std::vector<double> border_;   // T⁻¹ times the last column
};

}  // namespace filum::math
