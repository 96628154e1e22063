// Statics end to end: one equilibrium, or a path of them, with load stepping when a single solve fails.
#include <filum/solve.hpp>

#include "scene/layout.hpp"
#include "sim/checks.hpp"
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "sim/refusal.hpp"

#include <algorithm>
#include <cmath>

namespace filum {

namespace {

constexpr double kFirstShare = 0.25;  // of the way, in the first load step
constexpr double kSmallestShare = 1.0 / 512;
constexpr int kMostIterations = 2000;  // over all load steps of one equilibrium

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
    state_ = model_.start(targets);
    SolveReport report = model_.solve(*state_, targets, options_.progress);
    if (!report.converged && !report.hopeless) report = step_up(targets, report);
    keep(finish(report, targets), targets, t);
  }

  // Loads and hold movements in small shares, from the shape as drawn with nothing acting on it.
  SolveReport step_up(const Targets& targets, const SolveReport& failed) {
    Targets from = drawn_targets();
    from.load = 0;
    std::unique_ptr<State> best = std::move(state_);
    state_ = model_.start(from);
    const SolveReport report = advance(from, targets, failed);
    if (!report.converged) state_ = std::move(best);
    return report;
  }

  // From one set of targets to another in steps that are halved on failure. The figures include those of `failed`, the
  // attempt at one go; if the steps fail too the state stays where they last converged.
  SolveReport advance(const Targets& from, const Targets& to, const SolveReport& failed) {
    SolveReport report = failed;
    int iterations = failed.iterations;
    int steps = 0;
    double done = 0;
    double share = kFirstShare;
    while (done < 1 && share >= kSmallestShare && iterations < kMostIterations) {
      const double next = std::min(1.0, done + share);
      std::unique_ptr<State> before = state_->clone();
      report = model_.solve(*state_, sim::blend(from, to, next), options_.progress);
      iterations += report.iterations;
      ++steps;
      tell(next, "solving step by step");
      if (report.converged) {
        done = next;
        share = std::min(2 * share, kFirstShare);
      } else {
        state_ = std::move(before);
        share /= 2;
      }
    }
    if (done < 1) report = failed;
    report.iterations = iterations;
    report.load_steps = steps;
    return report;
  }

  // Holds where the shapes put them, whatever the scene asks for.
  Targets drawn_targets() const {
    Targets drawn = resting_;
    for (std::size_t h = 0; h < scene_.holds.size(); ++h)
      for (const Rod& rod : scene_.rods) {
        if (rod.name != scene_.holds[h].rod) continue;
        const scene::RodLayout layout(rod);
        const scene::Placement place = layout.at(scene_.holds[h].at.at(layout.length()));
        drawn.holds[h] = {place.position, Quat(place.frame), 0};
      }
    return drawn;
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
      std::unique_ptr<State> before = state_->clone();
      SolveReport report = model_.solve(*state_, targets, options_.progress);
      if (!report.converged) {
        // smaller steps between the two instants
        state_ = std::move(before);
        report = advance(last, targets, report);
      }
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
    HistoryRow row;
    row.t = t;
    row.energy = snapshot.pose.energy;
    for (const HoldPose& hold : snapshot.pose.holds) {
      row.hold_force.push_back(hold.force);
      row.hold_moment.push_back(hold.moment);
    }
    for (const Probe& probe : scene_.record.probes) row.probe.push_back(probe_position(snapshot.pose, probe));
    outcome_.history.push_back(std::move(row));
    outcome_.states.push_back(std::move(snapshot));
  }

  Vec3 probe_position(const Pose& pose, const Probe& probe) const {
    for (std::size_t r = 0; r < scene_.rods.size(); ++r) {
      if (scene_.rods[r].name != probe.point.rod) continue;
      const RodPose& rod = pose.rods[r];
      const double s = probe.point.at.at(rod.s.back());
      const auto above = std::lower_bound(rod.s.begin(), rod.s.end(), s);
      const auto i = static_cast<std::size_t>(above - rod.s.begin());
      if (i == 0) return rod.position.front();
      if (i == rod.s.size()) return rod.position.back();
      const double share = (s - rod.s[i - 1]) / (rod.s[i] - rod.s[i - 1]);
      return rod.position[i - 1] + share * (rod.position[i] - rod.position[i - 1]);
    }
    return Vec3::Zero();
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
  if (const auto problem = scene::validate(scene)) return problem->error();
  if (scene.rods.empty())
    return Error{ErrorCode::BadInput, "the scene has no rod: there is nothing to solve", {}, 0, 0};
  if (const auto refused = sim::refusal(scene)) {
    Error error = refused->error();
    error.code = ErrorCode::NotSupported;
    return error;
  }
  const std::unique_ptr<Formulation> formulation = sim::make_formulation(scene.simulation.formulation);
  const std::unique_ptr<Model> model = formulation->compile(scene);
  return Statics(scene, options, *model).run();
}

}  // namespace filum
