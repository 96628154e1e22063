#include "flexible/beside_tube.hpp"

#include "base/index.hpp"

#include <cmath>
#include <numbers>

namespace filum::flexible {
namespace {

constexpr double kInner = 0.6;  // radii
constexpr double kOuter = 1.25;
constexpr double kCorrugation = 1.45;  // quotient of the radii of crests and valleys, at most

std::size_t descend(const TracedTube& tube, const Vec3& p, std::size_t guess) {
  const std::size_t count = tube.stations.size();
  const auto distance = [&](std::size_t k) { return (tube.stations[k].centre - p).squaredNorm(); };
  std::size_t best = guess;
  while (true) {
    std::size_t better = best;
    for (const long step : {-8L, -1L, 1L, 8L}) {
      const long k = static_cast<long>(best) + step;
      if (k < 0 || k >= static_cast<long>(count)) continue;
      if (distance(static_cast<std::size_t>(k)) < distance(better)) better = static_cast<std::size_t>(k);
    }
    if (better == best) return best;
    best = better;
  }
}

// The way in which a flat tube is wide so far along from a station: turned on towards the next one, since what is far out
// on a thin one is soon as far from it as it is high.
Vec3 wide_beside(const TracedTube& tube, std::size_t station, double along) {
  const Station& here = tube.stations[station];
  if (along < 0 ? station == 0 : station + 1 == tube.stations.size()) return here.wide;
  const Station& next = tube.stations[along < 0 ? station - 1 : station + 1];
  const double share = std::min(std::abs(along) / (next.centre - here.centre).norm(), 1.0);
  return ((1 - share) * here.wide + share * next.wide).normalized();
}

}  // namespace

std::optional<std::size_t> station_beside(const Surface& surface, const TracedTube& tube, int triangle,
                                          std::size_t guess) {
  std::size_t nearest = guess;
  for (const int corner : surface.triangle[at(triangle)]) {
    const Vec3& p = surface.point[at(corner)];
    nearest = descend(tube, p, nearest);
    const Station& station = tube.stations[nearest];
    const Vec3 off = p - station.centre;
    const double along = off.dot(station.tangent);
    const Vec3 across = off - along * station.tangent;
    double out = across.norm() / station.radius;
    double more = tube.kind == TubeKind::Corrugated ? kCorrugation : 1;
    if (tube.kind == TubeKind::Flat) {
      // on a rectangle about it corners are at 1.41
      const Vec3 wide = wide_beside(tube, nearest, along);
      const double u = across.dot(wide) / station.half.x();
      const double v = across.dot(station.tangent.cross(wide)) / station.half.y();
      out = std::hypot(u, v);
      more = std::numbers::sqrt2;
    }
    if (out < kInner / more || out > kOuter * more) return std::nullopt;
    const double slack = 0.1 * station.radius;
    if (!tube.ring && nearest == 0 && along < -slack) return std::nullopt;
    if (!tube.ring && nearest + 1 == tube.stations.size() && along > slack) return std::nullopt;
  }
  return is_end_face(surface, tube, triangle, nearest) ? std::nullopt : std::optional(nearest);
}

// Not beside the last section alone, which leans to the face in a bend.
bool is_end_face(const Surface& surface, const TracedTube& tube, int triangle, std::size_t nearest) {
  constexpr double kSquare = 0.8;  // cosine
  if (tube.ring || tube.kind == TubeKind::Corrugated) return false;
  const Station& here = tube.stations[nearest];
  const auto near = [&](const Station& end) { return (end.centre - here.centre).norm() < here.radius; };
  if (!near(tube.stations.front()) && !near(tube.stations.back())) return false;
  return std::abs(surface.normal[at(triangle)].dot(here.tangent)) > kSquare;
}

}  // namespace filum::flexible
