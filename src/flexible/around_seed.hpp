// The shortest polygon that planes through a triangle, square to it, cut out of the surface: nearly across, on a tube.
#pragma once

#include "flexible/section_cut.hpp"

#include <array>
#include <vector>

namespace filum::flexible {

class AroundSeed {
 public:
  explicit AroundSeed(const Surface& surface) : surface_(surface), plane_(surface.triangle.size(), -1) {}

  static constexpr int kPlanes = 8;
  using Lengths = std::array<double, kPlanes>;
  // No corners where all polygons are open; then how long those are. Each triangle's plane is kept for later questions.
  [[nodiscard]] Cut shortest(int seed, Lengths& open);

  // The shortest of those that lie far from it, where it is no section of a tube: a plane along a short pipe cuts its wall
  // out, a polygon that is shorter than the way round. No corners where there is none little longer than that.
  [[nodiscard]] Cut shortest_across(int seed, double length) const;

  // What is asked next is elsewhere: polygons need not be as long as the last one.
  void forget_length() { usual_ = 0; }

 private:
  [[nodiscard]] Cut shortest_of(int seed, double longest, Lengths& open);

  const Surface& surface_;
  std::vector<signed char> plane_;  // of each triangle: which one cuts the shortest polygon out; −1: not known
  double usual_ = 0;                // length of the last polygon; 0: not known
};

}  // namespace filum::flexible
