// Corrugated tubes: conduits whose radius goes to and fro along them.
//
// A plane across them cuts crests and valleys at once as soon as it leans by more than the pitch, and their flanks'
// normals say nothing of the direction. So they are followed by bands, not by sections: all vertices of a band as wide as
// a radius are seen along the tube, and the circle through them gives the centre; the way of the centres is the
// direction. What makes a tube corrugated is that the mean distance of its vertices from the axis goes to and fro.
#pragma once

#include "flexible/traced_tube.hpp"

#include <optional>
#include <vector>

namespace filum::flexible {

// From a polygon that lies nearly across it. Triangles that have an owner (not −1) are left alone. Nothing: it is none, or
// shorter than five radii.
std::optional<TracedTube> trace_corrugated(const Surface& surface, const std::vector<int>& owner, const Cut& across);

}  // namespace filum::flexible
