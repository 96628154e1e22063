// A state on a coarse mesh carried over to a finer one of the same scene, by arc length.
//
// The stiffness matrix of a chain of N edges has a condition of N⁴: above a thousand edges a large Newton step loses
// the digits that keep the edges' lengths. Solving coarse first leaves only small steps to the fine mesh.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"

namespace filum::discrete {

// `fine_state` is a start state of the fine model; positions, frames, axial forces, twists and multipliers are
// overwritten.
void refine(const ModelData& coarse, const RodState& coarse_state, const ModelData& fine, RodState& fine_state);

}  // namespace filum::discrete
