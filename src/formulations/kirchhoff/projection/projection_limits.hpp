// How long a step of the explicit part may be.
#pragma once

#include "formulations/discrete/discrete_model.hpp"

namespace filum::kirchhoff {

// The longest stable step of symplectic Euler for the bending of straight rods, s; with a margin.
double longest_explicit_step(const discrete::ModelData& model);

}  // namespace filum::kirchhoff
