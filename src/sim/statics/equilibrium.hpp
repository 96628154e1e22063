// What a search for an equilibrium ends with.
#pragma once

#include "formulations/formulation.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace filum::sim {

struct Equilibrium {
  std::unique_ptr<State> state;  // the best one found
  SolveReport report;
  std::vector<Event> events = {};  // on the way to it, beyond what the state tells
};

// Goes on to a stable one.
inline void leave_unstable(const Model& model, Workspace& workspace, const Targets& targets, const Progress& progress,
                           Equilibrium& found) {
  SolveReport report = model.nudge(workspace, *found.state, targets, progress);
  report.iterations += found.report.iterations;
  report.load_steps = found.report.load_steps;
  report.begun_from = found.report.begun_from;
  found.report = std::move(report);
}

}  // namespace filum::sim
