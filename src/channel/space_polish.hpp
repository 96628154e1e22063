// The linkage in a tube brought to rest: channel/polisher.hpp says how.
#pragma once

#include "channel/polisher.hpp"
#include "channel/tube_wall.hpp"

namespace filum::channel {

// A beam in its tube as the polish sees it.
struct SpaceModel {
  using Configuration = SpaceConfiguration;
  using Row = SpaceRow;
  using Vector = Vec3;
  using Matrix = Eigen::Matrix3d;

  const SpacePassage& passage;
  const TubeWall& wall;
  const SpaceBeam& beam;

  [[nodiscard]] int unknowns() const { return 2 * beam.links; }
  [[nodiscard]] int nodes() const { return beam.links + 1; }
  [[nodiscard]] double load() const { return beam.force.norm(); }
  [[nodiscard]] double joint_moment() const { return 1 / beam.step; }
  // Of Newton's matrix: a beam that may turn about the axis of its tube would make it singular.
  [[nodiscard]] double shift() const { return 1e-9 * joint_moment(); }
  [[nodiscard]] double friction() const { return beam.friction; }
  [[nodiscard]] std::vector<Row> rows(const Configuration& now, double share) const;
  [[nodiscard]] double energy(const Configuration& now) const { return channel::energy(beam, now).total(); }
  [[nodiscard]] Eigen::VectorXd gradient(const Configuration& now, const std::vector<Vec3>& forces) const {
    return linkage_gradient(beam, now, forces);
  }
  [[nodiscard]] Eigen::MatrixXd hessian(const Configuration& now, const std::vector<Vec3>& forces,
                                        const std::vector<Eigen::Matrix3d>& stiffness) const {
    return linkage_hessian(beam, now, forces, stiffness);
  }
  [[nodiscard]] Eigen::VectorXd pulled_back(const Configuration& now, int node, const Vec3& force) const {
    return moments_of(beam, now, node, force);
  }
  [[nodiscard]] Configuration moved(const Configuration& now, const Eigen::VectorXd& step) const {
    return channel::moved(passage, beam, now, step);
  }
  // Every link leads forward along the tube.
  [[nodiscard]] bool forward(const Configuration& now) const;
};

using SpacePolished = PolishedIn<SpaceModel>;

// From the directions of the links, or first tied to places of all nodes.
SpacePolished polish(const SpaceModel& model, const std::vector<Vec3>& tangents, const std::vector<Vec3>& ties = {});
// From the equilibrium at a load hardly different, whose tip was turned by so much less, rad: on its branch, or not at all.
SpacePolished follow(const SpaceModel& model, SpacePolished from, double turned);

}  // namespace filum::channel
