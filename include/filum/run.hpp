// Dynamics: from a scene to its motion.
#pragma once

#include <filum/outcome.hpp>
#include <filum/progress.hpp>
#include <filum/result.hpp>

#include <functional>
#include <vector>

namespace filum {

struct Scene;

// Everything that a run remembers, to go on from it to the last bit: only the formulation that made it can read it.
struct SavedState {
  double t = 0;
  std::vector<double> values;
};

struct RunOptions {
  // The share is that of the time.
  Progress progress;
  // Every recorded instant as it comes, the first and the last included. False: stop here.
  std::function<bool(const Snapshot&)> frame;
  // Called after the first instant and after every step, with makers of what to go on from. False: stop here.
  struct SoFar {
    std::function<SavedState()> state;
    std::function<Outcome()> outcome;  // what has been recorded
  };
  std::function<bool(const SoFar&)> checkpoint;
  // Goes on from here instead of from the scene's start,
  const SavedState* resume = nullptr;
  // and with what was recorded until then, as if there had been no pause; null: the first instant is recorded anew.
  const Outcome* earlier = nullptr;
  // Filled with the last state.
  SavedState* save = nullptr;
};

// Steps lie at whole multiples of simulation.step, the last one is cut to `end`. Frames and history rows are those of
// the first instant, of the first step at or after each multiple of record.every, and of the last. The largest energy
// error and the worst of each limit are taken over these instants and two thousand more, spread evenly (every step of a
// run that has no more). The outcome keeps the first and the last state and the history; the rest goes to `frame`
// alone.
//
// Refuses what the scene's formulation and stepper cannot honour; otherwise always returns an outcome: a run that could
// not go on says why and keeps what it has.
Result<Outcome> run(const Scene& scene, const RunOptions& options = {});

}  // namespace filum
