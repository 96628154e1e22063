// The twisted ring of the cases on Michell's instability.
#pragma once

#include "validation/scenes.hpp"

namespace filum::validation {

// A ring of length 1 in the plane of x and y that nothing holds, naturally straight, with EI = 1 and unit mass.
Scene twisted_ring_scene(double GJ, double twist, int segments);

}  // namespace filum::validation
