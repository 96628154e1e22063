// Where a distance is least along a line.
#pragma once

#include <cmath>

namespace filum::discrete {

// The slope of a distance along a line, by the share, and its second derivative.
struct FootSlope {
  double slope = 0;
  double bend = 0;
};
// Where the slope is nil, between a share at which it is negative and one at which it is positive: Newton's method, and
// halves where that leaves them.
template <class SlopeAt>
double foot_between(double low, double high, const SlopeAt& slope_at) {
  constexpr int kMostSteps = 60;
  constexpr double kEnough = 1e-15;
  double share = 0.5 * (low + high);
  for (int k = 0; k < kMostSteps; ++k) {
    const FootSlope here = slope_at(share);
    if (here.slope == 0) break;
    (here.slope < 0 ? low : high) = share;
    double next = here.bend > 0 ? share - here.slope / here.bend : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool there = std::abs(next - share) <= kEnough;
    share = next;
    if (there) break;
  }
  return share;
}

}  // namespace filum::discrete
