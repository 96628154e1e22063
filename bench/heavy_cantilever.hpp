// The scene that most benches share.
#pragma once

#include <filum/scene.hpp>

#include <string>

namespace filum::bench {

// One metre of a round rod, 5 mm in radius, clamped at its start and straight along x: ρAgL³/EI = 10.
Scene heavy_cantilever(int segments);

// Holds the rod called «rod» in position and orientation.
Hold clamp(std::string name, ArcPosition at);

}  // namespace filum::bench
