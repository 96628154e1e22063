// Colours that carry meaning: one per curve, a scale for a value along a rod, and shading.
#pragma once

#include <filum/types.hpp>

#include <string>

namespace filum::io {

using Rgb = Vec3;  // each part in [0, 1]

// Colour number `i` of curves; they repeat after a dozen and are told apart by line styles then. Legible on light and
// dark.
std::string curve_colour(size_t i);

// Dash pattern that goes with it; empty for the first dozen.
std::string curve_dash(size_t i);

// The scale along a rod: blue at 0 over green and yellow to orange at 1. NaN gives grey.
Rgb scale_colour(double share);

// Beyond a limit.
Rgb over_colour();

// No value to show.
Rgb plain_colour();

// `colour` made darker (brightness < 1) or lighter (> 1), as «#rrggbb».
std::string shaded(const Rgb& colour, double brightness);

}  // namespace filum::io
