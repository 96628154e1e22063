// A curve in space as tube benders make it: straight pieces with an arc at each corner between them.
//
// A path is a polygon whose corners are rounded: corner k by an arc of radius r that touches the two edges there. To fit
// one, tangents are taken at some places of the curve; two that follow each other meet, or nearly so, in a corner. Which
// places is found by dynamic programming: as few bends as keep every span within the tolerance, and of those the nearest.
// Then the whole path is measured against the curve, and if joining the spans has cost too much the spans have to be
// nearer.
#pragma once

#include <filum/types.hpp>

#include <span>
#include <vector>

namespace filum::geometry {

struct Bend {
  Vec3 corner = Vec3::Zero();  // where the straight pieces before and behind it would meet
  double radius = 0;           // of the centre line
  double angle = 0;            // by which it turns, rad
  double rotation = 0;         // of its plane from that of the bend before, about the straight piece between, rad
  double straight = 0;         // length of the straight piece before it
  [[nodiscard]] double arc() const { return radius * angle; }
};

struct BendPath {
  Vec3 start = Vec3::Zero();
  Vec3 end = Vec3::Zero();
  std::vector<Bend> bends;
  double last_straight = 0;  // behind the last bend
  double off = 0;            // how far the curve's points are from it, at most
  [[nodiscard]] double length() const;
};

// A place of the curve with its unit tangent.
struct CurvePoint {
  Vec3 position = Vec3::Zero();
  Vec3 tangent = Vec3::UnitZ();
};

// Of points from end to end, dense enough that what is between them is near their chords. Where even a bend between every
// two points is not near enough, the best that was found comes back: `off` tells.
BendPath fit_bends(std::span<const CurvePoint> curve, double tolerance);

// Straight pieces and arcs in turn, from start to end; an arc's centre is its own.
struct PathPiece {
  Vec3 from = Vec3::Zero();
  Vec3 to = Vec3::Zero();
  Vec3 centre = Vec3::Zero();  // of an arc
  Vec3 axis = Vec3::Zero();    // about which it turns, unit; zero: straight
  double radius = 0;
  double angle = 0;
};
std::vector<PathPiece> pieces_of(const BendPath& path);

}  // namespace filum::geometry
