// How long a step of the explicit part may be.
#pragma once

#include "formulations/discrete/discrete_model.hpp"

namespace filum::kirchhoff {

using namespace discrete;

// The longest stable step of symplectic Euler for the bending of straight rods, s; with a margin.
double longest_explicit_step(const ModelData& model);

}  // namespace filum::kirchhoff
