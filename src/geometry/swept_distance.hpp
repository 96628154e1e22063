// The least distance of two segments while their ends move along straight lines, at even speeds, from one place to another.
#pragma once

#include "geometry/closest_points.hpp"

namespace filum::geometry {

struct MovingSegment {
  Segment from;  // at time 0
  Segment to;    // at time 1

  [[nodiscard]] Segment at(double time) const {
    return {from.from + time * (to.from - from.from), from.to + time * (to.to - from.to)};
  }
};

struct SweptMeeting {
  double time = 1;
  bool meets = false;  // they come as near as that
};

// The first time at which they are no further apart than `near` (> 0), to a hundredth of it.
[[nodiscard]] SweptMeeting first_meeting(const MovingSegment& first, const MovingSegment& second, double near);

}  // namespace filum::geometry
