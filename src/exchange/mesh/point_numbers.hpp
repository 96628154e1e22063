// Numbers of points, the same for those that are the same: an STL file has each as often as it has triangles there.
#pragma once

#include <filum/types.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace filum::exchange {

class PointNumbers {
 public:
  explicit PointNumbers(std::size_t most) : slot_(std::bit_ceil(2 * most + 1), -1) {}

  // The number of a point, which is added where it is new.
  int of(const Vec3& point, std::vector<Vec3>& points) {
    std::uint64_t key = 0;
    for (const double x : point) key = (key ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15u;
    for (std::size_t place = key >> 20;; ++place) {
      int& number = slot_[place & (slot_.size() - 1)];
      if (number >= 0 && points[static_cast<std::size_t>(number)] != point) continue;
      if (number < 0) {
        number = static_cast<int>(points.size());
        points.push_back(point);
      }
      return number;
    }
  }

 private:
  std::vector<int> slot_;  // at most half of them taken
};

}  // namespace filum::exchange
