// A beam in a tube as a linkage in space, and its energy with derivatives.
//
// As channel/beam.hpp in the plane: scaled by the beam's length and EI, t_j the unit vector of link j, t_c the clamp's,
// φ_j the angle between links j − 1 and j (link −1: the clamp), T the force at the tip:
//
//   U = φ_0²/Δs + Σ_{j≥1} φ_j²/2Δs − Δs Σ T·(t_j − t_c) + ½ (GJ/EI) Θ²
//
// In a plane this is the energy there. The section is round, so twist is uniform and one number: Θ is by how much the tip
// is turned about its own tangent against the frame of the clamp carried along the beam without twist. The tip is held
// against turning: it is turned by `turn` against the frame of the tube where it lies. With the tube's tangent there as one
// tangent more, t_N (rod/uniform_twist, [Wang2016, 4.41]):
//
//   dΘ = Σ_{joints} (t_{j−1} × t_j)/(1 + t_{j−1}·t_j) · (dt_{j−1} + dt_j)
//
// Unknowns are two numbers a link: a step of t_j along a great circle, in a basis square to t_j.
#pragma once

#include "channel/space_passage.hpp"
#include "channel/wall_row.hpp"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace filum::channel {

struct SpaceBeam {
  int links = 0;
  double step = 0;  // Δs
  Vec3 start = Vec3::Zero();
  Vec3 heading = Vec3::UnitX();  // t_c
  Vec3 force = Vec3::Zero();
  double twist_stiffness = 0;  // GJ/EI; 0: the tip turns freely
  double turn = 0;             // of the tip, rad
  std::optional<double> tip;   // arc length of the centreline where a pushed tip is
  bool centred = false;        // and it lies on the centreline
  double wall_stiffness = 0;   // per length, in EI/L⁴; 0: rigid
  double friction = 0;
  double sense = 1;  // +1: the beam slides towards its tip

  // Moment of a joint per angle; of the first, which is half as long, twice that of the others.
  [[nodiscard]] double stiffness_of(int joint) const { return (joint == 0 ? 2 : 1) / step; }
  [[nodiscard]] double give_of(int node) const {
    return wall_stiffness > 0 ? (node == links ? 2 : 1) / (wall_stiffness * step) : 0;
  }
};

struct SpaceConfiguration {
  std::vector<Vec3> tangents;
  std::vector<Vec3> nodes;
  std::vector<SpacePlace> places;
  double twist = 0;  // Θ, followed through full turns
};

SpaceConfiguration configure(const SpacePassage& passage, const SpaceBeam& beam, std::vector<Vec3> tangents);
// The links turned by two numbers each.
SpaceConfiguration moved(const SpacePassage& passage, const SpaceBeam& beam, const SpaceConfiguration& from,
                         const Eigen::VectorXd& step);

struct SpaceEnergy {
  double bending = 0, twist = 0, load = 0;
  [[nodiscard]] double total() const { return bending + twist + load; }
};
SpaceEnergy energy(const SpaceBeam& beam, const SpaceConfiguration& now);

// Derivatives of U − Σ forces·positions + ½ Σ (what `stiffness` adds at the nodes), as in channel/heading_derivatives.hpp.
Eigen::VectorXd linkage_gradient(const SpaceBeam& beam, const SpaceConfiguration& now, const std::vector<Vec3>& forces);
Eigen::MatrixXd linkage_hessian(const SpaceBeam& beam, const SpaceConfiguration& now, const std::vector<Vec3>& forces,
                                const std::vector<Eigen::Matrix3d>& stiffness);
// What a force on a node does to the links.
Eigen::VectorXd moments_of(const SpaceBeam& beam, const SpaceConfiguration& now, int node, const Vec3& force);

}  // namespace filum::channel
