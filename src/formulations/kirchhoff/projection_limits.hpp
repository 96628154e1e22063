// How long a step of the explicit part may be.
#pragma once

#include "formulations/kirchhoff/model.hpp"

namespace filum::kirchhoff {

// The longest stable step of symplectic Euler for the bending of straight rods, s; with a margin.
double longest_explicit_step(const ModelData& model);

}  // namespace filum::kirchhoff
