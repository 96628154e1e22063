// Straight splines to begin with.
#pragma once

#include "published/theetten_spline.hpp"

namespace filum::test {

// Of this length along x, from the origin, its speed even.
inline Eigen::MatrixX4d straight_control(int points, double length) {
  Eigen::MatrixX4d control = Eigen::MatrixX4d::Zero(points, 4);
  for (int i = 0; i < points; ++i) control(i, 0) = (i - 1) * length / (points - 3);
  return control;
}

// Points (x, y, z, θ), one after the other.
inline Eigen::VectorXd unknowns_of(const Eigen::MatrixX4d& control) {
  Eigen::VectorXd q(4 * control.rows());
  for (Eigen::Index i = 0; i < control.rows(); ++i) q.segment<4>(4 * i) = control.row(i).transpose();
  return q;
}

}  // namespace filum::test
