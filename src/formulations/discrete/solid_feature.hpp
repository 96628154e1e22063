// What of a solid touches other solids: balls, rows of balls and rings of them (body_contact.hpp).
//
// A row is the straight line of balls between two points, a ring the circle of balls about an axis, the rim of a cylinder.
// Both touch at their foot, where they are nearest to the other solid. With x(s) the middle of the ball at share s, d the
// distance from the other solid, n and H its derivatives, the foot obeys n·x′ = 0, and x′ᵀ H x′ + n·x″ is positive there.
#pragma once

#include "geometry/shape.hpp"

#include <filum/types.hpp>

#include <vector>

namespace filum::discrete {

enum class FeatureKind { Ball, Row, Ring };

struct SolidFeature {
  FeatureKind kind = FeatureKind::Ball;
  geometry::Segment core;     // a ball: both ends are one point; a ring: both are its middle
  double radius = 0;          // of the balls
  double round = 0;           // of a ring: its own radius
  Vec3 axis = Vec3::Zero();   // of a ring, unit; of a ball on one: it holds only a face that lies flat, square to this
  Vec3 side = Vec3::UnitX();  // of a ring: from its middle to where its share is nil, unit
};

// The middle of the ball at a share, 0 to 1; a ring closes.
[[nodiscard]] Vec3 point_of(const SolidFeature& feature, double share);

// Features of a solid, as it sees them itself. None of what others see by its distance alone.
[[nodiscard]] std::vector<SolidFeature> features_of(const geometry::Shape& shape);

// The share at which it is nearest to a solid; `hint`: of a ring, where to look first, or below 0.
[[nodiscard]] double nearest_share(const geometry::Shape& shape, const SolidFeature& feature, double hint = -1);
// The distance of its core there. One beyond `reach` may be said to be further than it is.
[[nodiscard]] double core_distance(const geometry::Shape& shape, const SolidFeature& feature,
                                   double reach = geometry::kFarAway);

// Whether a ring at its foot is tilted against the other solid, so that no other place is as near, by more than this angle.
[[nodiscard]] bool is_tilted(const geometry::Shape& shape, const SolidFeature& ring, double share, double angle);
// Whether the face that a ball on a rim bounds lies flat on the other solid.
[[nodiscard]] bool lies_flat(const SolidFeature& ball, const Vec3& normal);

}  // namespace filum::discrete
