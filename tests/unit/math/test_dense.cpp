// Dense decompositions, each by what it promises.
#include "math/dense.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::test_dense {

namespace {

Eigen::MatrixXd random_matrix(int rows, int columns) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> any(-1, 1);
  Eigen::MatrixXd matrix(rows, columns);
  for (Eigen::Index k = 0; k < matrix.size(); ++k) matrix.data()[k] = any(engine);
  return matrix;
}

}  // namespace

TEST_CASE("symmetric matrices are put together again from their eigenvectors") {
  const Eigen::MatrixXd half = random_matrix(9, 9);
  const Eigen::MatrixXd matrix = half + half.transpose();
  const math::SymmetricEigen found = math::symmetric_eigen(matrix);
  CHECK((found.vectors * found.values.asDiagonal() * found.vectors.transpose() - matrix).norm() < 1e-13);
  for (Eigen::Index k = 1; k < 9; ++k) CHECK(found.values[k - 1] <= found.values[k]);

  const Mat3 small = matrix.topLeftCorner<3, 3>();
  const math::SymmetricEigen3 three = math::symmetric_eigen(small);
  CHECK((three.vectors * three.values.asDiagonal() * three.vectors.transpose() - small).norm() < 1e-14);
  CHECK(math::least_eigenvalue(small) == doctest::Approx(three.values[0]));
  const math::Mat6 six = matrix.topLeftCorner<6, 6>();
  CHECK(math::least_eigenvalue(six) == doctest::Approx(math::symmetric_eigen(Eigen::MatrixXd(six)).values[0]));
}

TEST_CASE("linear systems are solved, definite ones only if they are") {
  const Eigen::MatrixXd matrix = random_matrix(7, 7);
  const Eigen::VectorXd right = matrix.col(2) + matrix.row(1).transpose();
  CHECK((matrix * math::solve(matrix, right) - right).norm() < 1e-12);
  CHECK((matrix * math::solve_fully_pivoted(matrix, right) - right).norm() < 1e-12);
  const Mat3 small = matrix.topLeftCorner<3, 3>();
  CHECK((small * math::solve(small, Vec3(1, 2, 3)) - Vec3(1, 2, 3)).norm() < 1e-13);
  const math::Mat6 six = matrix.topLeftCorner<6, 6>();
  CHECK((six * math::inverse(six) - math::Mat6::Identity()).norm() < 1e-12);

  Eigen::MatrixXd definite = matrix * matrix.transpose();
  CHECK(math::is_definite(definite));
  CHECK((definite * math::solve_definite(definite, right).value() - right).norm() < 1e-10);
  definite(3, 3) = -1;
  CHECK_FALSE(math::is_definite(definite));
  CHECK_FALSE(math::solve_definite(definite, right).has_value());
}

TEST_CASE("the complement of some columns is square to them and orthonormal") {
  const Eigen::MatrixXd columns = random_matrix(8, 3);
  const Eigen::MatrixXd others = math::complement(columns);
  REQUIRE(others.cols() == 5);
  CHECK((columns.transpose() * others).norm() < 1e-14);
  CHECK((others.transpose() * others - Eigen::MatrixXd::Identity(5, 5)).norm() < 1e-14);
}

TEST_CASE("the smallest turn takes one direction to the other, also to its opposite") {
  const Vec3 from(0.3, -1.2, 2);
  for (const Vec3& to : {Vec3(1, 2, -0.5), Vec3(0.3, -1.2, 2.001), Vec3(-0.3, 1.2, -1.999), Vec3(-0.6, 2.4, -4)}) {
    const Quat turn = math::smallest_turn(from, to);
    CHECK(turn.norm() == doctest::Approx(1).epsilon(1e-14));
    CHECK((turn * from.normalized() - to.normalized()).norm() < 1e-7);
    CHECK(std::abs(turn.vec().dot(from)) < 1e-7);  // no twist about where it began
  }
}

}  // namespace filum::test_dense
