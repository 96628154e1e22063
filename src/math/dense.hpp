// Decompositions of dense matrices. Eigen's take long to compile: this is the one place that does.
#pragma once

#include <filum/types.hpp>

#include <Eigen/Core>

#include <optional>

namespace filum::math {

using Mat6 = Eigen::Matrix<double, 6, 6>;

// Of a symmetric matrix: eigenvalues, rising, and eigenvectors of unit length, square to each other, as columns.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
struct SymmetricEigen3 {
  Vec3 values;
  Mat3 vectors;
};
[[nodiscard]] SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);
[[nodiscard]] SymmetricEigen3 symmetric_eigen(const Mat3& matrix);
[[nodiscard]] double least_eigenvalue(const Mat3& symmetric);
[[nodiscard]] double least_eigenvalue(const Mat6& symmetric);

[[nodiscard]] Mat6 inverse(const Mat6& matrix);

// A⁻¹ b by elimination with rows exchanged, or with rows and columns.
[[nodiscard]] Vec3 solve(const Mat3& matrix, const Vec3& right);
[[nodiscard]] Eigen::VectorXd solve(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);
[[nodiscard]] Eigen::VectorXd solve_fully_pivoted(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);

// Likewise by Cholesky's method; none if the matrix is not positive definite.
[[nodiscard]] std::optional<Eigen::VectorXd> solve_definite(const Eigen::MatrixXd& matrix,
                                                            const Eigen::VectorXd& right);
[[nodiscard]] bool is_definite(const Eigen::MatrixXd& matrix);

// The smallest rotation that takes one direction to another (any of them where they are opposite); neither need have unit
// length. Eigen's own falls back on a singular value decomposition.
[[nodiscard]] Quat smallest_turn(const Vec3& from, const Vec3& to);

// Orthonormal columns that span what is square to all columns of a matrix, which must be independent.
[[nodiscard]] Eigen::MatrixXd complement(const Eigen::MatrixXd& columns);

}  // namespace filum::math
