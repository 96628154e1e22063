// A chain's state carried over to another scene, and told to the outside as targets.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/formulation.hpp"

namespace filum::chain {

// By the names of rods and bodies. A rod whose elements may change keeps those it has, cut where the new scene ties
// something to it; any other one is cut as its new scene says, and each element moves with the old one at its middle.
ChainState carry_over(const ModelData& from, const Mechanism& from_mechanism, const ChainState& state,
                      const ModelData& to, const Targets& targets);

// Where holds and free bodies are. Turns stay those of `targets`: orientations are without them.
Targets present_targets(const ModelData& model, const ChainState& state, const Targets& targets);

}  // namespace filum::chain
