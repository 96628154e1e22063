#include "sim/statics/load_stepping.hpp"

#include "scene/layout.hpp"
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "sim/statics/other_unknowns.hpp"
#include "sim/statics/patience.hpp"
#include "sim/statics/rest_by_motion.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace filum::sim {

namespace {

constexpr double kFirstShare = 0.25;  // of the way, in the first load step
constexpr double kSmallestShare = 1.0 / 512;
constexpr double kDrawnSlack = 0.01;  // of a rod's length: what is drawn shorter by more is paid out

// How many iterations a load step may take, and all load steps of one equilibrium.
struct Bounds {
  int each = std::numeric_limits<int>::max();
  int all = 2000;
};
// Against obstacles what is found from an equilibrium near by is found soon, and what snaps or slips not at all. What is
// let go leaves contact by contact, and there are no smaller steps of that: it has all the time it needs.
constexpr Bounds kTouching{60, 300};

// From one set of targets to another in steps that are halved on failure. The figures include those of `failed`, the
// attempt at one go; if the steps fail too, or are stopped, the state stays where they last converged: `done` of the way.
SolveReport advance(const Model& model, Workspace& workspace, std::unique_ptr<State>& state, const Targets& from,
                    const Targets& to, const Bounds& bounds, const SolveReport& failed, const Progress& progress,
                    double& done) {
  SolveReport report = failed;
  int iterations = failed.iterations;
  int steps = 0;
  done = 0;
  double share = kFirstShare;
  while (done < 1 && share >= kSmallestShare && iterations < bounds.all) {
    const double next = std::min(1.0, done + share);
    std::unique_ptr<State> before = state->clone();
    Patience patience(progress, bounds.each);
    report = patience.judged(model.solve(workspace, *state, blend(from, to, next), patience.watch()));
    iterations += report.iterations;
    ++steps;
    if (report.stopped || stops(progress, next, "solving step by step", report)) {
      state = std::move(before);
      break;
    }
    if (report.converged) {
      done = next;
      share = std::min(2 * share, kFirstShare);
    } else {
      state = std::move(before);
      share /= 2;
    }
  }
  if (done < 1 && !report.stopped) report = failed;
  report.iterations = iterations;
  report.load_steps = steps;
  return report;
}

// Holds where the shapes put them, whatever the scene asks for, and nothing acting.
Targets drawn_targets(const Scene& scene, const Targets& resting) {
  Targets drawn = resting;
  for (std::size_t h = 0; h < scene.holds.size(); ++h)
    for (const Rod& rod : scene.rods) {
      if (rod.name != scene.holds[h].rod) continue;
      const scene::RodLayout layout(rod);
      const scene::Placement place = layout.at(scene.holds[h].at.at(layout.length()));
      drawn.holds[h] = {place.position, Quat(place.frame), 0};
    }
  drawn.load = 0;
  return drawn;
}

// Targets with the rods as long as they are drawn, where that is shorter than they are: their own length could not be laid
// out without going through something. Nothing: there are no such rods.
std::optional<Targets> drawn_slack(const Model& model, Workspace& workspace, const Scene& scene, const State& start,
                                   const Targets& targets) {
  if (!searches_in_positions(*make_formulation(scene.simulation.formulation), scene)) return std::nullopt;
  const Pose pose = model.sample(workspace, start, targets);
  std::optional<Targets> drawn;
  for (std::size_t r = 0; r < pose.rods.size(); ++r) {
    const std::vector<Vec3>& x = pose.rods[r].position;
    double length = pose.rods[r].closed ? (x.front() - x.back()).norm() : 0;
    for (std::size_t i = 1; i < x.size(); ++i) length += (x[i] - x[i - 1]).norm();
    if (length > (1 - kDrawnSlack) * targets.rod_length[r]) continue;
    if (!drawn) drawn = targets;
    drawn->rod_length[r] = length;
  }
  return drawn;
}

// One way after the other, until one of them finds something.
Equilibrium search(const Model& model, Workspace& workspace, const Scene& scene, const Targets& resting,
                   const Targets& targets, std::unique_ptr<State> start, const Progress& progress) {
  Equilibrium found;
  found.state = std::move(start);
  Patience patience(progress, patience_for(scene.simulation.formulation, scene));
  found.report = patience.judged(model.solve(workspace, *found.state, targets, patience.watch()));
  if (found.report.converged || found.report.hopeless || found.report.stopped) return found;
  // from the equilibrium of another formulation
  Equilibrium other = begin_from_another(model, workspace, scene, targets, progress);
  other.report.iterations += found.report.iterations;
  if (other.report.converged) return other;
  found.report.iterations = other.report.iterations;
  if (other.report.stopped) {
    found.report.stopped = true;
    found.report.why = other.report.why;
    return found;
  }
  // from the shape as drawn with nothing acting on it
  const Targets drawn = drawn_targets(scene, resting);
  std::unique_ptr<State> state = model.start(drawn);
  double done = 0;
  found.report = advance(model, workspace, state, drawn, targets, {}, found.report, progress, done);
  if (found.report.converged) found.state = std::move(state);
  if (found.report.converged || found.report.stopped) return found;
  // from what a damped motion comes to
  Equilibrium rest = relax(model, workspace, scene, targets, progress);
  rest.report.iterations += found.report.iterations;
  rest.report.load_steps = found.report.load_steps;
  if (rest.report.converged) return rest;
  found.report.iterations = rest.report.iterations;
  found.report.stopped = rest.report.stopped;
  return found;
}

}  // namespace

