// What a hold fixes of the rod that it grips.
#pragma once

#include <array>

namespace filum {

// Along or about world x, y, z.
using FixedAxes = std::array<bool, 3>;

struct Fix {
  FixedAxes position{false, false, false};
  FixedAxes orientation{false, false, false};  // rotation about the axes; all, none, or two (a hinge)
  bool operator==(const Fix&) const = default;
};

}  // namespace filum
