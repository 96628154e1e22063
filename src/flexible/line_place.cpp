#include "flexible/line_place.hpp"

#include <algorithm>

namespace filum::flexible {

LinePlace nearest_on(std::span<const Vec3> centre, std::span<const double> radius, const Vec3& p) {
  LinePlace best;
  double s = 0;
  for (std::size_t i = 1; i < centre.size(); ++i) {
    const Vec3 way = centre[i] - centre[i - 1];
    const double length = way.norm();
    const double share = length > 0 ? std::clamp((p - centre[i - 1]).dot(way) / (length * length), 0.0, 1.0) : 0;
    const double distance = (centre[i - 1] + share * way - p).norm();
    if (distance < best.distance)
      best = {distance, s + share * length, radius[i - 1] + share * (radius[i] - radius[i - 1]), i, share};
    s += length;
  }
  return best;
}

}  // namespace filum::flexible
