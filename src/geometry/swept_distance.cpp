#include "geometry/swept_distance.hpp"

#include <algorithm>
#include <cmath>

namespace filum::geometry {

// By conservative advancement: the distance cannot fall faster than the fastest pair of ends moves, so that much time
// may pass unseen.
SweptMeeting first_meeting(const MovingSegment& first, const MovingSegment& second, double near) {
  const Vec3 a0 = first.to.from - first.from.from;
  const Vec3 a1 = first.to.to - first.from.to;
  const Vec3 b0 = second.to.from - second.from.from;
  const Vec3 b1 = second.to.to - second.from.to;
  const double pace = std::sqrt(
      std::max({(a0 - b0).squaredNorm(), (a0 - b1).squaredNorm(), (a1 - b0).squaredNorm(), (a1 - b1).squaredNorm()}));
  double time = 0;
  for (;;) {
    const double distance = closest_between(first.at(time), second.at(time)).distance;
    if (distance <= 1.01 * near) return {time, true};
    if (!(distance - near < pace * (1 - time))) return {1, false};
    time += (distance - near) / pace;
  }
}

}  // namespace filum::geometry
