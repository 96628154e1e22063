// Closest points of points, segments and triangles.
//
// All of them are convex problems of at most two parameters: the answer is the free minimum if it lies within the
// bounds, else the best of the edges, and every candidate is measured by its own distance, so that nearly parallel or
// degenerate input loses digits of the place but not of the distance. Where segments run parallel beside each other
// every pair of opposite points is as near; the middle of the common stretch is taken.
// [Ericson2005, section 5.1] has the cases of the triangle.
#pragma once

#include <filum/types.hpp>

namespace filum::geometry {

struct Segment {
  Vec3 from = Vec3::Zero();
  Vec3 to = Vec3::Zero();

  [[nodiscard]] Vec3 at(double share) const { return from + share * (to - from); }
};

struct Triangle {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();
  Vec3 c = Vec3::Zero();

  // The point with these weights of the corners.
  [[nodiscard]] Vec3 at(const Vec3& weights) const { return weights.x() * a + weights.y() * b + weights.z() * c; }
};

// Where along the segment, in [0, 1].
[[nodiscard]] double closest_on(const Segment& segment, const Vec3& point);

// The weights of the corners, exactly zero for those that do not count: an edge or a corner is nearest then.
[[nodiscard]] Vec3 closest_on(const Triangle& triangle, const Vec3& point);

struct SegmentPair {
  double first = 0;   // where along each, in [0, 1]
  double second = 0;  // likewise
  double distance = 0;
};
[[nodiscard]] SegmentPair closest_between(const Segment& first, const Segment& second);

struct SegmentTriangle {
  double share = 0;             // where along the segment
  Vec3 weights = Vec3::Zero();  // of the triangle's corners
  double distance = 0;          // zero: it goes through
};
[[nodiscard]] SegmentTriangle closest_between(const Segment& segment, const Triangle& triangle);

}  // namespace filum::geometry
