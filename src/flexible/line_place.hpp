// The place of a centre line that is nearest to a point.
#pragma once

#include <filum/types.hpp>

#include <cstddef>
#include <limits>
#include <span>

namespace filum::flexible {

struct LinePlace {
  double distance = std::numeric_limits<double>::max();
  double s = 0;
  double radius = 0;
  std::size_t after = 1;  // between this point and the one before
  double share = 0;
};

// A radius for each point.
[[nodiscard]] LinePlace nearest_on(std::span<const Vec3> centre, std::span<const double> radius, const Vec3& p);

}  // namespace filum::flexible
