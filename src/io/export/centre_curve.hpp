// The centre line of a rod as one B-spline, for CAD.
//
// Cubic pieces that meet positions and directions of the rod at their ends (C1): between them every node of the rod is
// within the tolerance, and a piece is as long, to kLengthTolerance, as cubics from node to node are. There are as few
// pieces as that takes, found from the start on.
#pragma once

#include "geometry/bspline.hpp"

#include <filum/pose.hpp>

namespace filum::io {

// How far nodes may be from the curve, m; CAD programs compare lengths with 0.01 mm.
inline constexpr double kCurveTolerance = 1e-5;

// Of a piece's length, share of it: lengths in CAD are those of the report.
inline constexpr double kLengthTolerance = 5e-7;

// Parameter: the unstretched arc length. `smooth` false: straight from node to node, for massless ropes.
geometry::BSpline centre_curve(const RodPose& rod, bool smooth = true, double tolerance = kCurveTolerance);

}  // namespace filum::io
