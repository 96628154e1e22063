#include "geometry/closest_points.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace filum::geometry {

double closest_on(const Segment& segment, const Vec3& point) {
  const Vec3 along = segment.to - segment.from;
  const double square = along.squaredNorm();
  if (!(square > 0)) return 0;
  return std::clamp(along.dot(point - segment.from) / square, 0.0, 1.0);
}

namespace {

// Keeps the better of two pairs.
void offer(SegmentPair& best, const Segment& first, const Segment& second, double s, double t) {
  const double distance = (first.at(s) - second.at(t)).norm();
  if (distance < best.distance) best = {s, t, distance};
}

// Opposite each other: the middle of what lies side by side, if anything does.
void offer_parallel(SegmentPair& best, const Segment& first, const Segment& second) {
  const Vec3 along = first.to - first.from;
  const double square = along.squaredNorm();
  if (!(square > 0)) return;
  const double one = along.dot(second.from - first.from) / square;
  const double other = along.dot(second.to - first.from) / square;
  const double low = std::max(0.0, std::min(one, other));
  const double high = std::min(1.0, std::max(one, other));
  if (low > high) return;
  const double s = 0.5 * (low + high);
  const double t = closest_on(second, first.at(s));
  // as near as the ends but for round-off: then the middle is the better answer
  const double distance = (first.at(s) - second.at(t)).norm();
  if (distance <= best.distance * (1 + 1e-12)) best = {s, t, distance};
}

}  // namespace

SegmentPair closest_between(const Segment& first, const Segment& second) {
  SegmentPair best{0, closest_on(second, first.from), 0};
  best.distance = (first.from - second.at(best.second)).norm();
  // each end against the other segment
  offer(best, first, second, 1, closest_on(second, first.to));
  offer(best, first, second, closest_on(first, second.from), 0);
  offer(best, first, second, closest_on(first, second.to), 1);
  // inside of both: ∂/∂s = ∂/∂t = 0
  const Vec3 d1 = first.to - first.from;
  const Vec3 d2 = second.to - second.from;
  const Vec3 r = first.from - second.from;
  const double a = d1.squaredNorm();
  const double b = d1.dot(d2);
  const double c = d2.squaredNorm();
  const double determinant = a * c - b * b;
  constexpr double kParallel = 1e-14;  // square of the sine of the angle between them
  if (determinant <= kParallel * a * c) {
    offer_parallel(best, first, second);
    return best;
  }
  const double s = (b * d2.dot(r) - c * d1.dot(r)) / determinant;
  const double t = (a * d2.dot(r) - b * d1.dot(r)) / determinant;
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) offer(best, first, second, s, t);
  return best;
}

namespace {

// Of a triangle without area: the nearest of its edges.
Vec3 closest_on_edges(const Triangle& triangle, const Vec3& point) {
  const std::array<const Vec3*, 3> corners{&triangle.a, &triangle.b, &triangle.c};
  Vec3 best = Vec3::UnitX();
  double least = (point - triangle.a).norm();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Segment edge{*corners[at(k)], *corners[at(next)]};
    const double share = closest_on(edge, point);
    const double distance = (point - edge.at(share)).norm();
    if (distance >= least) continue;
    least = distance;
    best.setZero();
    best[k] = 1 - share;
    best[next] = share;
  }
  return best;
}

}  // namespace

// [Ericson2005, section 5.1.5]: by the Voronoi regions of corners, edges and face.
Vec3 closest_on(const Triangle& triangle, const Vec3& point) {
  const Vec3 ab = triangle.b - triangle.a;
  const Vec3 ac = triangle.c - triangle.a;
  // without an area there is no face, and edges may be points
  constexpr double kFlat = 1e-24;  // square of the sine of an angle
  if (!(ab.cross(ac).squaredNorm() > kFlat * ab.squaredNorm() * ac.squaredNorm()))
    return closest_on_edges(triangle, point);
  const Vec3 ap = point - triangle.a;
  const double d1 = ab.dot(ap);
  const double d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3 bp = point - triangle.b;
  const double d3 = ab.dot(bp);
  const double d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const Vec3 cp = point - triangle.c;
  const double d5 = ab.dot(cp);
  const double d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  // edges
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double v = d1 / (d1 - d3);
    return {1 - v, v, 0};
  }
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double w = d2 / (d2 - d6);
    return {1 - w, 0, w};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - w, w};
  }
  const double sum = va + vb + vc;
  return {va / sum, vb / sum, vc / sum};
}

SegmentTriangle closest_between(const Segment& segment, const Triangle& triangle) {
  SegmentTriangle best;
  best.distance = -1;
  const auto offer = [&](double share, const Vec3& weights) {
    const double distance = (segment.at(share) - triangle.at(weights)).norm();
    if (best.distance < 0 || distance < best.distance) best = {share, weights, distance};
  };
  // through the face
  const Vec3 normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a);
  const double above = normal.dot(segment.from - triangle.a);
  const double below = normal.dot(segment.to - triangle.a);
  if (above * below < 0) {
    const double share = above / (above - below);
    const Vec3 weights = closest_on(triangle, segment.at(share));
    if (weights.minCoeff() > 0) return {share, weights, 0};
  }
  // the ends against the face, the whole against the edges
  offer(0, closest_on(triangle, segment.from));
  offer(1, closest_on(triangle, segment.to));
  const std::array<const Vec3*, 3> corners{&triangle.a, &triangle.b, &triangle.c};
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const SegmentPair pair = closest_between(segment, Segment{*corners[at(k)], *corners[at(next)]});
    Vec3 weights = Vec3::Zero();
    weights[k] = 1 - pair.second;
    weights[next] = pair.second;
    offer(pair.first, weights);
  }
  return best;
}

}  // namespace filum::geometry
