// The line through the middle of one tube, with its radii and how far both may be off.
#pragma once

#include "flexible/traced_tube.hpp"

#include <vector>

namespace filum::flexible {

// How far the way in which a flat tube is wide has turned about its line from where it begins, rad; along it, as a share
// of its length.
struct Turn {
  double share = 0;
  double angle = 0;
};
// In between, and beyond the ends as there; they ascend from 0 to 1. None: not at all.
double turn_at(const std::vector<Turn>& turns, double share);
// Those of a part of the line, from where it begins.
std::vector<Turn> turns_between(const std::vector<Turn>& turns, double from, double to);

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
  std::vector<Turn> turns;          // how that turns about it on its way
  [[nodiscard]] double length() const;
};

}  // namespace filum::flexible
