// The band matrix: products and solutions equal those of the same matrix kept whole.
#include "published/band_matrix.hpp"

#include <Eigen/LU>

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <random>

namespace filum::test_band_matrix {

using filum::published::BandMatrix;

namespace {

// Symmetric and indefinite, entries in (−1, 1); `dense` becomes the same matrix.
BandMatrix random_band(int rows, int half_band, Eigen::MatrixXd& dense) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  BandMatrix band(rows, half_band);
  dense = Eigen::MatrixXd::Zero(rows, rows);
  for (int i = 0; i < rows; ++i)
    for (int j = std::max(0, i - half_band); j <= i; ++j) {
      const double value = uniform(rng);
      band.add(i, j, value);
      dense(i, j) = dense(j, i) = value;
    }
  return band;
}

}  // namespace

TEST_CASE("band matrix: entries, products and solutions equal those of the whole matrix") {
  // wider than the band, as wide, narrower
  for (const int rows : {1, 7, 10, 11, 12, 60, 300}) {
    Eigen::MatrixXd dense;
    const BandMatrix band = random_band(rows, 10, dense);
    bool same = true;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) same = same && band.entry(i, j) == dense(i, j);
    CHECK(same);

    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(rows, -1, 2);
    CHECK((band.times(right) - dense * right).norm() < 1e-13 * rows);
    Eigen::VectorXd x = right;
    REQUIRE(band.solve(x));
    // exchanges of rows keep the residual at round-off though pivots of either sign are met
    CHECK((dense * x - right).norm() < 1e-11 * dense.norm() * x.norm());
    const Eigen::VectorXd whole = dense.partialPivLu().solve(right);
    CHECK((x - whole).norm() < 1e-10 * whole.norm());
  }
}

TEST_CASE("band matrix: without a solution it says so") {
  BandMatrix singular(20, 10);
  for (int i = 0; i < 19; ++i) singular.add(i, i, 1);
  Eigen::VectorXd x = Eigen::VectorXd::Ones(20);
  CHECK_FALSE(singular.solve(x));

  Eigen::MatrixXd dense;
  BandMatrix poisoned = random_band(20, 10, dense);
  poisoned.add(5, 3, std::nan(""));
  CHECK_FALSE(poisoned.solve(x));
}

}  // namespace filum::test_band_matrix
