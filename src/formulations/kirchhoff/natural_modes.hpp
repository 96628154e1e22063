// Natural modes about an equilibrium of a Kirchhoff model.
#pragma once

#include "formulations/discrete/system/rod_system.hpp"

#include <filum/modes.hpp>

#include <vector>

namespace filum::kirchhoff {

// `state` must be an equilibrium. `spins`: with rods' inertia about their tangent. At most `count` modes, by rising ω².
std::vector<NaturalMode> natural_modes(const discrete::ModelData& model, discrete::RodSystem& system,
                                       discrete::RodState& state, const Targets& targets, bool spins,
                                       int count, const Progress& progress);

}  // namespace filum::kirchhoff
