// The scene's forces and torques on the parts they act on.
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/formulation.hpp"

#include <span>

namespace filum::chain {

// What they add to the velocities in a step.
void push_loads(const Mechanism& mechanism, const ChainState& state, const Targets& targets, double dt,
                std::span<const Mobility> mobility, std::span<Vec6> velocity);

// After the last solve, at these velocities: adds what they have done to the work.
void take_loads(const Mechanism& mechanism, const Targets& targets, double dt, std::span<const Vec6> velocity,
                ChainState& state);

}  // namespace filum::chain
