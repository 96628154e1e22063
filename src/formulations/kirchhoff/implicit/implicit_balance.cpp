// The balance of an implicit step, found by Newton in positions and angles.
#include "formulations/discrete/implicit_step.hpp"
#include "formulations/discrete/integrator.hpp"

#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "formulations/kirchhoff/system/kirchhoff_system.hpp"

#include <algorithm>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

constexpr double kStepFloorFactor = 10;
constexpr double kStraightRotation = 0.1;  // beyond it edges move along straight lines, rad
// A correction after which the matrix is kept, rad. Where tension is averaged the matrix depends more on how edges
// turn.
constexpr double kSmallRotation = 0.02;
constexpr double kVerySmallRotation = 1e-4;
constexpr double kFastFall = 0.1;  // of the residual, without which it is made anew

bool step_balanced(const Balance& b) {
  return b.finite && b.constraint <= kStepTolerance.gap &&
         b.residual <= std::max(kStepTolerance.residual, kStepFloorFactor * b.floor);
}

System::Symmetry symmetry(const ModelData& model) {
  const bool midpoint = model.scene.simulation.integrator == Integrator::EnergyMomentum;
  return midpoint || !model.bodies.empty() ? System::Symmetry::None : System::Symmetry::Conservative;
}

class Newton final : public BalanceFinder {
 public:
  explicit Newton(const ModelData& model) : model_(model), system_(model, symmetry(model)) {}

  // Newton; once a correction is small the matrix is kept for the next, as long as the residual goes on falling fast.
  StepReport find(RodState& trial, const Targets& targets, const Motion& motion) override {
    system_.set_motion(&motion);
    StepReport report;
    const int bound = model_.scene.simulation.iterations;
    const int most = bound > 0 ? bound : kStepTolerance.most;
    bool keep = false;
    bool settled = true;
    double residual = 0;
    double rotation = 0;
    for (;;) {
      const bool last = report.iterations >= most;
      system_.track_sliders(trial);
      balance_ = system_.evaluate(trial, targets, keep || last ? System::Want::Residual : System::Want::NewtonTangent);
      report.residual = balance_.residual;
      if (!balance_.finite) {
        report.why = "the forces are no longer finite";
        return report;
      }
      report.converged = step_balanced(balance_) && (settled || balance_.residual <= kStepTolerance.residual);
      if (report.converged || last) break;
      if (keep && balance_.residual > kFastFall * residual) {
        system_.evaluate(trial, targets, System::Want::NewtonTangent);
        keep = false;
      }
      residual = balance_.residual;
      if (keep)
        system_.resolve(system_.step().data());
      else if (!system_.solve(0)) {
        report.why = "the matrix of the step is singular";
        return report;
      }
      ++report.iterations;
      const double before = rotation;
      rotation = system_.largest_rotation(trial);
      system_.advance(trial, rotation > kStepTolerance.rotation ? kStepTolerance.rotation / rotation : 1,
                      rotation > kStraightRotation);
      system_.release_stops(trial);
      settled = rotation < kStepTolerance.settled || (before > 0 && rotation > 0.5 * before);
      keep = rotation < (motion.average_tension ? kVerySmallRotation : kSmallRotation) && model_.sliders.empty();
    }
    report.usable = report.converged || (bound > 0 && report.residual <= kStepTolerance.usable);
    if (!report.usable) report.why = "Newton did not converge";
    return report;
  }

  [[nodiscard]] Internals internals(const RodState&) override { return system_.internals(balance_); }

 private:
  const ModelData& model_;
  System system_;
  Balance balance_;
};

class ImplicitScheme final : public StepScheme {
 public:
  explicit ImplicitScheme(const ModelData& model) : model_(model) {}
  [[nodiscard]] std::unique_ptr<RodStepper> stepper() const override {
    return make_implicit_stepper(model_, std::make_unique<Newton>(model_));
  }
  void prepare(RodState& state) const override { give_past(model_, state); }

 private:
  const ModelData& model_;
};

}  // namespace

std::unique_ptr<StepScheme> make_implicit_scheme(const ModelData& model) {
  return std::make_unique<ImplicitScheme>(model);
}

}  // namespace filum::kirchhoff
