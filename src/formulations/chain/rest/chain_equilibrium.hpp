// Statics of a chain: all parts and forces at once by Newton's method.
//
// Unknowns are a small motion δq of every part (translation, world rotation) and the change δλ of every link's force:
//
//     (K + M/τ²) δq − Jᵀ δλ = f + Jᵀλ,      −J δq − ε δλ = φ + ελ.
//
// K is the full geometric stiffness −∂(Jᵀλ)/∂q: of a gap (f·ρ) 1 − ½(f ρᵀ + ρ fᵀ) on each part, of a turn that of
// rod/joint.hpp. τ is a step in a time that only serves to find the way: it grows as long as the matrix is that of a
// minimum and no part turns far, so that the last iterations are Newton's own.
//
// Each part shares a block with the link through which it hangs on what is held (found from there outwards), and is
// eliminated before it: no pivot is small for want of mass. Links that close a loop come last.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/formulation.hpp"

namespace filum::chain {

// From where the state is to an equilibrium, judged; forces and poses are left in the state. `conservative`: no torques
// and no following forces, so that the way down is known.
SolveReport find_equilibrium(const ModelData& model, const Mechanism& mechanism, ChainState& state,
                             const Targets& targets, bool conservative, const Progress& progress);

}  // namespace filum::chain
