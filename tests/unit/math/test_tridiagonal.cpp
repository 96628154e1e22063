// Thomas elimination, open and cyclic, against dense elimination.
#include "math/tridiagonal.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <cstddef>
#include <random>
#include <vector>

namespace filum::test_tridiagonal {

using filum::math::Tridiagonal;

namespace {

Eigen::MatrixXd dense(const Tridiagonal& t) {
  const auto n = static_cast<Eigen::Index>(t.rows());
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    m(i, i) += t.diagonal[k];
    if (i > 0 || t.cyclic()) m(i, (i + n - 1) % n) += t.lower[k];
    if (i + 1 < n || t.cyclic()) m(i, (i + 1) % n) += t.upper[k];
  }
  return m;
}

// A chain with a dominant diagonal, as the constraint matrix of a rod has.
Tridiagonal sample(std::size_t rows, bool cyclic, bool symmetric, std::mt19937& random) {
  std::uniform_real_distribution<double> side(-1, 1);
  Tridiagonal t;
  t.resize(rows, cyclic);
  for (std::size_t i = 0; i < rows; ++i) {
    t.lower[i] = side(random);
    t.upper[i] = side(random);
    t.diagonal[i] = 2.1;
  }
  for (std::size_t i = 0; symmetric && i < rows; ++i) t.upper[i] = t.lower[(i + 1) % rows];
  return t;
}

}  // namespace

TEST_CASE("a tridiagonal solve agrees with the dense one") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> side(-1, 1);
  for (const bool cyclic : {false, true})
    for (const bool symmetric : {false, true})
      for (const std::size_t rows : {1, 2, 3, 4, 17, 200}) {
        if (cyclic && rows < 3) continue;
        CAPTURE(rows);
        CAPTURE(cyclic);
        Tridiagonal t = sample(rows, cyclic, symmetric, random);
        std::vector<double> x(rows);
        for (double& value : x) value = side(random);
        const Eigen::VectorXd b = Eigen::Map<Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(rows));
        const Eigen::VectorXd wanted = dense(t).partialPivLu().solve(b);
        REQUIRE(t.factor());
        t.solve(x);
        // the condition is below 100, so both are good to some 1e-14
        for (std::size_t i = 0; i < rows; ++i)
          CHECK(x[i] == doctest::Approx(wanted[static_cast<Eigen::Index>(i)]).epsilon(1e-12));
      }
}

TEST_CASE("a factored tridiagonal system serves several right-hand sides") {
  std::mt19937 random(3);
  for (const bool cyclic : {false, true}) {
    Tridiagonal t = sample(9, cyclic, false, random);
    REQUIRE(t.factor());
    const Eigen::MatrixXd m = dense(t);
    for (Eigen::Index column = 0; column < 9; ++column) {
      std::vector<double> x(9, 0.0);
      x[static_cast<std::size_t>(column)] = 1;
      t.solve(x);
      const Eigen::VectorXd back = m * Eigen::Map<Eigen::VectorXd>(x.data(), 9);
      CHECK((back - Eigen::VectorXd::Unit(9, column)).norm() < 1e-13);
    }
  }
}

TEST_CASE("a pivot of zero is told") {
  Tridiagonal t;
  t.resize(3, false);
  CHECK_FALSE(t.factor());
  t.resize(4, true);
  t.diagonal = {0, 1, 1, 1};
  CHECK_FALSE(t.factor());
}

TEST_CASE("positive pivots tell a positive definite matrix") {
  Tridiagonal t;
  t.resize(3, false);
  t.diagonal = {2, 2, 2};
  t.lower = t.upper = {-1, -1, -1};
  CHECK(t.factor());
  CHECK(t.positive());
  t.diagonal = {2, 0.4, 2};
  CHECK(t.factor());
  CHECK_FALSE(t.positive());
}

TEST_CASE("rows that depend on others are left out of a semidefinite system") {
  // a free chain of springs pulled apart evenly: the last row follows from the others
  for (const bool cyclic : {false, true}) {
    Tridiagonal t;
    t.resize(5, cyclic);
    for (std::size_t i = 0; i < 5; ++i) {
      t.lower[i] = t.upper[i] = -0.3;
      t.diagonal[i] = 0.6;
    }
    if (!cyclic) t.diagonal.front() = t.diagonal.back() = 0.3;
    CHECK(t.factor_semidefinite(1e-12) == 1);
    std::vector<double> x{1, -2, 1, 3, -3};
    const Eigen::VectorXd b = Eigen::Map<Eigen::VectorXd>(x.data(), 5);
    t.solve(x);
    // the right-hand side is consistent, so all rows are met
    CHECK((dense(t) * Eigen::Map<Eigen::VectorXd>(x.data(), 5) - b).norm() < 1e-13);
  }
}

}  // namespace filum::test_tridiagonal
