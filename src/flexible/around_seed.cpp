#include "flexible/around_seed.hpp"

#include "base/index.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace filum::flexible {
namespace {

Plane plane_of(const Surface& surface, int seed, int k) {
  const Vec3& normal = surface.normal[at(seed)];
  const Vec3 aside = std::abs(normal.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 u = (aside - aside.dot(normal) * normal).normalized();
  const double angle = std::numbers::pi * k / AroundSeed::kPlanes;
  return {surface.centroid(seed), std::cos(angle) * u + std::sin(angle) * normal.cross(u)};
}

}  // namespace

Cut AroundSeed::shortest(int seed, Lengths& open) {
  // planes along a tube cut out polygons without end: first little farther than round the last one found
  constexpr double kFarther = 1.3;
  constexpr double kAnyLength = std::numeric_limits<double>::max();
  if (plane_[at(seed)] >= 0) return cut(surface_, plane_of(surface_, seed, plane_[at(seed)]), seed, kAnyLength);
  Cut best;
  if (usual_ > 0) best = shortest_of(seed, kFarther * usual_, open);
  if (best.corner.empty()) best = shortest_of(seed, kAnyLength, open);
  usual_ = best.length;
  return best;
}

Cut AroundSeed::shortest_across(int seed, double length) const {
  // of the shortest tube, 1.5 radii, that is so much: 2π : 3
  constexpr double kLonger = 2.2;
  constexpr int kFar = 2;  // planes to both sides of the shortest one's that are left out: 45°
  Cut best;
  double longest = kLonger * length;
  for (int k = kFar + 1; k < kPlanes - kFar; ++k) {
    Cut polygon = cut(surface_, plane_of(surface_, seed, (plane_[at(seed)] + k) % kPlanes), seed, longest);
    if (!polygon.closed || polygon.length >= longest) continue;
    best = std::move(polygon);
    longest = best.length;
  }
  return best;
}

Cut AroundSeed::shortest_of(int seed, double longest, Lengths& open) {
  Cut best;
  for (int k = 0; k < kPlanes; ++k) {
    Cut polygon = cut(surface_, plane_of(surface_, seed, k), seed, longest);
    open[at(k)] = polygon.length;
    if (!polygon.closed || polygon.length >= longest) continue;
    best = std::move(polygon);
    longest = 1.05 * best.length;
    plane_[at(seed)] = static_cast<signed char>(k);
  }
  return best;
}

}  // namespace filum::flexible
