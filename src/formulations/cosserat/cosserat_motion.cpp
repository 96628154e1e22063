#include "formulations/cosserat/cosserat_motion.hpp"

#include "formulations/cosserat/cosserat_moving_system.hpp"
#include "formulations/discrete/implicit_step.hpp"

#include <algorithm>
#include <utility>

namespace filum::cosserat {

namespace {

using discrete::kStepTolerance;

constexpr double kStepFloorFactor = 10;

bool step_balanced(const StepBalance& b) {
  return b.finite && b.gap <= kStepTolerance.gap &&
         b.residual <= std::max(kStepTolerance.residual, kStepFloorFactor * b.floor);
}

class Newton final : public discrete::BalanceFinder {
 public:
  explicit Newton(const discrete::ModelData& model) : model_(model), system_(model) {}

  StepReport find(discrete::RodState& trial, const Targets& targets, const discrete::Motion& motion) override {
    StepReport report;
    const int bound = model_.scene.simulation.iterations;
    const int most = bound > 0 ? bound : kStepTolerance.most;
    for (;;) {
      const bool last = report.iterations >= most;
      const StepBalance balance = system_.evaluate(trial, targets, motion, !last);
      report.residual = balance.residual;
      if (!balance.finite) {
        report.why = "the forces are no longer finite";
        return report;
      }
      report.converged = step_balanced(balance);
      if (report.converged || last) break;
      if (!system_.solve()) {
        report.why = "the matrix of the step is singular";
        return report;
      }
      ++report.iterations;
      const double rotation = system_.largest_rotation();
      system_.advance(trial, rotation > kStepTolerance.rotation ? kStepTolerance.rotation / rotation : 1);
      system_.release_stops(trial);
    }
    report.usable = report.converged || (bound > 0 && report.residual <= kStepTolerance.usable);
    if (!report.usable) report.why = "Newton did not converge";
    return report;
  }

  [[nodiscard]] discrete::Internals internals(const discrete::RodState&) override { return system_.internals(); }

 private:
  const discrete::ModelData& model_;
  MovingSystem system_;
};

}  // namespace

std::unique_ptr<discrete::RodStepper> make_stepper(const discrete::ModelData& model) {
  return discrete::make_implicit_stepper(model, std::make_unique<Newton>(model));
}

void guess_forces(discrete::RodState& state) {
  state.edge_force.resize(state.edge.size());
  for (std::size_t j = 0; j < state.edge.size(); ++j) state.edge_force[j] = state.tension[j] * state.frame[j].col(2);
}

std::vector<scene::Problem> motion_refusals(const Scene& scene) {
  std::vector<scene::Problem> refusals = discrete::implicit_refusals(scene);
  if (scene.simulation.stepper != Stepper::Implicit)
    refusals.push_back({{"simulation", "stepper"},
                        "not yet supported: a stepper other than implicit in the formulation cosserat"});
  for (scene::Problem& problem : discrete::slider_refusals(scene)) refusals.push_back(std::move(problem));
  return refusals;
}

}  // namespace filum::cosserat
