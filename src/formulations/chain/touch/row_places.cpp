#include "formulations/chain/touch/row_places.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_foot.hpp"

#include <algorithm>

namespace filum::chain {

using geometry::MovingSegment;
using geometry::Segment;

namespace {

// Of the radius: as near as the nearest; where a face ends the normal is still its own.
constexpr double kFlat = 1e-7;
// Of the radius: a stretch that is longer is held at both ends.
constexpr double kWide = 2;

// The share between one that is as near as `most` and one that is not, about where that ends.
double end_of(const geometry::Shape& shape, const Segment& row, double near, double far, double most) {
  constexpr int kHalves = 40;
  for (int k = 0; k < kHalves; ++k) {
    const double middle = 0.5 * (near + far);
    (geometry::distance_from(shape, row.at(middle)).value <= most ? near : far) = middle;
  }
  return near;
}

double core_distance(const geometry::Shape& shape, const Segment& core, double reach) {
  if (core.from == core.to) return geometry::distance_from(shape, core.from, reach).value;
  return geometry::distance_from(shape, core, reach).value;
}

}  // namespace

RowPlaces places_on(const geometry::Shape& shape, const Segment& row, double radius) {
  const discrete::Foot foot = discrete::find_foot(shape, row, discrete::FootReach{});
  if (foot.beyond != 0) return {};
  const auto distance = [&](double share) { return geometry::distance_from(shape, row.at(share)).value; };
  const double most = distance(foot.share) + kFlat * radius;
  const bool from_start = distance(0) <= most;
  const bool to_end = distance(1) <= most;
  const double low = from_start ? 0 : end_of(shape, row, foot.share, 0, most);
  const double high = to_end ? 1 : end_of(shape, row, foot.share, 1, most);
  if ((high - low) * (row.to - row.from).norm() < kWide * radius) return {1, {foot.share, 0}};
  RowPlaces places;
  if (!from_start) places.share[at(places.count++)] = low;
  if (!to_end) places.share[at(places.count++)] = high;
  return places;
}

// By conservative advancement, as swept_distance.hpp.
std::optional<double> first_time(const geometry::Shape& shape, const MovingSegment& way, double near) {
  constexpr int kMostLooks = 200;
  const double pace = std::max((way.to.from - way.from.from).norm(), (way.to.to - way.from.to).norm());
  double time = 0;
  for (int k = 0; k < kMostLooks; ++k) {
    const double apart = core_distance(shape, way.at(time), near + pace) - near;
    if (apart <= 0.01 * near) return time;
    if (!(apart < pace * (1 - time))) return {};
    time += apart / pace;
  }
  return time;
}

geometry::Box box_of(const MovingSegment& way) {
  geometry::Box box;
  for (const Segment& each : {way.from, way.to}) box.add(each.from), box.add(each.to);
  return box;
}

bool goes_through(const geometry::Shape& shape, const geometry::Box& bounds, const MovingSegment& way, double radius) {
  constexpr double kOpposed = -0.2;  // cosine
  if (bounds.square_distance(box_of(way)) > radius * radius) return false;
  if (std::max((way.to.from - way.from.from).norm(), (way.to.to - way.from.to).norm()) < radius) return false;
  if (!first_time(shape, way, 0.5 * radius)) return false;
  return geometry::distance_from(shape, way.from).normal.dot(geometry::distance_from(shape, way.to).normal) < kOpposed;
}

}  // namespace filum::chain