Equilibrium find_equilibrium(const Model& model, Workspace& workspace, const Scene& scene, const Targets& resting,
                             const Targets& targets, const Progress& progress) {
  std::unique_ptr<State> start = model.start(targets);
  const std::optional<Targets> slack = drawn_slack(model, workspace, scene, *start, targets);
  if (!slack) return search(model, workspace, scene, resting, targets, std::move(start), progress);
  Equilibrium laid = pay_out(model, workspace, scene, *slack, targets, progress);
  if ((laid.report.converged && laid.report.stable != false) || laid.report.stopped) return laid;
  Equilibrium found = search(model, workspace, scene, resting, targets, std::move(start), progress);
  found.report.iterations += laid.report.iterations;
  // nobody draws a rod too short to see it balance so
  if (found.report.stable == false) leave_unstable(model, workspace, targets, progress, found);
  return found;
}

SolveReport follow_equilibrium(const Model& model, Workspace& workspace, const Scene& scene,
                               std::unique_ptr<State>& state, Begins begins, const Targets& from, const Targets& to,
                               const Progress& progress) {
  Targets targets = to;
  targets.increment = true;
  std::unique_ptr<State> before = state->clone();
  const bool touching = searches_in_positions(*make_formulation(scene.simulation.formulation), scene);
  const bool near = touching && !scene.contact.rods && begins == Begins::InBalance;
  const Bounds bounds = near ? kTouching : Bounds{};
  Patience patience(progress, bounds.each);
  SolveReport report = patience.judged(model.solve(workspace, *state, targets, patience.watch()));
  if (report.converged) return report;
  // smaller steps between the two instants
  state = std::move(before);
  if (report.stopped) return report;
  double done = 0;
  report = advance(model, workspace, state, from, targets, bounds, report, progress, done);
  if (report.converged || report.stopped || !touching) return report;
  // what snaps or slips on the way
  Equilibrium led = lead(model, workspace, scene, *state, blend(from, targets, done), to, progress);
  led.report.iterations += report.iterations;
  led.report.load_steps = report.load_steps;
  if (led.report.converged) state = std::move(led.state);
  if (led.report.converged || led.report.stopped) return led.report;
  report.iterations = led.report.iterations;
  return report;
}

}  // namespace filum::sim
