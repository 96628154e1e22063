// The state of discrete rods as a list of numbers and back.
#pragma once

#include "formulations/discrete/rod_state.hpp"

#include <span>
#include <vector>

namespace filum::discrete {

std::vector<double> pack_state(const RodState& state);

// Overwrites a state of the same model. False, and nothing changed, if the lengths of its lists differ.
bool unpack_state(std::span<const double> values, RodState& state);

}  // namespace filum::discrete
