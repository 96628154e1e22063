// What the outside sees of a state of spline rods.
#pragma once

#include "formulations/formulation.hpp"
#include "formulations/spline/spline_system.hpp"

#include <vector>

namespace filum::spline {

// Where a rod is shown: at its knots and, where they are few, between them.
struct ShownPlace {
  int segment = 0;
  double share = 0;
};
std::vector<ShownPlace> shown_places(const rod::SplineKnots& knots);

// `system` has evaluated this state.
Pose sample_spline(const SplineModel& model, const System& system, const Balance& balance, const SplineState& state,
                   const Targets& targets);

}  // namespace filum::spline
