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
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(beam.links);
  for (int link = 0; link < beam.links; ++link) {
    const double moment = beam.stiffness_of(link) * beam.bent(link, angles);
    gradient[link] += moment - beam.step * turned(angles[at(link)]).dot(beyond[at(link)]);
    if (link > 0) gradient[link - 1] -= moment;
  }
  return gradient;
}

Eigen::MatrixXd linkage_hessian(const Beam& beam, const std::vector<double>& angles, const std::vector<Vec2>& forces,
                                const std::vector<Eigen::Matrix2d>& stiffness) {
  const std::vector<Vec2> beyond = forces_beyond(beam, forces);
  const int n = beam.links;
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(n, n);
  Eigen::Matrix2Xd lever(2, n);
  for (int j = 0; j < n; ++j) lever.col(j) = beam.step * turned(angles[at(j)]);
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  for (int j = n - 1; j >= 0; --j) {
    // nodes beyond link j move with it and with every link before
    sum += stiffness[at(j + 1)];
    hessian.row(j).head(j + 1) = (lever.col(j).transpose() * sum) * lever.leftCols(j + 1);
    if (j > 0) hessian.col(j).head(j) = lever.leftCols(j).transpose() * (sum * lever.col(j));
    // bending on both sides of the link, and the turning of the forces' lever
    hessian(j, j) += beam.stiffness_of(j) + (j + 1 < n ? beam.stiffness_of(j + 1) : 0) +
                     beam.step * direction(angles[at(j)]).dot(beyond[at(j)]);
    if (j > 0) {
      hessian(j, j - 1) -= beam.stiffness_of(j);
      hessian(j - 1, j) -= beam.stiffness_of(j);
    }
  }
  return hessian;
}

Eigen::VectorXd moments_of(const Beam& beam, const std::vector<double>& angles, int node, const Vec2& force) {
  Eigen::VectorXd moments = Eigen::VectorXd::Zero(beam.links);
  for (int j = 0; j < node; ++j) moments[j] = beam.step * turned(angles[at(j)]).dot(force);
  return moments;
}

}  // namespace filum::channel
