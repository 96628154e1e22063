// Newton on the balance that an implicit step asks for, in positions and angles.
#pragma once

#include "formulations/discrete/contact_halt.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "formulations/formulation.hpp"

namespace filum::discrete {

class StepNewton {
 public:
  explicit StepNewton(const ModelData& model);

  // From the foreseen state `trial` to the one in balance, to a residual of `tolerance` unless round-off has more.
  // `targets`: loads as they act at the evaluated instant.
  StepReport find(RodState& trial, const Targets& targets, const Motion& motion, double tolerance);

  // Of the last balance.
  [[nodiscard]] Internals internals() const { return system_.internals(balance_); }

  // The state is now that at the end of the step.
  void end_contact(const Motion& motion, RodState& state);

 private:
  [[nodiscard]] bool balanced(double tolerance) const;
  Way look_back(const RodState& trial);
  // Of sliding holds that have stopped at their rod's end.
  bool release_stops(const Motion& motion, RodState& trial) const;
  void halt_stops(const Motion& motion, RodState& state);

  const ModelData& model_;
  RodSystem system_;
  Balance balance_;
  ContactHalt halt_;
  std::vector<HaltRow> halted_;
};

}  // namespace filum::discrete
