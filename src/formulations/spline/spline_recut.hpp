// A spline rod of other knots on the curve that it had.
#pragma once

#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_state.hpp"

namespace filum::spline {

// Control points, velocities, frames, twists and memory of `rod`, from a state of a model in which the same open rod, as
// long, has other knots. The new spline goes through the old curve at its knots, with its slopes at the breaks: where old
// knots are among the new ones it is the same curve, as if the others had been inserted [DeBoor1978].
void recut_rod(const SplineModel& from, int old_rod, const SplineState& old, const SplineModel& to, int rod,
               SplineState& now);

}  // namespace filum::spline
