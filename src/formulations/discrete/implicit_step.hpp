// The implicit stepper: one step of an integrator, whatever unknowns its balance is found in.
//
// The step foresees where things go, has the balance of forces, inertia and damping found that its integrator asks for,
// carries the state from there to the end of the step and does the accounts.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/rod_stepper.hpp"

#include <memory>
#include <vector>

namespace filum::discrete {

// Finds balance at the instant that a motion describes. Each formulation has its own.
class BalanceFinder {
 public:
  virtual ~BalanceFinder() = default;
  // From the foreseen state `trial` to the one in balance. `targets`: loads as they act at that instant.
  virtual StepReport find(RodState& trial, const Targets& targets, const Motion& motion) = 0;
  // Of the last balance, which `state` is.
  [[nodiscard]] virtual Internals internals(const RodState& state) = 0;
};

// Newton on a balance ends at these, or at `most` iterations.
struct StepTolerance {
  double residual = 1e-8;  // unless ten times its floor is more
  double gap = 1e-10;      // of ties, share of the model's size
  int most = 25;
  double usable = 0.05;   // residual of a step of bounded cost that may go on
  double rotation = 0.5;  // the most that something turns in one iteration, rad
  double settled = 1e-6;  // a correction after which there is no need of another, where round-off decides, rad
};
inline constexpr StepTolerance kStepTolerance;

std::unique_ptr<RodStepper> make_implicit_stepper(const ModelData& model, std::unique_ptr<BalanceFinder> finder);

// What of a scene its integrators cannot honour.
std::vector<scene::Problem> implicit_refusals(const Scene& scene);

// Sliding holds that have an equilibrium but no motion: free along an axis they have no mass to say how they go there.
std::vector<scene::Problem> slider_refusals(const Scene& scene);

}  // namespace filum::discrete
