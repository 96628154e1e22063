// Statics: from a scene to its equilibrium.
#pragma once

#include <filum/outcome.hpp>
#include <filum/progress.hpp>
#include <filum/result.hpp>

namespace filum {

struct Scene;

struct SolveOptions {
  double at = 0;       // time at which drivers are read, s
  int path = 0;        // > 0: this many warm-started states, spread evenly from t = 0 to the last keyframe
  bool nudge = false;  // leave an unstable equilibrium for a stable one
  Progress progress;
};

// Refuses what the scene's formulation cannot honour; otherwise always returns an outcome, converged or not.
Result<Outcome> solve(const Scene& scene, const SolveOptions& options = {});

}  // namespace filum
