// The state that a chain begins with.
#pragma once

#include "formulations/chain/mechanism/chain_model.hpp"
#include "formulations/chain/mechanism/chain_state.hpp"
#include "formulations/formulation.hpp"

namespace filum::chain {

// The scene's shape, at rest or with its velocities; holds and driven bodies where the targets are.
ChainState start_state(const ModelData& model, const Targets& targets);

// Knots of junctions where the elements of their first rods end, moving with them.
void place_knots(const ModelData& model, ChainState& state);

// Where a hold wants the cross-section it grips, its turns included.
Quat wanted_section(const HoldTarget& target);

}  // namespace filum::chain
