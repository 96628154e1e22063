#include "sim/statics/load_stepping.hpp"

#include "scene/layout.hpp"
#include "sim/drivers.hpp"
#include "sim/statics/other_unknowns.hpp"
#include "sim/statics/patience.hpp"
#include "sim/statics/rest_by_motion.hpp"

#include <algorithm>

namespace filum::sim {

namespace {

constexpr double kFirstShare = 0.25;  // of the way, in the first load step
constexpr double kSmallestShare = 1.0 / 512;
constexpr int kMostIterations = 2000;  // over all load steps of one equilibrium

// From one set of targets to another in steps that are halved on failure. The figures include those of `failed`, the
// attempt at one go; if the steps fail too, or are stopped, the state stays where they last converged.
SolveReport advance(const Model& model, Workspace& workspace, std::unique_ptr<State>& state, const Targets& from,
                    const Targets& to, const SolveReport& failed, const Progress& progress) {
  SolveReport report = failed;
  int iterations = failed.iterations;
  int steps = 0;
  double done = 0;
  double share = kFirstShare;
  while (done < 1 && share >= kSmallestShare && iterations < kMostIterations) {
    const double next = std::min(1.0, done + share);
    std::unique_ptr<State> before = state->clone();
    report = model.solve(workspace, *state, blend(from, to, next), progress);
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

}  // namespace

Equilibrium find_equilibrium(const Model& model, Workspace& workspace, const Scene& scene, const Targets& resting,
                             const Targets& targets, const Progress& progress) {
  Equilibrium found;
  found.state = model.start(targets);
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
  found.report = advance(model, workspace, state, drawn, targets, found.report, progress);
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

SolveReport follow_equilibrium(const Model& model, Workspace& workspace, std::unique_ptr<State>& state,
                               const Targets& from, const Targets& to, const Progress& progress) {
  Targets targets = to;
  targets.increment = true;
  std::unique_ptr<State> before = state->clone();
  const SolveReport report = model.solve(workspace, *state, targets, progress);
  if (report.converged) return report;
  // smaller steps between the two instants
  state = std::move(before);
  if (report.stopped) return report;
  return advance(model, workspace, state, from, targets, report, progress);
}

}  // namespace filum::sim
