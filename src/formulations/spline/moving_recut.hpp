// Rods in motion whose knots have changed: what recutting alone does not keep.
//
// The same curve is stretched differently where it is sampled with other knots, and would ring. So control points are moved
// until the strain at the new stretch points is that of the old ones between which they lie, and velocities likewise for
// its rate: by the least change in the norm of the mass, M δ + Jᵀ λ = 0, J δ given. Forces within a rod alone do that, so
// neither its centre of mass nor its momentum change. What a knot that was taken out then lacks in momentum a free rod
// gets back as the motion of a rigid body. A place that is newly held comes to rest at once, as in the discrete rods.
#pragma once

#include "formulations/formulation.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_state.hpp"

#include <vector>

namespace filum::spline {

// `origin`: per rod of `to`: which of the old rods it was, with other knots; −1: it is as it was.
void settle_recut(const SplineModel& from, const SplineState& old, const std::vector<int>& origin,
                  const SplineModel& to, const Targets& targets, SplineState& now);

}  // namespace filum::spline
