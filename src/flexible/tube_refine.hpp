// Centre lines made exact: sections of a tessellated tube lie on chords, its vertices on the true surface.
//
// Vertices where the surface turns round the tube are sorted along it; those that lie together form rings. The plane of
// a ring gives the direction, the circle through it centre and radius, both exact on swept tubes. Between rings the
// centre line is a cubic with the rings' directions whose ends are as fast as a circular arc, so that bends are met,
// too. Of flat tubes the centre is that of the ring's area. A direction that leans to the chord by less than the noise of its ring counts as straight. Where vertices form no
// rings, on surfaces that were meshed anew, circles are fitted to all of them near each section.
#pragma once

#include "flexible/tube_trace.hpp"

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

CentreLine refine(const Surface& surface, const TracedTube& tube, const std::vector<int>& triangles);

}  // namespace filum::flexible
