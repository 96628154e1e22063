#include "published/gregoire_solve.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace filum::published {

namespace {

// Of an energy, as a share of it.
constexpr double kRoundOff = 64 * std::numeric_limits<double>::epsilon();

// One inner loop: the state with its evaluation, and room for a trial.
class Descent {
 public:
  Descent(const Cable& cable, CableState& state) : cable_(cable), state_(state), trial_state_(state) {
    evaluate(cable_, state_, here_);
  }

  [[nodiscard]] double energy() const { return here_.energy; }
  [[nodiscard]] double force() const { return here_.gradient.lpNorm<Eigen::Infinity>(); }
  [[nodiscard]] double last_step() const { return last_step_; }

  // Which kind of step went down; none: no step does.
  std::optional<Step> advance() {
    // Newton; if even its gain would be round-off, this is as low as it gets
    Eigen::VectorXd newton = -here_.gradient;
    if (here_.hessian.solve(newton)) {
      const double gain = std::abs(here_.gradient.dot(newton)) / 2;
      if (take(newton)) return Step::Newton;
      if (gain <= kRoundOff * std::abs(here_.energy)) return std::nullopt;
    }
    // conjugate gradients, from the last such direction if there is one
    const Eigen::VectorXd force = -here_.gradient;
    const Eigen::VectorXd conjugate = conjugate_direction(force);
    if (take_best_length(conjugate, force)) {
      remember(conjugate, force);
      return Step::ConjugateGradient;
    }
    // steepest descent
    if (take_best_length(force, force)) {
      remember(force, force);
      return Step::SteepestDescent;
    }
    constexpr int kHalvings = 60;
    for (int k = 0; k <= kHalvings; ++k)
      if (take(std::ldexp(1.0, -k) * force)) return Step::LineSearch;
    return std::nullopt;
  }

 private:
  // Fletcher and Reeves: F plus a share of the direction before.
  [[nodiscard]] Eigen::VectorXd conjugate_direction(const Eigen::VectorXd& force) const {
    if (direction_.size() != force.size()) return force;
    return force + force.squaredNorm() / force2_ * direction_;
  }
  void remember(const Eigen::VectorXd& direction, const Eigen::VectorXd& force) {
    direction_ = direction;
    force2_ = force.squaredNorm();
  }

  // The minimum along a direction as H sees it.
  bool take_best_length(const Eigen::VectorXd& direction, const Eigen::VectorXd& force) {
    const double curvature = direction.dot(here_.hessian.times(direction));
    const double slope = force.dot(direction);
    if (!(curvature > 0) || !(slope > 0)) return false;
    return take(slope / curvature * direction);
  }

  // Goes there if the energy falls; where round-off hides whether it does, if the force falls.
  bool take(const Eigen::VectorXd& step) {
    trial_state_.x = state_.x + step;
    evaluate(cable_, trial_state_, there_);
    if (!std::isfinite(there_.energy)) return false;
    const bool hidden = std::abs(there_.energy - here_.energy) <= kRoundOff * std::abs(here_.energy);
    const bool better =
        hidden ? there_.gradient.squaredNorm() < here_.gradient.squaredNorm() : there_.energy < here_.energy;
    if (!better) return false;
    state_.x.swap(trial_state_.x);
    std::swap(here_, there_);
    last_step_ = step.lpNorm<Eigen::Infinity>();
    return true;
  }

  const Cable& cable_;
  CableState& state_;
  CableState trial_state_;
  Evaluation here_, there_;
  Eigen::VectorXd direction_;  // of the last gradient step
  double force2_ = 0;          // |F|² at it
  double last_step_ = 0;
};

}  // namespace

InnerReport solve_inner(const Cable& cable, const InnerSettings& settings, CableState& state) {
  Descent descent(cable, state);
  InnerReport report;
  report.converged = descent.force() <= settings.force;
  while (!report.converged && report.iterations < settings.iterations) {
    const double before = descent.energy();
    const std::optional<Step> step = descent.advance();
    ++report.iterations;
    if (!step) {
      report.converged = true;
      break;
    }
    ++report.taken[at(static_cast<int>(*step))];
    report.largest_rise = std::max(report.largest_rise, descent.energy() - before);
    // a short step of another kind tells nothing of the distance to go
    const bool settled = step == Step::Newton &&
                         (descent.last_step() < settings.step || std::abs(descent.energy() - before) < settings.energy);
    report.converged = settled || descent.force() <= settings.force;
  }
  report.force = descent.force();
  report.energy = descent.energy();
  return report;
}

OuterReport solve(const Cable& cable, const OuterSettings& settings, CableState& state) {
  OuterReport report;
  while (!report.converged && report.outer < settings.iterations) {
    // the forces that the last errors ask for, then the equilibrium under them
    if (report.outer > 0) grow_integral_forces(cable, settings.shares, state);
    report.last = solve_inner(cable, settings.inner, state);
    report.inner += report.last.iterations;
    ++report.outer;
    report.errors = constraint_errors(cable, state);
    report.converged = report.last.converged && report.errors.length <= settings.length &&
                       report.errors.coherence <= settings.coherence;
  }
  return report;
}

}  // namespace filum::published
