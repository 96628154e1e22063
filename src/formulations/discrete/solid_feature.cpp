#include "formulations/discrete/solid_feature.hpp"

#include "formulations/discrete/foot_between.hpp"

#include <cmath>
#include <numbers>

namespace filum::discrete {
namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;
constexpr int kLooks = 16;        // round a ring, for its foot
constexpr double kAsNear = 1e-9;  // of a ring's radius: the foot that it has is as good as another

// A place on a ring and how it moves on, by the angle.
struct RingPlace {
  Vec3 x;
  Vec3 along;
  Vec3 inwards;
};

RingPlace ring_place(const SolidFeature& ring, double share) {
  const Vec3 across = ring.axis.cross(ring.side);
  const double c = std::cos(kFullTurn * share), s = std::sin(kFullTurn * share);
  const Vec3 out = ring.round * (c * ring.side + s * across);
  return {ring.core.from + out, ring.round * (c * across - s * ring.side), -out};
}

// The slope of the distance by the angle, and its second derivative.
FootSlope ring_slope(const geometry::Shape& shape, const SolidFeature& ring, double share) {
  const RingPlace here = ring_place(ring, share);
  const geometry::Distance distance = geometry::distance_from(shape, here.x);
  return {kFullTurn * distance.normal.dot(here.along),
          kFullTurn * kFullTurn * (here.along.dot(distance.hessian * here.along) + distance.normal.dot(here.inwards))};
}

// The foot about a share, if there is one within so much of it.
double foot_about(const geometry::Shape& shape, const SolidFeature& ring, double share, double within) {
  const auto slope = [&](double s) { return ring_slope(shape, ring, s); };
  const double low = share - within, high = share + within;
  if (slope(low).slope >= 0 || slope(high).slope <= 0) return share;
  const double found = foot_between(low, high, slope);
  return found - std::floor(found);
}

double ring_foot(const geometry::Shape& shape, const SolidFeature& ring, double hint) {
  const auto distance = [&](double share) { return geometry::distance_from(shape, ring_place(ring, share).x).value; };
  double best = 0, least = geometry::kFarAway;
  for (int k = 0; k < kLooks; ++k) {
    const double share = static_cast<double>(k) / kLooks;
    if (const double value = distance(share); value < least) least = value, best = share;
  }
  best = foot_about(shape, ring, best, 1.0 / kLooks);
  if (hint < 0) return best;
  const double kept = foot_about(shape, ring, hint, 1.0 / kLooks);
  return distance(kept) <= distance(best) + kAsNear * ring.round ? kept : best;
}

}  // namespace

Vec3 point_of(const SolidFeature& feature, double share) {
  return feature.kind == FeatureKind::Ring ? ring_place(feature, share).x : feature.core.at(share);
}

double nearest_share(const geometry::Shape& shape, const SolidFeature& feature, double hint) {
  if (feature.kind == FeatureKind::Ball) return 0;
  if (feature.kind == FeatureKind::Ring) return ring_foot(shape, feature, hint);
  return geometry::distance_from(shape, feature.core).share;
}

double core_distance(const geometry::Shape& shape, const SolidFeature& feature, double reach) {
  if (feature.kind != FeatureKind::Ring) return geometry::distance_from(shape, feature.core, reach).value;
  const double middle = geometry::distance_from(shape, feature.core.from, reach + feature.round).value;
  if (middle > reach + feature.round) return geometry::kFarAway;
  return geometry::distance_from(shape, point_of(feature, ring_foot(shape, feature, -1))).value;
}

bool is_tilted(const geometry::Shape& shape, const SolidFeature& ring, double share, double angle) {
  return ring_slope(shape, ring, share).bend > kFullTurn * kFullTurn * ring.round * angle;
}

bool lies_flat(const SolidFeature& ball, const Vec3& normal) {
  constexpr double kFlat = 1e-3;
  return ball.axis.isZero(0) || (normal - ball.axis.dot(normal) * ball.axis).norm() < kFlat;
}

}  // namespace filum::discrete
