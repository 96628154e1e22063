// From steps of one length to steps of another.
//
// Velocities of a step are those half a step before its places (v⁺ = v + h a, x⁺ = x + h v⁺): in a step of another length
// they would be those of another instant, and a fall would begin the step ½ (h⁺ − h) a too fast or too slow: half of what
// the weights do in that time, made or lost at once. So what moves goes on or back to its instant first, with the
// acceleration of the last step, as far as that answers to the weights: where blows and waves outdo them nothing is
// gained by going on with these.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"

namespace filum::chain {

// Before a step `dt` of a chain whose last one was of another length.
void change_step(const ModelData& model, const Mechanism& mechanism, double dt, ChainState& state);

}  // namespace filum::chain
