// Velocities at the end of a step that an integrator would have flip from step to step for ever: what touches is left no
// speed into or out of what it touches, what sticks none along it. The blow is plastic, and what it takes is dissipated.
#pragma once

#include "formulations/discrete/contact_term.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"

#include <array>
#include <span>
#include <vector>

namespace filum::discrete {

class ContactHalt {
 public:
  explicit ContactHalt(const ModelData& model);
  // Nodes that are held, or tied to others than free bodies, have no velocity of their own.
  void halt(std::span<const HaltRow> rows, RodState& state);

 private:
  double halt_row(const HaltRow& row, RodState& state) const;
  // What a row of a flat rod takes from the spins of edges about themselves and from their nodes, besides the weights.
  struct FrameLever {
    std::array<double, ContactTerm::kFrames> about{};
    std::array<Vec3, ContactTerm::kFrames> tilt{Vec3::Zero(), Vec3::Zero()};  // of b, and of a with the sign reversed
  };
  [[nodiscard]] static FrameLever frame_lever(const HaltRow& row, const RodState& state);
  double halt_flat_row(const HaltRow& row, RodState& state) const;
  void add_ties(const RodState& state);

  const ModelData& model_;
  std::vector<Vec3> mobility_;     // per node and world axis: 1/m where it may move
  std::vector<double> spinning_;   // per edge: inverse of its inertia about itself
  std::vector<Mat3> turning_;      // per rotor: inverse of its inertia where R = 1; nil where it has none
  std::vector<int> body_ties_;     // ties to free bodies, which are kept
  std::vector<HaltRow> tie_rows_;  // of those
};

}  // namespace filum::discrete
