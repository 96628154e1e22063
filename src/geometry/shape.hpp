// A solid of any kind, at its place: what distances are asked of without knowing which it is.
#pragma once

#include "geometry/box_tree.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/mesh_surface.hpp"
#include "geometry/solid_distance.hpp"

#include <limits>
#include <memory>
#include <variant>

namespace filum::geometry {

struct HalfSpace {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  // unit, outwards
};
struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};
struct Capsule {
  Segment axis;
  double radius = 0;
};
struct Cylinder {
  Segment axis;
  double radius = 0;
};
struct Block {
  Vec3 size = Vec3::Zero();
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};
struct PlacedMesh {
  std::shared_ptr<const MeshSurface> surface;  // null: there is nothing
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};
using Shape = std::variant<HalfSpace, Ball, Capsule, Cylinder, Block, PlacedMesh>;

inline constexpr double kFarAway = std::numeric_limits<double>::infinity();

// Signed, with its derivatives. A mesh beyond `reach` may be said to be infinitely far away.
[[nodiscard]] Distance distance_from(const Shape& shape, const Vec3& x, double reach = kFarAway);

// The least along a segment, and where.
struct SegmentDistance {
  double value = kFarAway;
  double share = 0;
  Vec3 normal = Vec3::UnitZ();  // from the solid to the segment
};
[[nodiscard]] SegmentDistance distance_from(const Shape& shape, const Segment& segment, double reach = kFarAway);

// What it lies in; a half space fills everything.
[[nodiscard]] Box bounds_of(const Shape& shape);

}  // namespace filum::geometry
