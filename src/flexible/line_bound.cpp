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
