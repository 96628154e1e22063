// A moving state carried over from one model to another whose scene has been edited, by names and arc lengths.
#pragma once

#include "formulations/formulation.hpp"
#include "formulations/kirchhoff/model.hpp"
#include "formulations/kirchhoff/state.hpp"

namespace filum::kirchhoff {

// `to_state` is a start state of `to`. Rods and bodies are matched by name; where the nodes of a rod are the same, they
// are copied bit for bit.
void transfer(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state);

// Where holds and free bodies are in a state, as targets.
Targets present_targets(const ModelData& model, const RodState& state, const Targets& targets);

}  // namespace filum::kirchhoff
