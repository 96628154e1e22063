// The largest pulls that rods and ropes bear, and the blows in which they grow suddenly.
//
// A load that falls into its rope is caught within a quarter of the period of its bounce, T = v √(k m) above its weight
// for the speed v, the stiffness k and the mass m. Where that is shorter than a few steps the step, which is implicit,
// rounds the peak off: by e^{−π ωh/4} or so. The motion after it is sound; what the rope had to bear is not. So a step
// that raises the largest pull so far by more than a tenth is reported as a blow, and whoever takes steps looks closer.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"

namespace filum::chain {

// Takes note of the pulls at the end of a step. True: it was a blow. `began`: no step had been taken before, what the
// ropes bear then they have borne all along. `gravity` weighs the rods: one that has borne a load and bears
// little more than itself is slack, until it has borne a load for a second on end; so a rope that whips is slack once.
bool note_pulls(const Mechanism& mechanism, double gravity, double dt, ChainState& state, bool began);

// Takes note of slack spans that are about to be drawn straight. A step that is long against the last of that whips
// elements round by a good part of a turn, and what its linear rows then miss comes out as energy: state.whip is how
// long steps are to be short, s, and `step` what they usually are.
void note_whips(const Mechanism& mechanism, double step, double dt, ChainState& state);
inline constexpr int kWhipParts = 16;  // of a usual step

// All peaks, summed.
[[nodiscard]] double sum_of_peaks(const ChainState& state);

// Takes over what a closer look has found, and breaks where that broke. The lists of elements may differ.
void take_peaks(const Mechanism& mechanism, ChainState& state, const Mechanism& looked_mechanism,
                const ChainState& looked);

}  // namespace filum::chain
