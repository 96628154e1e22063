// Dynamics: from a scene to its motion.
#pragma once

#include <filum/outcome.hpp>
#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <functional>
#include <vector>

namespace filum {

// Everything that a run remembers, to go on from it to the last bit: only the formulation that made it can read it.
struct SavedState {
  double t = 0;
  std::vector<double> values;
};

struct RunOptions {
  // Share of the time done, in [0, 1], and a word on what is going on.
  std::function<void(double, const char*)> progress;
  // Every recorded instant as it comes, the first and the last included. False: stop here.
  std::function<bool(const Snapshot&)> frame;
  // Goes on from here instead of from the scene's start.
  const SavedState* resume = nullptr;
  // Filled with the last state.
  SavedState* save = nullptr;
};

// Refuses what the scene's formulation and stepper cannot honour; otherwise always returns an outcome: a run that could
// not go on says why and keeps what it has.
Result<Outcome> run(const Scene& scene, const RunOptions& options = {});

}  // namespace filum
