// Circles traced round the tubes of a triangle mesh, the way of [Gregoire2007, ch. 8] from a mesh to cables.
//
// At a vertex the way round a tube is taken to be the one in which the surface bends most, the way along it that in which
// it bends least. From a vertex the sharpest way is followed over the mesh until it closes; circles of neighbouring
// vertices are linked. Where rings of a sweep have 6 to 12 corners that is exact. It takes the way along for the way round
// wherever a tube bends more from ring to ring than from corner to corner, every tube of 32 corners or more for flat, and
// a noisy one for anything; so Filum itself marches by sections (`flexible`). Kept to compare with.
#pragma once

#include <filum/types.hpp>

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace filum::published {

struct TracedCircle {
  std::vector<int> vertices;  // in order
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

struct CircleTrace {
  std::vector<TracedCircle> circles;
  std::vector<std::pair<int, int>> links;  // of circles that neighbour each other, the smaller number first
  int open = 0;                            // vertices from which no way closed within 40
};

// Of a welded mesh.
CircleTrace trace_circles(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles);

}  // namespace filum::published
