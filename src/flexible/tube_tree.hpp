// From a triangle mesh to a tree of tubes: branches with their centre lines and radii, the nodes where they end or meet,
// and the pieces that are no tubes.
//
// Welded surfaces tell what meets by the triangles that no tube has claimed: what lies between three ends joins them.
// Separate shells that overlap tell it by where their ends lie: an end inside another tube joins it there. A shell that
// runs inside another one all along is the inner wall of a pipe, not a branch. Where ends that hang together aim at two
// points, these are two nodes with a short piece between them, too short to have been found as a tube.
#pragma once

#include "flexible/tube_graph.hpp"

#include <array>
#include <span>

namespace filum::flexible {

TubeTree find_tubes(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles);

}  // namespace filum::flexible
