// The energy of a chain, and what a step has taken of it.
//
// Elastic energy is that of the forces, ½ λᵀελ, or of the strain at the step's end that belongs to them, −ελ and its
// lag: by the strains themselves it would show what the last step linearised.
//
// The step is implicit along its rows, so whatever shakes them is damped, and what hits or snaps taut stops within a
// step: in exact numbers a step takes ½|Δv|²_M + ½|Δλ|²_ε, give or take its linearisation, which in a smooth motion
// cancels up to a ripple. What is lost in this way counts as dissipated. What is gained does not: the balance of the
// energies rises from its lowest by just as much as the step has made.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"

#include <filum/pose.hpp>

namespace filum::chain {

[[nodiscard]] Energy energy_of(const ModelData& model, const Mechanism& mechanism, const ChainState& state);

// After a step: `before` is the balance as it was before it.
void note_loss(double before, const Energy& after, double dt, ChainState& state);

// Whether a step in which the balance rose by `rise` was too long: it has made a good part of the energy that moves, as
// steps do in which a light rope is whipped round or snaps taut. Shorter steps make less.
[[nodiscard]] bool makes_energy(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                                double rise);

}  // namespace filum::chain
