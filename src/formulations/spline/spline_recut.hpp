// A spline rod of other knots on the curve that it had, and the knots that its curve asks for.
#pragma once

#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_state.hpp"

#include <vector>

namespace filum::spline {

// Control points, velocities, frames, twists and memory of `rod`, from a state of a model in which the same open rod, as
// long, has other knots. The new spline goes through the old curve at its knots, with its slopes at the breaks: where old
// knots are among the new ones it is the same curve, as if the others had been inserted [DeBoor1978].
void recut_rod(const SplineModel& from, int old_rod, const SplineState& old, const SplineModel& to, int rod,
               SplineState& now);

// The knots, as shares of its length, with which a rod leaves its own curve by about `allowed` m at most, and has not
// many more than that takes: segments that are too coarse are halved, knots between two equal ones that are too fine
// taken out, if it `may_coarsen`. Neighbours differ by a factor of two at most.
[[nodiscard]] std::vector<double> wanted_knots(const SplineModel& model, const SplineState& state, int rod,
                                               double allowed, bool may_coarsen);

// How far the curve of a rod lies from that of the same rod with other knots, at the same arc lengths.
[[nodiscard]] double largest_distance(const SplineModel& a_model, const SplineState& a, const SplineModel& b_model,
                                      const SplineState& b, int rod);

}  // namespace filum::spline
