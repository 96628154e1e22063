// The equilibrium of a rod that is held at its start alone, found from its free end.
//
// Beyond the free end nothing acts. So, once the frame of the outermost cross-section is known, all else follows one from
// the other towards the start: the force in an edge is the sum of the loads beyond it, the moment at its start that at its
// end and e × n, the strains of a joint are those that its moment asks for, and these turn the frame of the next edge.
// This holds for loads that turn with the rod too. What is asked for is the outermost frame with which the march ends in
// the frame that the hold gives: three equations for three unknowns.
//
// Without weight and other loads of fixed direction there is exactly one answer, since the whole then turns as it is:
// any march, turned to fit. From there these loads are brought on along the curve of solutions (pseudo-arclength
// continuation [Keller1977]). The curve cannot come back to where they are nil, and frames are a compact set: so it goes
// on for ever, and passes the loads that are asked for.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"

namespace filum::discrete {

// Whether a model is one such rod and no more, and something turns with it.
bool is_marched_from_free_end(const ModelData& model);

// What a search that began from it says.
inline constexpr const char* kMarched = "a march from the free end";

// Puts `state`, whose holds are where they are wanted, into that equilibrium. False: it was not found.
bool march_from_free_end(const ModelData& model, const Targets& targets, RodState& state);

}  // namespace filum::discrete
