// How far a point is from a solid: plane, sphere, box, capsule, cylinder.
//
// Signed: negative inside. The normal is the gradient, the Hessian that of the distance, which is what turns the normal
// of a contact as its point moves. All these solids are convex, and so is the distance from them, inside as well: along
// a segment it has one minimum. Outside it is differentiable everywhere, and twice so but where the nearest feature
// changes (face, edge, corner); inside there are kinks where two faces are equally far.
#pragma once

#include "geometry/closest_points.hpp"

#include <filum/types.hpp>

namespace filum::geometry {

struct Distance {
  double value = 0;             // m
  Vec3 normal = Vec3::Zero();   // unit, away from the solid
  Mat3 hessian = Mat3::Zero();  // 1/m
};

// All that is on the side of the normal, which is a unit vector, is outside.
[[nodiscard]] Distance from_plane(const Vec3& x, const Vec3& point, const Vec3& normal);
[[nodiscard]] Distance from_sphere(const Vec3& x, const Vec3& centre, double radius);
[[nodiscard]] Distance from_capsule(const Vec3& x, const Segment& axis, double radius);
// With flat ends.
[[nodiscard]] Distance from_cylinder(const Vec3& x, const Segment& axis, double radius);
// About the origin, along the axes; full edge lengths.
[[nodiscard]] Distance from_box(const Vec3& x, const Vec3& size);

}  // namespace filum::geometry
