// A symmetric band matrix: sums of element matrices, products, and solution by Gaussian elimination.
//
// Elimination exchanges rows, since the matrix may be indefinite; fill stays within twice the half-bandwidth above the
// diagonal. Cost and memory are linear in the number of rows.
#pragma once

#include <Eigen/Core>

#include <vector>

namespace filum::published {

class BandMatrix {
 public:
  BandMatrix() = default;
  BandMatrix(int rows, int half_band);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int half_band() const { return half_band_; }

  void set_zero();

  // Adds to one entry of the lower triangle, row >= column; its mirror image is the same number. Must lie in the band.
  void add(int row, int column, double value) { lower_[place(row, column)] += value; }
  [[nodiscard]] double entry(int row, int column) const;

  [[nodiscard]] Eigen::VectorXd times(const Eigen::VectorXd& x) const;

  // x := A⁻¹ x. False if a column has no pivot or something is not finite; x is then of no use.
  [[nodiscard]] bool solve(Eigen::VectorXd& x) const;

 private:
  [[nodiscard]] std::size_t place(int row, int column) const;

  int rows_ = 0;
  int half_band_ = 0;
  std::vector<double> lower_;  // per row: half_band entries left of the diagonal, then the diagonal
};

}  // namespace filum::published
