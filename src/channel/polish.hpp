// The planar linkage brought to rest: channel/polisher.hpp says how.
#pragma once

#include "channel/heading_derivatives.hpp"
#include "channel/polisher.hpp"
#include "channel/wall_rows.hpp"

namespace filum::channel {

// A beam in its channel as the polish sees it.
struct PlaneModel {
  using Configuration = channel::Configuration;
  using Row = channel::Row;
  using Vector = Vec2;
  using Matrix = Eigen::Matrix2d;

  const Passage& passage;
  const Beam& beam;

  [[nodiscard]] int unknowns() const { return beam.links; }
  [[nodiscard]] int nodes() const { return beam.links + 1; }
  [[nodiscard]] double load() const { return beam.force.norm(); }
  [[nodiscard]] double joint_moment() const { return 2 * beam.joint_stiffness(); }
  [[nodiscard]] double shift() const { return 0; }
  [[nodiscard]] double friction() const { return beam.friction; }
  // With this share of the friction.
  [[nodiscard]] std::vector<Row> rows(const Configuration& now, double share) const {
    return make_rows(passage, beam, now, share * beam.friction);
  }
  [[nodiscard]] double energy(const Configuration& now) const { return channel::energy(beam, now.angles).total(); }
  [[nodiscard]] Eigen::VectorXd gradient(const Configuration& now, const std::vector<Vec2>& forces) const {
    return linkage_gradient(beam, now.angles, forces);
  }
  [[nodiscard]] Eigen::MatrixXd hessian(const Configuration& now, const std::vector<Vec2>& forces,
                                        const std::vector<Eigen::Matrix2d>& stiffness) const {
    return linkage_hessian(beam, now.angles, forces, stiffness);
  }
  [[nodiscard]] Eigen::VectorXd pulled_back(const Configuration& now, int node, const Vec2& force) const {
    return moments_of(beam, now.angles, node, force);
  }
  [[nodiscard]] Configuration moved(const Configuration& now, const Eigen::VectorXd& step) const;
  [[nodiscard]] bool forward(const Configuration& now) const { return channel::forward(now.angles, now.places); }
};

using Polished = PolishedIn<PlaneModel>;

// From a linkage's headings, or first tied to places of all its nodes.
Polished polish(const Passage& passage, const Beam& beam, const std::vector<double>& angles,
                const std::vector<Vec2>& ties = {});

// From an equilibrium at a load hardly different, along its branch.
Polished follow(const Passage& passage, const Beam& beam, const Polished& from);

}  // namespace filum::channel
