// Where a straight row of balls (formulations/discrete/solid_feature.hpp), or a single one, touches a solid, and when on its way.
//
// Between its ends a row touches where it is nearest: at one place over something round or sharp, at both ends of the stretch
// over a face. Its own ends are balls, which hold what they touch themselves.
#pragma once

#include "geometry/shape.hpp"
#include "geometry/swept_distance.hpp"

#include <array>
#include <optional>

namespace filum::chain {

// None, one or two, as shares of the row.
struct RowPlaces {
  int count = 0;
  std::array<double, 2> share{};
};
[[nodiscard]] RowPlaces places_on(const geometry::Shape& shape, const geometry::Segment& row, double radius);

// The first time on its way, 0 to 1, at which its middle line is as near as that; none if it never is.
[[nodiscard]] std::optional<double> first_time(const geometry::Shape& shape, const geometry::MovingSegment& way,
                                               double near);

// Whether it comes from one side of a solid to another: the normals at both ends of the way are opposed.
[[nodiscard]] bool goes_through(const geometry::Shape& shape, const geometry::Box& bounds,
                                const geometry::MovingSegment& way, double radius);

// What a way lies in.
[[nodiscard]] geometry::Box box_of(const geometry::MovingSegment& way);

}  // namespace filum::chain
