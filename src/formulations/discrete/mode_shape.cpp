#include "formulations/discrete/mode_shape.hpp"

#include "math/dense.hpp"

#include <cmath>

namespace filum::discrete {

namespace {

// Eigenvalues within this share of each other are one.
constexpr double kEqual = 1e-7;
// Below this share of an angle times the model's size a displacement is none.
constexpr double kNoDisplacement = 1e-6;

}  // namespace

void turn_towards_axes(const Eigen::VectorXd& eigenvalue, Eigen::MatrixXd& vectors,
                       const std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)>& weigh) {
  const auto equal = [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(eigenvalue[a] - eigenvalue[b]) <= kEqual * std::abs(eigenvalue[a]);
  };
  for (Eigen::Index first = 0, last = 1; first < eigenvalue.size(); first = last++) {
    while (last < eigenvalue.size() && equal(last - 1, last)) ++last;
    if (last - first < 2) continue;
    const Eigen::MatrixXd group = vectors.middleCols(first, last - first);
    Eigen::MatrixXd along(group.cols(), group.cols());
    Eigen::VectorXd weighed(group.rows());
    for (Eigen::Index k = 0; k < group.cols(); ++k) {
      weigh(group.col(k), weighed);
      along.col(k) = group.transpose() * weighed;
    }
    vectors.middleCols(first, last - first) = group * math::symmetric_eigen(along).vectors;
  }
}

void normalise(NaturalMode& mode, double size) {
  double displacement = 0;
  double rotation = 0;
  double displacement_sign = 1;
  double rotation_sign = 1;
  const auto look = [](const Vec3& v, double& largest, double& sign) {
    // the first of those that are equal but for round-off
    if (v.norm() <= (1 + 1e-6) * largest) return;
    largest = v.norm();
    Eigen::Index axis = 0;
    v.cwiseAbs().maxCoeff(&axis);
    sign = v[axis] < 0 ? -1 : 1;
  };
  for (const NaturalMode::RodShape& rod : mode.rods) {
    for (const Vec3& v : rod.displacement) look(v, displacement, displacement_sign);
    for (const double turn : rod.turn) look(Vec3(turn, 0, 0), rotation, rotation_sign);
  }
  for (const Vec3& v : mode.body_displacement) look(v, displacement, displacement_sign);
  for (const Vec3& w : mode.body_rotation) look(w, rotation, rotation_sign);
  const bool moves = displacement > kNoDisplacement * rotation * size;
  const double unit = moves ? displacement_sign * displacement : rotation_sign * rotation;
  if (unit == 0) return;
  for (NaturalMode::RodShape& rod : mode.rods) {
    for (Vec3& v : rod.displacement) v /= unit;
    for (double& turn : rod.turn) turn /= unit;
  }
  for (Vec3& v : mode.body_displacement) v /= unit;
  for (Vec3& w : mode.body_rotation) w /= unit;
}

}  // namespace filum::discrete
