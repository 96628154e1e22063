// The heavy cantilever: a horizontal clamped rod under its own weight, by the one number Γ = ρAgL³/EI.
#pragma once

#include "validation/cantilever.hpp"
#include "validation/scenes.hpp"

namespace filum::validation {

// A round rod, 5 mm in radius, of rubber's density, with the stiffness that gives Γ at a length of 1 m.
Section heavy_section(double gamma);

// Gravity along −z.
Vec3 heavy_gravity();

// The rod along x, 1 m long, clamped at its start.
Scene heavy_scene(double gamma, int segments);

// Its exact counterpart, of any length.
Cantilever heavy_reference(double gamma, double length);

// The largest tip error allowed at 50 segments, share of the length.
double heavy_tolerance(double gamma);

}  // namespace filum::validation
