// Spline rods: what an equilibrium after a small move and a step in time cost.
#pragma once

#include "bench/bench.hpp"

namespace filum::bench {

// The cable of the source's car door [Theetten2006, table 2]: 18 control points on 2 m, clamped at both ends, in a clip
// between; its end has moved by 5 mm. Per solve.
Bench door_cable_again();

// Energy-momentum steps of 1/240 s of the heavy cantilever (Γ = 10) that falls from the horizontal. Per control point
// and step.
Bench spline_step(int points);

}  // namespace filum::bench
