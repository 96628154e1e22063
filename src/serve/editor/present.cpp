#include "serve/editor/present.hpp"

#include "sim/history_row.hpp"
#include "sim/limits.hpp"

#include <algorithm>
#include <utility>

namespace filum::serve {

Outcome outcome_of(const Present& present) {
  const Scene& scene = present.document->scene();
  Outcome outcome;
  outcome.solve.converged = present.solve.converged;
  outcome.solve.stable = present.solve.stable;
  outcome.solve.why = present.solve.why;
  outcome.solve.iterations = static_cast<int>(present.solve.iterations);
  outcome.solve.residual = present.solve.residual;
  outcome.solve.seconds = 1e-3 * present.solve.ms;
  Snapshot snapshot{present.time, *present.pose};
  if (present.simulated) outcome.checks = sim::check_limits(scene, snapshot.pose, present.time);
  // the holds of hands are nobody's in a file
  snapshot.pose.holds.resize(std::min(snapshot.pose.holds.size(), scene.holds.size()));
  if (present.simulated) outcome.history.push_back(sim::history_row(scene, snapshot));
  outcome.states.push_back(std::move(snapshot));
  return outcome;
}

}  // namespace filum::serve
