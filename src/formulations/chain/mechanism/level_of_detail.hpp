// Level of detail: long elements where a rod is straight, short ones where it bends.
//
// An element of length ℓ leaves out of a curve of curvature κ the height κℓ²/8. Where that is less than a part of the
// share that `simulation.chain.detail` gives (of the rod's length), now and as the joint turns on for a while, two
// neighbours become one; where it is more than another part, one becomes two (recut.hpp). Neighbours differ by no more
// than a factor of two or so, so that a wave finds short elements before it; where a hold is shoved aside the rod is
// cut before it comes; a span keeps four, so that it can always begin to bend; none gets shorter than the rod was cut
// in the scene.
//
// Rods of one section that are straight at rest only; the others keep the elements they have. What drums and sheaves
// cut is left to them.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"

namespace filum::chain {

// One pass over all rods, before a step and when it is known how what holds them will move. Whether the list of
// elements is another now: links and mechanism have to follow.
bool adapt_detail(const ModelData& model, const Mechanism& mechanism, ChainState& state, double dt);

}  // namespace filum::chain
