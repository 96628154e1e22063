// What a hold fixes of the rod that it grips.
#pragma once

#include <array>

namespace filum {

// Along or about world x, y, z.
using FixedAxes = std::array<bool, 3>;
inline constexpr FixedAxes kAllAxes{true, true, true};

constexpr bool fixes_all(const FixedAxes& axes) {
  return axes[0] && axes[1] && axes[2];
}
constexpr bool fixes_any(const FixedAxes& axes) {
  return axes[0] || axes[1] || axes[2];
}
// Of the positions: a rail or a plane; of the orientations: a hinge.
constexpr bool fixes_some(const FixedAxes& axes) {
  return fixes_any(axes) && !fixes_all(axes);
}

struct Fix {
  FixedAxes position{false, false, false};
  FixedAxes orientation{false, false, false};  // rotation about the axes; all, none, or two (a hinge)
  bool operator==(const Fix&) const = default;
};

}  // namespace filum
