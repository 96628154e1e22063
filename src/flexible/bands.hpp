// Centre lines through all vertices near each section, where they form no rings: surfaces that were meshed anew.
#pragma once

#include "flexible/line_bound.hpp"
#include "flexible/line_guide.hpp"
#include "flexible/tube_line.hpp"

#include <vector>

namespace filum::flexible {

// How far a line of bands may be off, by what its sections leave of their vertices. Near its ends a tube runs into others:
// what is off there says nothing of the rest.
void bound_bands(CentreLine& line, const std::vector<CircleRest>& rests, const Guide& guide);

struct PlacedVertex {
  Vec3 point;
  double s;  // along the guide
};

// A flat tube: the hull of the vertices near each section, carried into its plane as the section turns about the line.
// The guide has a point for each section; vertices are ordered along it. A section whose hull is not like it stays as it
// is, without a bound.
CentreLine flat_bands(const TracedTube& tube, const Guide& guide, const std::vector<PlacedVertex>& vertices);

}  // namespace filum::flexible
