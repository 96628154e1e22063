// What sliding holds remember, of whatever rods they grip.
#pragma once

#include <filum/types.hpp>

#include <vector>

namespace filum::discrete {

struct SliderMemory {
  std::vector<double> slide;         // per slider: arc length gripped
  std::vector<double> slide_anchor;  // per slider: arc length at which its friction is at rest
  std::vector<Vec3> slide_force;     // per slider: multiplier
  std::vector<int> slide_stop;       // per slider: −1 stopped at the start, +1 at the end, 0 sliding
};

}  // namespace filum::discrete
