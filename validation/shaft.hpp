// The twisted shaft of the cases on uniform twist and on Greenhill's problem.
#pragma once

#include "validation/scenes.hpp"

namespace filum::validation {

inline constexpr double kShaftBendOverTwist = 1.3;  // B/C

// A shaft of length 1 along x, EI = 1 and unit mass, clamped at its start; its far end slides along x under the
// tension, held sideways and in its orientation, and is turned.
Scene twisted_shaft(double twist_stiffness, double tension, double turns, int segments);

// The one of Greenhill's problem, turned by `twist`, rad.
Scene greenhill_shaft(double tension, double twist, int segments);

}  // namespace filum::validation
