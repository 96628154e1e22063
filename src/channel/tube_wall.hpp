// The wall of a tube across its centreline: a circle whose radius may change along it, or a convex polygon.
#pragma once

#include "channel/space_linkage.hpp"
#include "channel/width_profile.hpp"

#include <vector>

namespace filum::channel {

using SpaceRow = RowIn<Vec3>;

class TubeWall {
 public:
  // Radii [s, r], or, if there are any, corners (u, v) counter-clockwise; everything is multiplied by `scale`.
  TubeWall(const std::vector<Vec2>& radius, const std::vector<Vec2>& corners, double scale);

  // Rows of one node.
  [[nodiscard]] int rows() const { return edges_.empty() ? 1 : static_cast<int>(edges_.size()); }
  // c >= 0 inside, with derivatives, rubbing against the way along the tube with this coefficient, signed.
  [[nodiscard]] SpaceRow row(const SpacePlace& place, int which, double rubs) const;
  // The wall in this direction of the section's plane.
  [[nodiscard]] Vec2 boundary(double s, double angle) const;
  [[nodiscard]] double widest() const;

 private:
  // n·(u, v) <= distance
  struct Edge {
    Vec2 normal = Vec2::Zero();
    double distance = 0;
  };
  WidthProfile radius_;
  std::vector<Edge> edges_;
};

}  // namespace filum::channel
