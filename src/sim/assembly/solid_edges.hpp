// The sharp edges of a solid, as segments with a radius: two solids are nearest where an edge of one meets the other.
//
// Two polyhedra that do not overlap are nearest at a corner and a face or at two edges: the least distance of either's
// edges from the other is their distance. A ball is a point with a radius, a capsule its axis; a cylinder is the prism of
// 48 sides about it, which is up to 0.2 % of the radius too large.
#pragma once

#include "geometry/shape.hpp"

#include <vector>

namespace filum::sim {

struct SolidEdge {
  geometry::Segment line;
  double radius = 0;
};

// Of a mesh without those between triangles in one plane; a half space has none.
[[nodiscard]] std::vector<SolidEdge> edges_of(const geometry::Shape& shape);

}  // namespace filum::sim
