#include "channel/heading_derivatives.hpp"

#include "base/index.hpp"

namespace filum::channel {
namespace {

Vec2 turned(double angle) {
  return {-std::sin(angle), std::cos(angle)};
}

// Sum of all forces beyond each link.
std::vector<Vec2> forces_beyond(const Beam& beam, const std::vector<Vec2>& forces) {
  std::vector<Vec2> beyond(at(beam.links));
  Vec2 sum = beam.force;
  for (int link = beam.links - 1; link >= 0; --link) {
    sum += forces[at(link + 1)];
    beyond[at(link)] = sum;
  }
  return beyond;
}

}  // namespace

Eigen::VectorXd linkage_gradient(const Beam& beam, const std::vector<double>& angles, const std::vector<Vec2>& forces) {
  const std::vector<Vec2> beyond = forces_beyond(beam, forces);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(beam.links - 1);
  for (int link = 1; link < beam.links; ++link) {
    const double moment = 2 * beam.joint_stiffness() * (angles[at(link)] - angles[at(link - 1)] - beam.rest[at(link)]);
    gradient[link - 1] += moment - beam.step * turned(angles[at(link)]).dot(beyond[at(link)]);
    if (link > 1) gradient[link - 2] -= moment;
  }
  return gradient;
}

Eigen::MatrixXd linkage_hessian(const Beam& beam, const std::vector<double>& angles, const std::vector<Vec2>& forces,
                              const std::vector<Eigen::Matrix2d>& stiffness) {
  const std::vector<Vec2> beyond = forces_beyond(beam, forces);
  const int n = beam.links - 1;
  const double k = 2 * beam.joint_stiffness();
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(n, n);
  Eigen::Matrix2Xd lever(2, n);
  for (int j = 0; j < n; ++j) lever.col(j) = beam.step * turned(angles[at(j + 1)]);
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  for (int j = n - 1; j >= 0; --j) {
    // nodes beyond link j + 1 move with it and with every link before
    sum += stiffness[at(j + 2)];
    hessian.row(j).head(j + 1) = (lever.col(j).transpose() * sum) * lever.leftCols(j + 1);
    // bending on both sides of the link, and the turning of the forces' lever
    hessian(j, j) += (j + 1 < n ? 2 * k : k) + beam.step * direction(angles[at(j + 1)]).dot(beyond[at(j + 1)]);
    if (j > 0) hessian(j, j - 1) -= k;
  }
  hessian.triangularView<Eigen::StrictlyUpper>() = hessian.transpose();
  return hessian;
}

Eigen::VectorXd row_gradient(const Beam& beam, const std::vector<double>& angles, const Row& row) {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(beam.links - 1);
  for (int j = 0; j + 1 < row.node; ++j) gradient[j] = beam.step * turned(angles[at(j + 1)]).dot(row.gradient);
  return gradient;
}

}  // namespace filum::channel
