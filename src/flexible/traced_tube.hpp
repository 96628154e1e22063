// A tube as it was followed through a mesh: its sections one after the other.
#pragma once

#include "flexible/section_cut.hpp"

#include <vector>

namespace filum::flexible {

struct Station {
  Vec3 centre = Vec3::Zero();
  Vec3 tangent = Vec3::UnitZ();  // unit, from the tube's start to its end
  double radius = 0;
  double rms = 0;              // share of the radius
  Vec2 half = Vec2::Zero();    // of a flat tube: half of its width and of its height; the radius is that of equal area
  Vec3 wide = Vec3::Zero();    // the way in which it is wide, unit
  double fill = 0;             // its area as a share of the box about it
  std::vector<int> triangles;  // that the section cuts
};

enum class TubeKind { Round, Corrugated, Flat };

struct TracedTube {
  TubeKind kind = TubeKind::Round;
  std::vector<Station> stations;
  bool ring = false;                    // closed in itself
  [[nodiscard]] double radius() const;  // the median
  [[nodiscard]] double length() const;  // from station to station
};

// Of a tube that is closed in itself: whether a step leads through the section that it began at, in the same direction.
// Not how near to its centre, since steps may be short where the radius changes.
constexpr double kShortestRing = 4;  // radii that it has gone by then
bool comes_back(const Station& seed, const Vec3& tangent, const Vec3& from, const Station& to);

}  // namespace filum::flexible
