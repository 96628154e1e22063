// One step of a chain: symplectic Euler for the motion, linearly implicit for what joins the parts.
//
// Forces and constraints are taken at the start of the step, the constraints' answer at its end to first order; then
// every part moves with its new velocity. One linear solve a step, whatever happens. [Servin2007,
// section II and algorithm 1; the geometric stiffness of tension_stiffness.hpp comes on top.]
#pragma once

#include "formulations/chain/mechanism/chain_layout.hpp"
#include "formulations/chain/mechanism/ground.hpp"
#include "formulations/chain/mechanism/joint_residual.hpp"
#include "formulations/chain/mechanism/tension_stiffness.hpp"
#include "formulations/chain/reeving/ropes.hpp"
#include "formulations/chain/reeving/wheels.hpp"
#include "formulations/chain/solve/schur.hpp"
#include "formulations/chain/solve/sweeps.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace filum::chain {

class ChainStepper {
 public:
  explicit ChainStepper(const ModelData& model) : model_(model) {}

  StepReport step(ChainState& state, const Targets& targets, double dt);

  // Stops everything that has moved, with holds and driven bodies where the targets are and rods as long as they are
  // asked to be.
  void bring_to_rest(ChainState& state, const Targets& targets);

  // The mechanism of a state, made anew if its elements are others than last time.
  const Mechanism& mechanism(const ChainState& state);

 private:
  void break_overloaded(ChainState& state) const;
  void recut(ChainState& state, bool changed);
  void refresh(const ChainState& state);
  void set_lengths(ChainState& state, const Targets& targets) const;
  void set_given_motion(ChainState& state, const Targets& targets, double dt) const;
  void find_free_motion(const ChainState& state, const Targets& targets, double dt);
  void fill_rows(ChainState& state, double dt);
  bool solve_touching(ChainState& state, const Targets& targets, double dt);
  bool solve_directly(const ChainState& state);
  bool solve_by_sweeps(const ChainState& state);
  bool solve(ChainState& state, const Targets& targets, double dt);
  void account(ChainState& state, const Targets& targets, double dt);
  void move(ChainState& state, double dt) const;

  const ModelData& model_;
  Mechanism mechanism_;
  std::optional<std::uint64_t> structure_;  // of the state that the mechanism is of
  std::vector<Element> elements_;           // and lengths of the rods, as the mechanism has them
  std::vector<double> lengths_;
  Schur schur_;
  Sweeps sweeps_;
  double residual_ = 0;  // of the last solve, if by sweeps
  Ropes ropes_;
  Wheels wheels_;
  Ground ground_;

  // scratch
  std::vector<Mobility> mobility_;
  std::vector<Mobility> free_mobility_;
  std::vector<Vec6> free_velocity_;
  std::vector<Vec6> velocity_;  // u, then v: linear, angular
  std::vector<SpanTurn> span_turn_;
  std::vector<double> tension_;
  std::vector<Mat3> pull_;  // per body
  std::vector<Vec3> gap_;   // of the links, as the step finds them
};

}  // namespace filum::chain
