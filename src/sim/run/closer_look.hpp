// How hard a blow was: the time in which it fell is gone through again, in steps short enough to see it.
//
// A step that is long against a blow rounds its peak off. The state is copied as it was before the step and led on, at
// the rate at which the step was led, until its pulls grow no more. If they took fewer than kResolved short steps to
// grow, or if steps four times as long had found something else (steps in which a light rope whips may make pulls of
// their own), it is done again with steps a quarter as long. A blow that still grows after
// kHorizon steps needs no closer look: the step itself resolves it. The motion stays what it was; only peaks are taken
// over.
#pragma once

#include "formulations/formulation.hpp"

#include <memory>

namespace filum::sim {

class CloserLook {
 public:
  // `like`, `targets`: any of the model.
  CloserLook(const Model& model, Workspace& workspace, const State& like, const Targets& targets);

  // Short steps in a step at most: what is stiffer still is a peak of the model, not of a rope.
  static constexpr int kFinest = 1024;

  // `before`: the state at the start of the step from `from` to `to`, which was taken in so many `pieces`; `state`: at
  // its end. `progress` is called after every short step; false: it was stopped, and nothing was taken over.
  bool look(const State& before, const Targets& from, const Targets& to, double dt, int pieces, State& state,
            const Progress& progress);

 private:
  static constexpr int kFirst = 4;          // short steps in a step, or as many as there were pieces
  static constexpr int kResolved = 24;      // short steps from the first growth to the peak: they round off 5 % of it
  static constexpr double kMostMade = 0.1;  // of the energy that moves: pulls that cost more are not believed
  static constexpr double kAgreed = 0.05;   // of the pulls: so near are those of steps a quarter as long
  static constexpr int kHorizon = 12;       // steps
  static constexpr int kCalm = 6;           // short steps without growth, or half of those with it: the blow is over

  static constexpr int kFailed = -1;      // a short step was not short enough
  static constexpr int kStillGrows = -2;  // there is no peak within the horizon
  static constexpr int kHalted = -3;      // its watcher asked for it

  // In how many short steps the pulls grew to their peak, or one of the above.
  int follow(const State& before, const Targets& from, const Targets& to, double dt, int parts,
             const Progress& progress);

  const Model& model_;
  Workspace& workspace_;
  std::unique_ptr<State> looked_;
  Targets led_;
};

}  // namespace filum::sim
