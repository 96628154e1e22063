// States of a chain and of discrete rods, made of each other: what lets a run go on in another formulation.
//
// Both divide a rod at the same arc lengths, so element i is edge i: its frame is the edge's, its ends are the nodes,
// two ends that meet have their node half way between. A list of elements that has changed is taken by arc length.
// Twist is the same measure in both; whole turns come from the one, the rest from the frames. Forces are those that the
// strains ask for.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"

namespace filum::chain {

// `rods`: the same scene's.
[[nodiscard]] discrete::RodState nodes_of(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                                          const discrete::ModelData& rods);

// Into a start state of the same scene. Rods that run over sheaves stay as they are there.
void take_nodes(const discrete::ModelData& rods, const discrete::RodState& nodes, const ModelData& model,
                ChainState& state);

}  // namespace filum::chain
