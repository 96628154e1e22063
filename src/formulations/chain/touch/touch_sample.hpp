// Contacts of a chain, as poses tell them.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"

#include <filum/pose.hpp>

#include <vector>

namespace filum::chain {

// Along each rod in turn, then of bodies.
[[nodiscard]] std::vector<ContactPose> sample_touches(const ModelData& model, const Mechanism& mechanism,
                                                      const ChainState& state);

}  // namespace filum::chain
