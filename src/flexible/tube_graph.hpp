// What a mesh of tubes is: branches from node to node, and pieces that are no tubes.
#pragma once

#include "flexible/tube_refine.hpp"

#include <limits>
#include <string>
#include <vector>

namespace filum::flexible {

struct TreeBranch {
  std::vector<Vec3> centre;  // from node to node
  std::vector<double> radius;
  int start = -1;  // nodes
  int end = -1;
  // How far centre line and radius may be off at most, shares of the radius, farther than 2.5 radii from its ends, or all
  // along where it is shorter (line_bound.hpp); infinite: not known.
  double centre_bound = std::numeric_limits<double>::infinity();
  double radius_bound = std::numeric_limits<double>::infinity();
  double wall = 0;  // of a pipe whose inner surface was found: its thickness
  TubeKind kind = TubeKind::Round;
  Vec2 half = Vec2::Zero();    // of a flat tube: half of its width and of its height
  double fill = 0;             // its area as a share of the box about it
  Vec3 wide = Vec3::Zero();    // the way in which it is wide where it begins, unit
  std::vector<Turn> turns;     // how that turns about it on its way
  std::vector<int> triangles;  // of the input
  [[nodiscard]] double length() const;
  [[nodiscard]] double mean_radius() const;
  // Of a flat tube: the way in which it is wide at an arc length; else zero.
  [[nodiscard]] Vec3 wide_at(double s) const;
};
// The same from end to start.
void turn_round(TreeBranch& branch);

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
  bool doubled = false;                  // some of those are the same triangle twice
};

}  // namespace filum::flexible
