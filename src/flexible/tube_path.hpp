// Part of a tree of tubes: the way between two picked points, and the mesh cut at its ends.
//
// A triangle that the way's end planes cross is clipped, so that what becomes flexible and what stays a mesh have
// together the area of the whole: nothing is lost, nothing is there twice.
#pragma once

#include "flexible/tube_tree.hpp"

#include <optional>
#include <span>
#include <vector>

namespace filum::flexible {

// A place in a tree.
struct TubePick {
  int branch = -1;
  double s = 0;
};
// The tube whose surface is nearest to a point, which may be on it or on its axis; none within two radii: nothing.
std::optional<TubePick> pick(const TubeTree& tree, const Vec3& point);

// Part of a branch, along it: from < to.
struct PathPiece {
  int branch = -1;
  double from = 0;
  double to = 0;
  friend bool operator==(const PathPiece&, const PathPiece&) = default;
};
// The shortest way from pick to pick, in order; nothing: they are not connected.
std::optional<std::vector<PathPiece>> path_between(const TubeTree& tree, const TubePick& a, const TubePick& b);

// The part of a branch that a piece is.
TreeBranch part_of(const TreeBranch& branch, double from, double to);

struct CutMesh {
  std::vector<Vec3> points;  // those of the input, then those where triangles were clipped
  std::vector<std::array<int, 3>> flexible;
  std::vector<std::array<int, 3>> rest;
};
CutMesh cut_out(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles, const TubeTree& tree,
                std::span<const PathPiece> path);

}  // namespace filum::flexible
