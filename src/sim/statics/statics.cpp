// Statics end to end: one equilibrium, or a path of them, with load stepping when a single solve fails. Rods find their
// lengths where the scene asks for it; what is too short, and where turns go, is kept along the path.
#include <filum/solve.hpp>

#include "sim/limits.hpp"
#include "sim/drivers.hpp"
#include "sim/statics/load_stepping.hpp"
#include "sim/formulations.hpp"
#include "sim/history_row.hpp"
#include "sim/routing/reach.hpp"
#include "sim/refusal.hpp"
#include "sim/routing/routing.hpp"
#include "sim/live/same_event.hpp"
#include "sim/routing/turn_balance.hpp"

#include <algorithm>

namespace filum {

namespace {

class Statics {
 public:
  Statics(const Scene& scene, const SolveOptions& options, const Formulation& formulation)
      : scene_(scene),
        options_(options),
        formulation_(formulation),
        model_(formulation.compile(scene)),
        resting_(sim::resting_targets(scene)),
        router_(scene) {}

  Outcome run() {
    if (options_.path > 0)
      follow_path();
    else
      solve_at(options_.at);
    tell_lengths();
    return std::move(outcome_);
  }

 private:
  void tell(double share, const char* what) const {
    if (options_.progress) options_.progress(share, what);
  }

  [[nodiscard]] sim::Laying laying() { return {formulation_, scene_, model_, state_, resting_, last_}; }

  void solve_at(double t) {
    tell(0, "solving");
    last_ = sim::targets_at(scene_, resting_, t);
    sim::Equilibrium found = sim::find_equilibrium(*model_, scene_, resting_, last_, options_.progress);
    state_ = std::move(found.state);
    if (found.report.converged && !scene_.routing.empty()) {
      const int iterations = found.report.iterations;
      found.report = router_.settle(laying(), Targets(last_), options_.progress);
      found.report.iterations += iterations;
    }
    keep(finish(found.report), t);
  }

  void follow_path() {
    const double end = sim::last_time(scene_);
    SolveReport sum;
    for (int k = 0; k < options_.path; ++k) {
      const double t = options_.path > 1 ? end * k / (options_.path - 1) : end;
      if (k == 0) {
        solve_at(t);
        sum = outcome_.solve;
        continue;
      }
      const SolveReport report = finish(follow(sim::targets_at(scene_, resting_, t)));
      keep(report, t);
      merge(sum, report);
      outcome_.solve = sum;
      tell(static_cast<double>(k + 1) / options_.path, "following the path");
    }
  }

  SolveReport follow(const Targets& targets) {
    if (!scene_.routing.empty()) return router_.settle(laying(), targets, options_.progress);
    const SolveReport report = sim::follow_equilibrium(*model_, state_, last_, targets, options_.progress);
    last_ = targets;
    return report;
  }

  SolveReport finish(SolveReport report) {
    if (!options_.nudge || report.stable != false) return report;
    tell(0.9, "leaving the unstable equilibrium");
    SolveReport nudged = model_->nudge(*state_, last_, options_.progress);
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

  void keep(const SolveReport& report, double t) {
    outcome_.solve = report;
    Snapshot snapshot{t, model_->sample(*state_, last_)};
    limits_.push_back(sim::check_limits(scene_, snapshot.pose, t));
    outcome_.checks = sim::worst_of(limits_);
    for (const std::string& what : model_->events(*state_)) {
      const bool known = std::any_of(outcome_.events.begin(), outcome_.events.end(),
                                     [&](const Event& event) { return sim::same_event(event.what, what); });
      if (!known) outcome_.events.push_back({t, what});
    }
    HistoryRow row = sim::history_row(scene_, snapshot);
    if (options_.path > 0) count_turns(snapshot.pose, row);
    outcome_.lengths = router_.lengths();
    for (const FoundLength& length : outcome_.lengths) row.found_length.push_back(length.length);
    if (report.converged) judge_reach(snapshot.pose, t);
    outcome_.history.push_back(std::move(row));
    outcome_.states.push_back(std::move(snapshot));
  }

  void count_turns(const Pose& pose, HistoryRow& row) {
    if (!turns_.begun()) turns_.begin(scene_, pose, last_);
    turns_.follow(last_);
    row.balance = turns_.balance(pose);
  }

  void judge_reach(const Pose& pose, double t) {
    if (!judged_) reach_.begin(scene_, pose, false);
    judged_ = true;
    reach_.note(laying(), t, options_.progress);
    outcome_.shortages = reach_.shortages();
  }

  void tell_lengths() {
    for (const FoundLength& length : outcome_.lengths)
      outcome_.events.push_back({outcome_.states.back().t, sim::told(length)});
  }

  Scene scene_;  // with the lengths that its rods have found
  const SolveOptions& options_;
  const Formulation& formulation_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<State> state_;
  Targets resting_;
  Targets last_;
  sim::Router router_;
  sim::TurnKeeper turns_;
  sim::ReachKeeper reach_;
  bool judged_ = false;
  std::vector<std::vector<Check>> limits_;
  Outcome outcome_;
};

}  // namespace

Result<Outcome> solve(const Scene& scene, const SolveOptions& options) {
  if (auto refused = sim::why_not(scene)) return *refused;
  const std::unique_ptr<Formulation> formulation = sim::make_formulation(scene.simulation.formulation);
  return Statics(scene, options, *formulation).run();
}

}  // namespace filum
