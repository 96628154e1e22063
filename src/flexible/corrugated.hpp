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

constexpr double kShortestCorrugated = 5;    // radii
constexpr int kFewestCorrugatedPoints = 40;  // of five radii

// What one search leaves to the next one in the same surface.
struct CorrugatedSearch {
  explicit CorrugatedSearch(const Surface& surface)
      : seen_triangle(surface.triangle.size(), 0), seen_point(surface.point.size(), 0) {}
  std::vector<int> in_vain;  // after nothing was found: triangles near the polygon, where nothing would be found either
  // the last walk over the surface that met a triangle, or a point
  std::vector<int> seen_triangle;
  std::vector<int> seen_point;
  int walk = 0;
  std::vector<int> open;  // triangles to go on from
};

// From a polygon that lies nearly across it. Triangles that have an owner (not −1) are left alone. Nothing: it is none, or
// too short.
std::optional<TracedTube> trace_corrugated(const Surface& surface, const std::vector<int>& owner, const Cut& across,
                                           CorrugatedSearch& search);

}  // namespace filum::flexible
