#include "math/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

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
  return Eigen::SelfAdjointEigenSolver<Mat6>(symmetric).eigenvalues()[0];
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
  return Quat::FromTwoVectors(from, to);
}

Eigen::MatrixXd complement(const Eigen::MatrixXd& columns) {
  const Eigen::MatrixXd q = columns.householderQr().householderQ();
  return q.rightCols(columns.rows() - columns.cols());
}

}  // namespace filum::math
