// Statics end to end: one equilibrium, or a path of them, with load stepping when a single solve fails. Rods find their
// lengths where the scene asks for it; what is too short, and where turns go, is kept along the path.
#include <filum/solve.hpp>

#include "base/index.hpp"
#include "rod/finite_pose.hpp"
#include "sim/clips.hpp"
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "sim/history_row.hpp"
#include "sim/limits.hpp"
#include "sim/live/hold_switches.hpp"
#include "sim/live/living_scene.hpp"
#include "sim/refusal.hpp"
#include "sim/routing/reach.hpp"
#include "sim/routing/routing.hpp"
#include "sim/routing/turn_balance.hpp"
#include "sim/statics/load_stepping.hpp"

#include <algorithm>

namespace filum {

namespace {

// How narrowly, as a share of the path, the instant at which a clip lets go is found.
constexpr double kPopShare = 5e-4;

class Statics {
 public:
  Statics(const Scene& scene, const SolveOptions& options)
      : options_(options), living_(scene, sim::make_formulation(scene.simulation.formulation)), router_(scene) {}

  Outcome run() {
    if (options_.path > 0)
      follow_path();
    else
      solve_at(options_.at);
    tell_lengths();
    return std::move(outcome_);
  }

 private:
  // True: it is to stop.
  bool tell(double share, const char* what) const { return stops(options_.progress, share, what); }

  // With the lengths that its rods have found.
  [[nodiscard]] const Scene& scene() const { return living_.scene(); }
  [[nodiscard]] Targets wanted(double t) const { return sim::targets_at(scene(), living_.resting(), t); }

  void solve_at(double t) {
    (void)tell(0, "solving");
    SolveReport report = living_.find_equilibrium(wanted(t), options_.progress);
    if (report.converged && !scene().routing.empty()) {
      const int iterations = report.iterations;
      report = router_.settle(living_, Targets(living_.held()), options_.progress);
      report.iterations += iterations;
    }
    keep(finish(report), t);
  }

  void follow_path() {
    const double end = sim::last_time(scene());
    SolveReport sum;
    for (int k = 0; k < options_.path; ++k) {
      const double t = options_.path > 1 ? end * k / (options_.path - 1) : end;
      if (k == 0) {
        solve_at(t);
        sum = outcome_.solve;
        continue;
      }
      const bool clips = sim::has_clips(scene());
      if (clips) below_ = living_.keep_all();
      SolveReport report = finish(follow(wanted(t)));
      if (report.converged && clips) pull_open(outcome_.states.back().t, t, report);
      keep(report, t);
      merge(sum, report);
      outcome_.solve = sum;
      if (sum.stopped || tell(static_cast<double>(k + 1) / options_.path, "following the path")) break;
    }
  }

  // Clips that bear more than they can at t let go where their load passed their strength, the first one first: its
  // instant is halved down to a share of the path. Each try begins from the last state below it, as the motion itself
  // does, and is thrown away: rods that yield remember the way.
  void pull_open(double before, double t, SolveReport& report) {
    const double close = kPopShare * sim::last_time(scene());
    while (sim::worst_overload(scene(), living_.pose())) {
      double high = t;
      sim::LivingScene::Kept over = living_.keep_all();
      for (double low = before; high - low > close;) {
        const double middle = 0.5 * (low + high);
        living_.go_back_to(std::move(below_));
        below_ = living_.keep_all();
        const SolveReport tried = follow(wanted(middle));
        report.iterations += tried.iterations;
        if (!tried.converged) break;  // then it is known no better
        if (sim::worst_overload(scene(), living_.pose())) {
          high = middle;
          over = living_.keep_all();
        } else {
          low = middle;
          below_ = living_.keep_all();
        }
      }
      living_.go_back_to(std::move(over));
      const sim::Overload worst = *sim::worst_overload(scene(), living_.pose());
      outcome_.events.push_back(sim::popped_event(scene(), worst, high));
      let_go(worst.hold, high);
      // what is left then bears its load: judged at the same instant, then on the way to t
      SolveReport next = follow(wanted(high));
      below_ = living_.keep_all();
      if (next.converged && !sim::worst_overload(scene(), living_.pose())) next = finish(follow(wanted(t)));
      next.iterations += report.iterations;
      report = next;
      if (!report.converged) return;
      before = high;
    }
  }

