#include "flexible/line_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::flexible {
namespace {

// By how much the least spread that an error makes is smaller than twice the error.
double seen_share(double gap) {
  return gap < std::numbers::pi ? std::cos(gap / 2) : 0;
}

double over(double length, double share) {
  return share > 0 ? length / share : std::numeric_limits<double>::infinity();
}

// Of a convex polygon, anticlockwise; zero inside.
double outside(const std::vector<Vec2>& corners, const Vec2& p) {
  const auto edge = [&](std::size_t i) { return Vec2(corners[i + 1 < corners.size() ? i + 1 : 0] - corners[i]); };
  bool out = false;
  for (std::size_t i = 0; i < corners.size() && !out; ++i) out = cross(edge(i), p - corners[i]) < 0;
  if (!out) return 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 off = p - corners[i];
    const double along = std::clamp(off.dot(edge(i)) / edge(i).squaredNorm(), 0.0, 1.0);
    nearest = std::min(nearest, (off - along * edge(i)).squaredNorm());
  }
  return std::sqrt(nearest);
}

// The largest angle between the directions at two corners that follow each other.
double direction_gap(const std::vector<Vec2>& corners) {
  constexpr double kSharp = 1;  // rad: a corner of the section itself
  const std::size_t count = corners.size();
  std::vector<double> turn;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 in = corners[i] - corners[(i + count - 1) % count];
    const Vec2 out = corners[(i + 1) % count] - corners[i];
    const double turned = std::abs(std::atan2(cross(in, out), in.dot(out)));
    turn.push_back(turned > kSharp ? 0 : turned);
  }
  double widest = 0;
  for (std::size_t i = 0; i < count; ++i) widest = std::max(widest, turn[i] + turn[(i + 1) % count]);
  return widest;
}

}  // namespace

CircleRest rest_of(const std::vector<Vec3>& points, const std::vector<double>& weights, const Circle& circle,
                   const Vec3& normal) {
  const double most = *std::max_element(weights.begin(), weights.end());
  double low = std::numeric_limits<double>::max();
  double high = -low;
  double below = low;
  double above = -low;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // those that the circle's gap is told by
    if (!(weights[i] > 0.1 * most)) continue;
    const Vec3 off = points[i] - circle.centre;
    const double along = off.dot(normal);
    const double out = (off - along * normal).norm() - circle.radius;
    low = std::min(low, out);
    high = std::max(high, out);
    below = std::min(below, along);
    above = std::max(above, along);
  }
  return {high - low, std::max(high, -low), above - below, std::max(above, -below), circle.gap};
}

CircleRest rest_of(const std::vector<Vec3>& points, const Profile& profile, const Vec3& normal) {
  const Vec3 high = normal.cross(profile.wide);
  CircleRest rest;
  double below = std::numeric_limits<double>::max();
  double above = -below;
  std::vector<Vec2> corners;
  for (const Vec3& p : points) {
    const Vec3 off = p - profile.centre;
    corners.emplace_back(off.dot(profile.wide), off.dot(high));
    below = std::min(below, off.dot(normal));
    above = std::max(above, off.dot(normal));
  }
  sort_round(corners);
  for (const Vec2& corner : corners) rest.worst = std::max(rest.worst, outside(corners, -corner));
  rest.range = rest.worst;
  rest.plane_range = above - below;
  rest.plane_worst = std::max(above, -below);
  rest.gap = direction_gap(corners);
  return rest;
}

double centre_bound(const CircleRest& rest, double eta) {
  return over(rest.range / 2 + eta, seen_share(rest.gap));
}

double radius_bound(const CircleRest& rest, double eta) {
  return rest.worst + eta + centre_bound(rest, eta);
}

double lean_bound(const CircleRest& rest, double eta, double radius) {
  return over(rest.plane_range / 2 + eta, radius * seen_share(rest.gap));
}

}  // namespace filum::flexible
