// From a triangle mesh to a tree of tubes: branches with their centre lines and radii, the nodes where they end or meet,
// and the pieces that are no tubes.
//
// Welded surfaces tell what meets by the triangles that no tube has claimed: what lies between three ends joins them.
// Separate shells that overlap tell it by where their ends lie: an end inside another tube joins it there. A shell that
// runs inside another one all along is the inner wall of a pipe, not a branch.
#pragma once

#include "flexible/tube_refine.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace filum::flexible {

struct TreeBranch {
  std::vector<Vec3> centre;  // from node to node
  std::vector<double> radius;
  int start = -1;  // nodes
  int end = -1;
  double wall = 0;             // of a pipe whose inner surface was found: its thickness
  std::vector<int> triangles;  // of the input
  [[nodiscard]] double length() const;
  [[nodiscard]] double mean_radius() const;
};

struct TreeNode {
  Vec3 position = Vec3::Zero();
  int degree = 0;
  int piece = -1;  // the piece that an end is in, a connector
};

struct TubeTree {
  std::vector<TreeNode> nodes;
  std::vector<TreeBranch> branches;
  std::vector<std::vector<int>> pieces;  // triangles of the input that are no tubes: connectors, housings
  std::vector<std::string> notes;        // what was found that cannot be a branch: closed rings
  int crowded = 0;                       // edges of more than two triangles, where the surface was taken apart
};

TubeTree find_tubes(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles);

}  // namespace filum::flexible
