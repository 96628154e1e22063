// The accounts of a step: what holds did to the rods, the work that they, the loads and driven lengths did, what
// damping took, and apart from it what a step took that had to damp flips.
//
// Forces are those for which the integrator asked for balance, displacements those of the whole step. For the
// energy-momentum integrator this is the work by which its energy changes, to the last digit.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_state.hpp"

#include <vector>

namespace filum::discrete {

class Ledger {
 public:
  explicit Ledger(const ModelData& model);

  // After balance was found at `state`: keeps the forces that acted.
  void read(const Internals& internals, const Motion& motion, const RodState& state, const Targets& targets);

  // Writes hold forces, work and losses into the state at the end of the step. `rotor_turn`: per rotor, what its hold
  // asked for.
  void enter(const Motion& motion, const std::vector<Vec3>& rotor_turn, const Targets& targets, RodState& end);

 private:
  [[nodiscard]] double losses(const Internals& internals, const Motion& motion, const RodState& state) const;

  [[nodiscard]] double drain(const Internals& internals, const Motion& motion, const RodState& state) const;

  [[nodiscard]] double led_work(const Motion& motion, const RodState& end) const;

  // What driving the rods' lengths did in the step.
  double length_work(const Motion& motion, const RodState& end, double load);

  const ModelData& model_;
  std::vector<Vec3> strain_;                   // per joint: for the work of driven lengths
  std::vector<std::vector<int>> hold_joints_;  // per hold on a free body: the joints at its section
  std::vector<Vec3> hold_force_;               // per hold: what all holds of its node do to it
  std::vector<Vec3> rotor_moment_;             // per rotor: likewise
  std::vector<Vec3> tie_force_;
  std::vector<Vec3> follow_force_;  // per force of the model: as it acted
  std::vector<Vec3> hold_moment_;   // per hold on a free body
  double lost_ = 0;
  double drained_ = 0;
};

}  // namespace filum::discrete
