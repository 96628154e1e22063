// Plane sections of a surface, and the circle through their corners.
//
// A polygon that approximates a circle touches it at its corners alone. Corners are weighted by how much the polygon
// turns there, so that those which a subdivision has put into flat faces do not count, and a hexagon gives its true
// radius instead of the 0.87 to 0.95 of it that equal weights do.
#pragma once

#include "flexible/surface.hpp"

#include <vector>

namespace filum::flexible {

inline double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

// Corners of the convex hull of at least one point, anticlockwise.
std::vector<Vec2> convex_hull(std::vector<Vec2> points);

// By their angles about the origin.
void sort_round(std::vector<Vec2>& points);

struct Plane {
  Vec3 origin = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  // unit
};

// The polygon that the plane cuts out of the surface through one triangle.
struct Cut {
  std::vector<Vec3> corner;
  std::vector<int> triangle;  // triangle i lies between corners i and i + 1
  bool closed = false;
  double length = 0;
};
// Stopped when it is longer than `longest`: then it has no corners.
Cut cut(const Surface& surface, const Plane& plane, int triangle, double longest);
bool crosses(const Surface& surface, const Plane& plane, int triangle);

struct Circle {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
  double rms = 1;   // of the corners from it, share of the radius
  double area = 0;  // of the polygon
  double gap = 7;   // the largest angle without a corner, rad
  bool found = false;
};
Circle fit_circle(const Cut& polygon, const Vec3& normal);
// Of points in or near a plane, each with its weight.
Circle fit_circle(const std::vector<Vec3>& points, const std::vector<double>& weights, const Vec3& normal);

// A first, cheap question to a section of a tube: is it closed, with not much less area than a circle of its length has?
bool is_compact(const Cut& polygon);
// Then: is it one of a round tube?
bool is_round(const Cut& polygon, const Circle& circle);

// What is not round but as plain: ovals, ribbons, flat hoses.
struct Profile {
  Vec3 centre = Vec3::Zero();  // of its area
  Vec3 wide = Vec3::UnitX();   // unit, across the tube: the way in which it is wider
  Vec2 half = Vec2::Zero();    // half of its width that way and of its height, from its outermost corners
  double fill = 0;             // its area as a share of the box about it: π/4 of an ellipse, 1 of a rectangle
};
// Of closed polygons; of others half widths of zero.
Profile fit_profile(const Cut& polygon, const Vec3& normal);
// Of the corners of a ring, in any order.
Profile fit_profile(const std::vector<Vec3>& points, const Vec3& normal);
// Turned over if its wide way is not the one nearer to this; of one that is nearly as high as wide, which chance tells from
// each other, the two ways are exchanged likewise. `normal`: of its plane.
void align(Profile& profile, const Vec3& wide, const Vec3& normal);
// Convex, but for what the folds of twisted faces take from it; the corners in any order.
bool is_convex(const Profile& profile, const std::vector<Vec3>& corners, const Vec3& normal);
// Is it the section of a flat tube, or of a bar?
bool is_flat(const Profile& profile, const Cut& polygon, const Vec3& normal);
// A sharp-edged one hardly wider than high, as every box is.
bool is_bar(const Vec2& half, double fill);
// May it be one that a plane has cut which leans?
bool is_nearly_flat(const Profile& profile);

// The direction square to most normals of the triangles cut: along a tube. Zero where none stands out.
Vec3 axis_of(const Surface& surface, const Cut& polygon);

}  // namespace filum::flexible
