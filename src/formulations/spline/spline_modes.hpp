// Natural modes about an equilibrium of spline rods (docs/theory/spline.md, section 8).
#pragma once

#include "formulations/spline/spline_system.hpp"

#include <filum/modes.hpp>

#include <vector>

namespace filum::spline {

// `state` must be an equilibrium. At most `count` modes, by rising ω²; none if it was stopped.
std::vector<NaturalMode> natural_modes(const SplineModel& model, System& system, const SplineState& state,
                                       const Targets& targets, int count, const Progress& progress);

}  // namespace filum::spline
