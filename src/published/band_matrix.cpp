#include "published/band_matrix.hpp"

#include "base/assert.hpp"
#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::published {

BandMatrix::BandMatrix(int rows, int half_band)
    : rows_(rows), half_band_(half_band), lower_(at(rows) * at(half_band + 1)) {}

void BandMatrix::set_zero() {
  std::fill(lower_.begin(), lower_.end(), 0.0);
}

std::size_t BandMatrix::place(int row, int column) const {
  FILUM_ASSERT(row >= column && row - column <= half_band_ && column >= 0 && row < rows_);
  return at(row) * at(half_band_ + 1) + at(half_band_ - (row - column));
}

double BandMatrix::entry(int row, int column) const {
  if (std::abs(row - column) > half_band_) return 0;
  return lower_[place(std::max(row, column), std::min(row, column))];
}

Eigen::VectorXd BandMatrix::times(const Eigen::VectorXd& x) const {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(rows_);
  for (int row = 0; row < rows_; ++row) {
    for (int column = std::max(0, row - half_band_); column < row; ++column) {
      const double value = lower_[place(row, column)];
      y[row] += value * x[column];
      y[column] += value * x[row];
    }
    y[row] += lower_[place(row, row)] * x[row];
  }
  return y;
}

bool BandMatrix::solve(Eigen::VectorXd& x) const {
  // rows of the working matrix hold columns row − band … row + 2 band
  const int band = half_band_;
  const int width = 3 * band + 1;
  std::vector<double> work(at(rows_) * at(width));
  auto w = [&](int row, int column) -> double& { return work[at(row) * at(width) + at(column - row + band)]; };
  for (int row = 0; row < rows_; ++row)
    for (int column = std::max(0, row - band); column <= std::min(rows_ - 1, row + band); ++column)
      w(row, column) = entry(row, column);

  for (int pivot = 0; pivot < rows_; ++pivot) {
    // the largest number of the column comes to the diagonal
    const int last_row = std::min(rows_ - 1, pivot + band);
    const int last_column = std::min(rows_ - 1, pivot + 2 * band);
    int best = pivot;
    for (int row = pivot + 1; row <= last_row; ++row)
      if (std::abs(w(row, pivot)) > std::abs(w(best, pivot))) best = row;
    const double value = w(best, pivot);
    if (value == 0 || !std::isfinite(value)) return false;
    if (best != pivot) {
      for (int column = pivot; column <= last_column; ++column) std::swap(w(best, column), w(pivot, column));
      std::swap(x[best], x[pivot]);
    }
    // eliminate below
    for (int row = pivot + 1; row <= last_row; ++row) {
      const double factor = w(row, pivot) / value;
      if (factor == 0) continue;
      for (int column = pivot + 1; column <= last_column; ++column) w(row, column) -= factor * w(pivot, column);
      x[row] -= factor * x[pivot];
    }
  }

  // substitute back
  for (int row = rows_ - 1; row >= 0; --row) {
    for (int column = row + 1; column <= std::min(rows_ - 1, row + 2 * band); ++column)
      x[row] -= w(row, column) * x[column];
    x[row] /= w(row, row);
  }
  return x.allFinite();
}

}  // namespace filum::published
