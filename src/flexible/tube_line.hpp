// The line through the middle of one tube, with its radii and how far both may be off.
#pragma once

#include "flexible/traced_tube.hpp"

#include <vector>

namespace filum::flexible {

struct CentreLine {
  std::vector<Vec3> centre;
  std::vector<double> radius;
  // How far both may be off at most, shares of the radius (line_bound.hpp); infinite: not known.
  std::vector<double> centre_bound;
  std::vector<double> radius_bound;
  Vec3 start_tangent = Vec3::UnitZ();  // unit, both from start to end
  Vec3 end_tangent = Vec3::UnitZ();
  TubeKind kind = TubeKind::Round;  // of a corrugated tube the radius is that of its crests
  Vec2 half = Vec2::Zero();         // of a flat one: half of its width and of its height
  double fill = 0;                  // its area as a share of the box about it
  Vec3 start_wide = Vec3::Zero();   // the way in which it is wide, unit
  double turned = 0;                // by how much that turns about it from start to end, rad
  [[nodiscard]] double length() const;
};

}  // namespace filum::flexible
