// What bending and twist do to the nodes and the gripped cross-sections of inextensible rods, with the binormal
// measure.
//
// A joint's moment M turns the frames on its two sides. An edge on which the moments T act passes them on as the couple
// (T × t)/|e| at its nodes; its angle takes none of it, because the twist is in balance. Rods that are round, straight
// at rest and free of strain-rate damping need no frames. Strain rates are differences of a joint's strain components
// over the last step, so they do not see rigid motion.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"

#include <vector>

namespace filum::kirchhoff {

class BinormalForces {
 public:
  explicit BinormalForces(const discrete::ModelData& model);

  // Fills the lists below; damped rods leave their strains in the state.
  void evaluate(discrete::RodState& state);

  [[nodiscard]] const Vec3& node_force(int node) const { return node_force_[static_cast<std::size_t>(node)]; }
  // ∂E/∂w of a section: what its holder has to do to it.
  [[nodiscard]] const Vec3& section_moment(int section) const {
    return section_moment_[static_cast<std::size_t>(section)];
  }
  // Elastic energy of all joints.
  [[nodiscard]] double energy(const discrete::RodState& state) const;
  // What the viscosity of bending takes, W.
  [[nodiscard]] double dissipation() const { return dissipation_; }

 private:
  // What a round joint needs, packed for the loop.
  struct RoundJoint {
    int left_edge = -1;
    int left_section = -1;
    int right_edge = -1;
    int right_section = -1;
    double bending = 0;
    double twisting = 0;
    double rest_twist = 0;
  };

  void add_round(const discrete::RodRange& range, const discrete::RodState& state);
  void add_general(const discrete::RodRange& range, discrete::RodState& state);
  void add_edges(const discrete::RodRange& range);

  const discrete::ModelData& model_;
  std::vector<char> round_;   // per rod
  std::vector<char> damped_;  // per rod: strain rates matter
  std::vector<RoundJoint> round_joint_;
  std::vector<rod::JointElasticity> elasticity_;
  std::vector<Vec3> tangent_;  // per edge
  std::vector<double> inverse_length_;
  std::vector<Vec3> edge_moment_;
  std::vector<Vec3> section_tangent_;
  std::vector<Vec3> node_force_;
  std::vector<Vec3> section_moment_;
  double dissipation_ = 0;
};

// The strains of damped rods, for a state that knows none of its past.
void remember_strains(const discrete::ModelData& model, discrete::RodState& state);

}  // namespace filum::kirchhoff
