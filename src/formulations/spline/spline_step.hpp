// A step in time of spline rods (docs/theory/spline.md, section 7).
//
//   energy-momentum   balance over the whole step, unknown is its middle: bending, tension and gravity do exactly the
//                     work that their energies change by (rod/bending_average.hpp, bending_step.hpp, axial_average.hpp).
//                     Second order. Nodes have inertia about their tangents (rod/edge_spin.hpp).
//   implicit Euler    balance at the end of the step. First order, strongly damped.
//                     Twist has no inertia: it is in balance at the end of every step.
//   Runge-Kutta       explicit, of fourth order, in as many substeps as its stability asks for (spline_explicit.hpp).
#pragma once

#include "formulations/formulation.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_motion.hpp"
#include "formulations/spline/spline_state.hpp"

#include <memory>
#include <vector>

namespace filum::spline {

class ExplicitSteps;
class System;

// Scratch of steps.
class SplineStepper {
 public:
  explicit SplineStepper(const SplineModel& model);
  ~SplineStepper();
  StepReport step(SplineState& state, const Targets& targets, double dt);

  // Kinetic energy of a state.
  [[nodiscard]] double kinetic(const SplineState& state) const;

 private:
  StepReport step_explicitly(SplineState& state, const Targets& targets, double dt);
  void targets_between(const SplineState& start, const Targets& targets, double share, double part, Targets& between);
  void set_motion(const SplineState& state, double dt);
  void damp(bool flips);
  bool turn_holds(const Targets& targets, double dt, SplineState& state);
  StepReport try_damped(double dt, int iterations, SplineState& state);
  StepReport find_balance(SplineState& state);
  void finish(SplineState& state);
  [[nodiscard]] Mat3 acting(const SplineState& end, int rotor) const;
  void drive_lengths(SplineState& state) const;
  double length_work(const SplineState& end);
  [[nodiscard]] double drain(const SplineState& end) const;
  void keep_accounts(const Targets& targets, SplineState& end);

  const SplineModel& model_;
  std::unique_ptr<System> system_;
  std::unique_ptr<ExplicitSteps> explicit_;  // of the integrator that asks for them
  SplineMotion motion_;
  SplineState before_;
  Targets targets_;                    // with the loads that act
  std::vector<double> acting_length_;  // per rod: its length factor during the step
  std::vector<Vec3> rotor_turn_;       // per rotor: asked for in this step
};

}  // namespace filum::spline