  void let_go(int hold, double t) {
    Scene changed = scene();
    changed.holds[at(hold)].fix = {};
    sim::LivingScene next(std::move(changed), living_.formulation());
    next.carry_over(living_, wanted(t));
    std::swap(living_, next);
    router_.begin(scene());
    popped_.resize(scene().holds.size());
    popped_[at(hold)] = true;
  }

  SolveReport follow(const Targets& targets) {
    if (!scene().routing.empty()) return router_.settle(living_, targets, options_.progress);
    SolveReport report = living_.follow(targets, options_.progress);
    // what could not be reached is shown as it was asked for
    if (!report.converged) living_.set_held(targets);
    return report;
  }

  SolveReport finish(SolveReport report) {
    if (!options_.nudge || report.stable != false) return report;
    (void)tell(0.9, "leaving the unstable equilibrium");
    SolveReport nudged = living_.nudge(options_.progress);
    nudged.iterations += report.iterations;
    nudged.load_steps = report.load_steps;
    nudged.begun_from = report.begun_from;
    return nudged;
  }

  // The figures of a path: sums, the worst residual with its floor, and the first thing that went wrong.
  static void merge(SolveReport& sum, const SolveReport& report) {
    sum.iterations += report.iterations;
    sum.load_steps += report.load_steps;
    sum.leaps += report.leaps;
    sum.nudged = sum.nudged || report.nudged;
    if (sum.begun_from.empty()) sum.begun_from = report.begun_from;
    sum.stopped = sum.stopped || report.stopped;
    if (report.residual > sum.residual) {
      sum.residual = report.residual;
      sum.floor = report.floor;
    }
    if (sum.why.empty() || (sum.converged && !report.converged)) sum.why = report.why;
    sum.converged = sum.converged && report.converged;
    if (!sum.converged || !report.stable) sum.stable.reset();
    if (sum.stable) sum.stable = *sum.stable && *report.stable;
  }

  void keep(SolveReport report, double t) {
    Snapshot snapshot{t, living_.pose()};
    // what is not finite is not shown, whatever its residual is
    if (!rod::is_finite(snapshot.pose)) {
      report.converged = false;
      report.stable.reset();
      report.why = rod::kNotFinite;
      living_.start(Targets(living_.held()));
      snapshot.pose = living_.pose();
    }
    outcome_.solve = report;
    for (std::size_t h = 0; h < popped_.size(); ++h) snapshot.pose.holds[h].popped = popped_[h];
    limits_.push_back(sim::check_limits(scene(), snapshot.pose, t, options_.path > 0));
    outcome_.checks = sim::worst_of(limits_);
    for (Event& event : living_.events()) {
      event.t = t;
      const bool known = std::any_of(outcome_.events.begin(), outcome_.events.end(),
                                     [&](const Event& before) { return before.same(event); });
      if (!known) outcome_.events.push_back(std::move(event));
    }
    HistoryRow row = sim::history_row(scene(), snapshot);
    if (options_.path > 0) count_turns(snapshot.pose, row);
    outcome_.lengths = router_.lengths();
    for (const FoundLength& length : outcome_.lengths) row.found_length.push_back(length.length);
    if (report.converged) judge_reach(snapshot.pose, t);
    outcome_.history.push_back(std::move(row));
    outcome_.states.push_back(std::move(snapshot));
  }

  void count_turns(const Pose& pose, HistoryRow& row) {
    if (!turns_.begun()) turns_.begin(scene(), pose, living_.held());
    turns_.follow(living_.held());
    row.balance = turns_.balance(pose);
  }

  void judge_reach(const Pose& pose, double t) {
    if (!judged_) reach_.begin(scene(), pose, false);
    judged_ = true;
    reach_.note(living_, t, options_.progress);
    outcome_.shortages = reach_.shortages();
  }

  void tell_lengths() {
    for (const FoundLength& length : outcome_.lengths)
      outcome_.events.push_back(sim::length_event(length, outcome_.states.back().t));
  }

  const SolveOptions& options_;
  sim::LivingScene living_;
  sim::Router router_;
  sim::TurnKeeper turns_;
  sim::ReachKeeper reach_;
  bool judged_ = false;
  sim::LivingScene::Kept below_;  // the last state in which all clips held
  std::vector<bool> popped_;      // per hold
  std::vector<std::vector<Check>> limits_;
  Outcome outcome_;
};

}  // namespace

Result<Outcome> solve(const Scene& scene, const SolveOptions& options) {
  if (auto refused = sim::why_not(scene)) return *refused;
  return Statics(scene, options).run();
}

}  // namespace filum
