// What a movement of the holds does to a cable before anything is solved.
//
// Held positions and orientations go where they are wanted at once. Segments between two held orientations turn by a
// share of what each has turned, those beyond the last one turn with it; turns about the rod's own tangent are spread
// along it, each segment about itself [Gregoire2007, section 6.3, linear prediction]. What is then missing in position is
// left to Newton's first step, whose linear answer is the best prediction there is, unless the ends of a span have gone
// far: then it is swung round with its chord, or laid straight if it has become taut.
#pragma once

#include "formulations/cosserat/cosserat_state.hpp"
#include "formulations/cosserat/network.hpp"
#include "formulations/formulation.hpp"

namespace filum::cosserat {

void follow_holds(const ModelData& model, const Network& network, const Targets& targets, CableState& state);

}  // namespace filum::cosserat
