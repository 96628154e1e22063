// Explicit steps of spline rods: the classical rule of Runge and Kutta, of fourth order (docs/theory/spline.md, section 7).
//
// Unknowns are those of System, control points and the nodes' angles, whose mass is constant and positive; what grips the
// rods takes part by multipliers, C a = 0 in the accelerations, and is closed at the end of each substep by the smallest
// motion, in the norm of the mass, that closes it. Stable up to 2.785/ω_max [Press2007].
#pragma once

#include "formulations/formulation.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_state.hpp"

#include <Eigen/Core>

#include <vector>

namespace filum::spline {

class System;

class ExplicitSteps {
 public:
  ExplicitSteps(const SplineModel& model, System& system) : model_(model), system_(system) {}

  // The longest step that is stable from here on, less a margin. Zero if there is none.
  double longest(const SplineState& state, const Targets& targets);

  // One step to these targets. False if something is not finite any more.
  bool step(SplineState& state, const Targets& targets, double h);

 private:
  Eigen::VectorXd pulls(const SplineState& state, const Targets& targets);
  void accelerate(const SplineState& state, const Targets& targets, const Eigen::VectorXd& speed, double factor);
  void close(SplineState& state, const Targets& targets);
  void shift(SplineState& state, const Eigen::VectorXd& move);
  void keep_primal(Eigen::VectorXd& rows) const;
  void keep_multipliers(Eigen::VectorXd& rows) const;
  [[nodiscard]] Eigen::VectorXd zigzag(const SplineState& state) const;
  [[nodiscard]] Eigen::VectorXd speeds(const SplineState& state) const;

  const SplineModel& model_;
  System& system_;
  Eigen::VectorXd rows_;  // accelerations and multipliers of the last `accelerate`
  Eigen::VectorXd weighed_;
};

}  // namespace filum::spline
