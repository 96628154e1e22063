// Statics end to end: one equilibrium, or a path of them, with load stepping when a single solve fails.
#include <filum/solve.hpp>

#include "sim/checks.hpp"
#include "sim/drivers.hpp"
#include "sim/equilibrium.hpp"
#include "sim/formulations.hpp"
#include "sim/history.hpp"
#include "sim/refusal.hpp"

#include <algorithm>

namespace filum {

namespace {

class Statics {
 public:
  Statics(const Scene& scene, const SolveOptions& options, const Model& model)
      : scene_(scene), options_(options), model_(model), resting_(sim::resting_targets(scene)) {}

  Outcome run() {
    if (options_.path > 0)
      follow_path();
    else
      solve_at(options_.at);
    return std::move(outcome_);
  }

 private:
  void tell(double share, const char* what) const {
    if (options_.progress) options_.progress(share, what);
  }

  void solve_at(double t) {
    tell(0, "solving");
    const Targets targets = sim::targets_at(scene_, resting_, t);
    sim::Equilibrium found = sim::find_equilibrium(model_, scene_, resting_, targets, options_.progress);
    state_ = std::move(found.state);
    keep(finish(found.report, targets), targets, t);
  }

  void follow_path() {
    const double end = sim::last_time(scene_);
    Targets last = sim::targets_at(scene_, resting_, 0);
    SolveReport sum;
    for (int k = 0; k < options_.path; ++k) {
      const double t = options_.path > 1 ? end * k / (options_.path - 1) : end;
      if (k == 0) {
        solve_at(t);
        sum = outcome_.solve;
        last = sim::targets_at(scene_, resting_, t);
        continue;
      }
      const Targets targets = sim::targets_at(scene_, resting_, t);
      SolveReport report = sim::follow_equilibrium(model_, state_, last, targets, options_.progress);
      report = finish(report, targets);
      keep(report, targets, t);
      merge(sum, report);
      outcome_.solve = sum;
      last = targets;
      tell(static_cast<double>(k + 1) / options_.path, "following the path");
    }
  }

  SolveReport finish(SolveReport report, const Targets& targets) {
    if (!options_.nudge || report.stable != false) return report;
    tell(0.9, "leaving the unstable equilibrium");
    SolveReport nudged = model_.nudge(*state_, targets, options_.progress);
    nudged.iterations += report.iterations;
    nudged.load_steps = report.load_steps;
    return nudged;
  }

  // The figures of a path: sums, the worst residual with its floor, and the first thing that went wrong.
  static void merge(SolveReport& sum, const SolveReport& report) {
    sum.iterations += report.iterations;
    sum.load_steps += report.load_steps;
    sum.leaps += report.leaps;
    sum.nudged = sum.nudged || report.nudged;
    if (report.residual > sum.residual) {
      sum.residual = report.residual;
      sum.floor = report.floor;
    }
    if (sum.why.empty() || (sum.converged && !report.converged)) sum.why = report.why;
    sum.converged = sum.converged && report.converged;
    if (!sum.converged || !report.stable) sum.stable.reset();
    if (sum.stable) sum.stable = *sum.stable && *report.stable;
  }

  void keep(const SolveReport& report, const Targets& targets, double t) {
    outcome_.solve = report;
    Snapshot snapshot{t, model_.sample(*state_, targets)};
    limits_.push_back(sim::check_limits(scene_, snapshot.pose, t));
    outcome_.checks = sim::worst_of(limits_);
    for (const std::string& what : model_.events(*state_)) {
      const bool known = std::any_of(outcome_.events.begin(), outcome_.events.end(),
                                     [&](const Event& event) { return event.what == what; });
      if (!known) outcome_.events.push_back({t, what});
    }
    outcome_.history.push_back(sim::history_row(scene_, snapshot));
    outcome_.states.push_back(std::move(snapshot));
  }

  const Scene& scene_;
  const SolveOptions& options_;
  const Model& model_;
  Targets resting_;
  std::unique_ptr<State> state_;
  std::vector<std::vector<Check>> limits_;
  Outcome outcome_;
};

}  // namespace

Result<Outcome> solve(const Scene& scene, const SolveOptions& options) {
  if (auto refused = sim::why_not(scene)) return *refused;
  const std::unique_ptr<Formulation> formulation = sim::make_formulation(scene.simulation.formulation);
  const std::unique_ptr<Model> model = formulation->compile(scene);
  return Statics(scene, options, *model).run();
}

}  // namespace filum
