// A small dense system in memory of the caller's: for what must not allocate.
#pragma once

#include <span>

namespace filum::math {

// Puts A⁻¹ b in place of b by elimination with rows exchanged; A, by columns, is used up. False: A is singular, or a
// number is not finite.
[[nodiscard]] bool eliminate(std::span<double> matrix, std::span<double> right);

}  // namespace filum::math
