// What the outside sees of a state of a chain.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/formulation.hpp"

namespace filum::chain {

Pose sample_pose(const ModelData& model, const Mechanism& mechanism, const ChainState& state, const Targets& targets);

// Forces of the links as their strains ask for: of a state that no step and no solve has given any.
void set_elastic_forces(const ModelData& model, const Mechanism& mechanism, ChainState& state);

}  // namespace filum::chain
