#include "math/dense.hpp"

#include "math/frame.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>
#include <utility>
#include <vector>

namespace filum::math {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> found(matrix);
  return {found.eigenvalues(), found.eigenvectors()};
}

SymmetricEigen3 symmetric_eigen(const Mat3& matrix) {
  const Eigen::SelfAdjointEigenSolver<Mat3> found(matrix);
  return {found.eigenvalues(), found.eigenvectors()};
}

double least_eigenvalue(const Mat3& symmetric) {
  return symmetric.selfadjointView<Eigen::Lower>().eigenvalues()[0];
}

double least_eigenvalue(const Mat6& symmetric) {
  return symmetric_eigen(Eigen::MatrixXd(symmetric)).values[0];
}

Mat6 inverse(const Mat6& matrix) {
  return matrix.inverse();
}

Vec3 solve(const Mat3& matrix, const Vec3& right) {
  return matrix.partialPivLu().solve(right);
}

Eigen::VectorXd solve(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right) {
  return matrix.partialPivLu().solve(right);
}

Eigen::VectorXd solve_fully_pivoted(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right) {
  return matrix.fullPivLu().solve(right);
}

std::optional<Eigen::VectorXd> solve_definite(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right) {
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.solve(right);
}

bool is_definite(const Eigen::MatrixXd& matrix) {
  return matrix.llt().info() == Eigen::Success;
}

Quat smallest_turn(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized();
  const Vec3 b = to.normalized();
  const double cosine = a.dot(b);
  if (!(cosine > -1 + 1e-15)) {
    const Vec3 axis = any_perpendicular(a);
    return {0, axis.x(), axis.y(), axis.z()};
  }
  const double root = std::sqrt((1 + cosine) * 2);  // twice the cosine of half the angle
  const Vec3 v = a.cross(b) * (1 / root);
  const Quat turn(0.5 * root, v.x(), v.y(), v.z());
  return cosine > -0.9 ? turn : Quat(turn.normalized());  // where it is the difference of nearly equal numbers
}

Eigen::MatrixXd complement(const Eigen::MatrixXd& columns) {
  // Householder's reflections take the columns to upper triangular form; undone on the last unit vectors these become
  // the complement. Eigen's do so in blocks, which takes longer to compile than all the rest.
  const Eigen::Index n = columns.rows();
  const Eigen::Index k = columns.cols();
  Eigen::MatrixXd left = columns;
  std::vector<Eigen::VectorXd> mirrors;
  for (Eigen::Index j = 0; j < k; ++j) {
    Eigen::VectorXd mirror = left.col(j).tail(n - j);
    mirror[0] += std::copysign(mirror.norm(), mirror[0]);
    mirror.normalize();
    for (Eigen::Index c = j; c < k; ++c) left.col(c).tail(n - j) -= 2 * mirror.dot(left.col(c).tail(n - j)) * mirror;
    mirrors.push_back(std::move(mirror));
  }
  Eigen::MatrixXd others = Eigen::MatrixXd::Zero(n, n - k);
  others.bottomRows(n - k).diagonal().setOnes();
  for (Eigen::Index j = k; j-- > 0;) {
    const Eigen::VectorXd& mirror = mirrors[static_cast<std::size_t>(j)];
    for (Eigen::Index c = 0; c < n - k; ++c)
      others.col(c).tail(n - j) -= 2 * mirror.dot(others.col(c).tail(n - j)) * mirror;
  }
  return others;
}

}  // namespace filum::math
