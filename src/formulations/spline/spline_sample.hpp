// What the outside sees of a state of spline rods.
#pragma once

#include "formulations/formulation.hpp"
#include "formulations/spline/spline_system.hpp"

namespace filum::spline {

// `system` has evaluated this state.
Pose sample_spline(const SplineModel& model, const System& system, const Balance& balance, const SplineState& state,
                   const Targets& targets);

}  // namespace filum::spline
