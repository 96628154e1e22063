// Block Lanczos on operators whose eigenvalues are known: multiplicities, a semi-definite inner product, a space that
// is smaller than what is asked for.
#include "math/block_lanczos.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_block_lanczos {

using filum::math::BlockLanczos;

namespace {

// A x = values ∘ x with the plain inner product, weights 0 or 1.
BlockLanczos::Operator diagonal(const Eigen::VectorXd& values, const Eigen::VectorXd& weight) {
  return {static_cast<int>(values.size()),
          [=](Eigen::VectorXd& x) { x = values.cwiseProduct(weight).cwiseProduct(x).eval(); },
          [=](const Eigen::VectorXd& x, Eigen::VectorXd& y) { y = weight.cwiseProduct(x); }};
}

double quotient(const Eigen::VectorXd& values, const Eigen::VectorXd& x) {
  return x.dot(values.cwiseProduct(x)) / x.squaredNorm();
}

}  // namespace

TEST_SUITE("block_lanczos") {
  TEST_CASE("the largest eigenvalues come first, multiple ones as often as they are") {
    // 1/k², each five times
    const int n = 500;
    Eigen::VectorXd values(n);
    for (int i = 0; i < n; ++i) values[i] = 1.0 / std::pow(1 + i / 5, 2);
    BlockLanczos lanczos(diagonal(values, Eigen::VectorXd::Ones(n)));
    lanczos.run(20, n);
    REQUIRE(lanczos.found() == 20);
    const Eigen::MatrixXd v = lanczos.vectors(20);
    // residuals of 1e-10 leave 1e-20 in the quotients; vectors are orthogonal to round-off
    for (int k = 0; k < 20; ++k) CHECK(quotient(values, v.col(k)) == doctest::Approx(values[k]).epsilon(1e-13));
    CHECK((v.transpose() * v - Eigen::MatrixXd::Identity(20, 20)).cwiseAbs().maxCoeff() < 1e-12);
  }

  TEST_CASE("a multiplicity beyond the block is found by fresh vectors") {
    // one value twelve times and forty others
    Eigen::VectorXd values(52);
    for (int i = 0; i < 52; ++i) values[i] = i < 12 ? 1 : 1.0 / (i - 8);
    BlockLanczos lanczos(diagonal(values, Eigen::VectorXd::Ones(52)));
    lanczos.run(12, 52);
    lanczos.refresh();
    lanczos.run(12, 52);
    REQUIRE(lanczos.found() == 12);
    const Eigen::MatrixXd v = lanczos.vectors(12);
    for (int k = 0; k < 12; ++k) CHECK(quotient(values, v.col(k)) == doctest::Approx(1).epsilon(1e-12));
  }

  TEST_CASE("what has no weight is no mode; fewer modes than asked for are all there are") {
    const int n = 30;
    Eigen::VectorXd values(n);
    Eigen::VectorXd weight(n);
    for (int i = 0; i < n; ++i) {
      values[i] = std::pow(0.5, i);
      weight[i] = i % 2;
    }
    BlockLanczos lanczos(diagonal(values, weight));
    lanczos.run(100, n);
    REQUIRE(lanczos.found() == 15);
    const Eigen::MatrixXd v = lanczos.vectors(100);
    // the smallest is 2⁻²⁹ of the largest: vectors to round-off times that, quotients to its square
    for (int k = 0; k < 15; ++k) CHECK(quotient(values, v.col(k)) == doctest::Approx(values[2 * k + 1]).epsilon(1e-6));
  }

  TEST_CASE("two runs give the same bits") {
    Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(200, 1, 2);
    BlockLanczos a(diagonal(values, Eigen::VectorXd::Ones(200)));
    BlockLanczos b(diagonal(values, Eigen::VectorXd::Ones(200)));
    a.run(5, 200);
    b.run(5, 200);
    CHECK(a.vectors(5) == b.vectors(5));
  }
}

}  // namespace filum::test_block_lanczos
