// Statics by letting a chain settle: for what Newton's method (chain_equilibrium.hpp) does not know, massless ropes,
// sheaves and what touches.
//
// The stepper moves everything as in a run; after every step all velocities are made smaller,
//
//     v ← v/(1 + αh),
//
// so that what is left in the end is in balance for the stepper itself, friction and contact included. Where α is
// critical for the slowest motion, 2ω, every faster one decays no less quickly [Underwood1983]. How fast that is shows in
// how the residual falls: one that is slowed too much decays at the rate r = ω²/α, so from one stretch of time to the
// next
//
//     α ← 2√(rα),
//
// which comes to rest at α = 2.3 ω.
//
// Rods that are drawn shorter or longer than they are come near as soft ones first, whose stiffness then grows.
//
// The residual is what a step from rest sets in motion: the largest of the forces m a, and of the moments over the
// size of the scene, against the largest force at work. Friction leaves more than one equilibrium; which of them is
// found depends on where the search began.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/formulation.hpp"

namespace filum::chain {

// From where the state is, at rest; forces, friction and poses are left in it. Its list of elements may change: it
// needs another number.
SolveReport settle(const ModelData& model, ChainState& state, const Targets& targets, const Progress& progress);

}  // namespace filum::chain
