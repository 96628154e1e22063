// One step of a chain: symplectic Euler for the motion, linearly implicit for what joins the parts.
//
// Forces and constraints are taken at the start of the step, the constraints' answer at its end to first order; then
// every part moves with its new velocity. One factorisation a step; where elements turn fast, a few more solves by it. [Servin2007,
// section II and algorithm 1; the geometric stiffness of tension_stiffness.hpp comes on top.]
#pragma once

#include "formulations/chain/mechanism/body_joints.hpp"
#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/chain/reeving/ropes.hpp"
#include "formulations/chain/reeving/wheels.hpp"
#include "formulations/chain/solve/free_motion.hpp"
#include "formulations/chain/solve/links.hpp"
#include "formulations/chain/solve/schur.hpp"
#include "formulations/chain/solve/sweeps.hpp"
#include "formulations/chain/touch/touches.hpp"
#include "formulations/formulation.hpp"

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

  // Makes the mechanism that of a state. A step begins with it; the mechanism then follows what the step does.
  const Mechanism& fit(const ChainState& state);

 private:
  void lay_out(const ChainState& state);
  void cut_anew(ChainState& state);
  void cut(ChainState& state, const Targets& targets, double dt);
  void break_overloaded(ChainState& state) const;
  void set_lengths(ChainState& state, const Targets& targets) const;
  void set_given_motion(ChainState& state, const Targets& targets, double dt) const;
  bool solve_touching(ChainState& state, const Targets& targets, double dt);
  void analyse();
  void link_touches();
  bool solve_directly(Schur::Matrix matrix);
  [[nodiscard]] double moving_energy(const ChainState& state) const;
  bool turns_again(const ChainState& state, double dt, double energy, int turn, double& before);
  bool answer_turns(const ChainState& state, double dt);
  bool solve_by_sweeps();
  // How the ends of elements go round: as foretold, as last found, or as they are found to in the same solve.
  enum class Turns { Foretold, Kept, Answered };
  bool solve(ChainState& state, const Targets& targets, double dt, Turns turns);
  void account(ChainState& state, const Targets& targets, double dt);
  void move(ChainState& state, double dt) const;

  const ModelData& model_;
  Mechanism mechanism_;
  std::optional<std::uint64_t> structure_;  // of the state that the mechanism is of

  // the system: first the links, then ropes and wheels; solved as a whole or group by group
  ConstraintSet set_;
  Links links_;
  Ropes ropes_;
  Wheels wheels_;
  BodyJoints joints_;
  Touches touches_;
  std::size_t joined_ = 0;  // constraints before those of what touches
  Schur schur_;
  Sweeps sweeps_;
  bool turns_too_far_ = false;   // the last solve has not found where its elements end
  bool yields_too_far_ = false;  // likewise, or how far its links give way
  double residual_ = 0;          // of the last solve, if by sweeps

  FreeMotion free_;                           // its velocities are the new ones after the solve
  std::vector<Mobility> untouched_mobility_;  // without what touches
  std::vector<Vec6> untouched_velocity_;
  std::vector<Mat3> pull_;  // per body
};

}  // namespace filum::chain
