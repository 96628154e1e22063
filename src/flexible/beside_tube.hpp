// Which triangles lie along a tube: between its end planes, about as far from its centres as its sections are wide.
#pragma once

#include "flexible/surface.hpp"
#include "flexible/traced_tube.hpp"

#include <cstddef>
#include <optional>

namespace filum::flexible {

// The station that a triangle lies beside, if all of it does; the nearest one, downhill from a guess.
std::optional<std::size_t> station_beside(const Surface& surface, const TracedTube& tube, int triangle,
                                          std::size_t guess);

// Square to the tube near where it ends: the face between both walls of a pipe, by which one would lead to the other.
// `nearest`: the station beside it.
bool is_end_face(const Surface& surface, const TracedTube& tube, int triangle, std::size_t nearest);

}  // namespace filum::flexible
