// Whether every number of a pose is one.
#pragma once

#include <filum/pose.hpp>

namespace filum::rod {

// The radius of a straight rod's bend, which is infinite, does not count.
[[nodiscard]] bool is_finite(const Pose& pose);

// What is said of one that is not.
inline constexpr const char* kNotFinite = "a number of the state is not finite";

}  // namespace filum::rod
