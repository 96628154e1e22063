// How much memory a scene takes: as a description, for undo, and as a simulation, before one is begun.
#pragma once

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <cstddef>

namespace filum::serve {

// What a page may ask for. Beyond it the machine that serves it would be the one to suffer.
inline constexpr std::size_t kMostSegments = 100'000;  // of all rods together
inline constexpr std::size_t kMostThings = 20'000;     // holds, bodies, junctions, loads, drivers, … together

// About as many bytes as the description takes, lists and names included.
std::size_t bytes_of(const Scene& scene);

// About as many as its simulation takes, compiled, with the states of a solve.
std::size_t simulation_bytes(const Scene& scene);

// Refuses what would need more memory than a workbench may take, or than there is.
Status check_size(const Scene& scene);

}  // namespace filum::serve
