// The readers of the two formats, by their root elements.
#pragma once

#include "exchange/harness/harness.hpp"
#include "exchange/harness/harness_document.hpp"

namespace filum::exchange {

// A curve has at most so many control points: production files have seven, and nobody draws a thousand.
inline constexpr std::size_t kMostControlPoints = 10'000;

Harness read_kbl(const HarnessDocument& document);
Harness read_vec(const HarnessDocument& document);

}  // namespace filum::exchange
