// Which numbers a value may take.
#pragma once

namespace filum::scene {

struct Range {
  double min;
  double max;
  const char* words;  // «greater than zero»
};

// Magnitudes beyond these are slips of the pen and would overflow further on.
inline constexpr Range kAny{-1e12, 1e12, "within ±1e12"};
inline constexpr Range kStiff{1e-30, 1e15, "greater than zero"};
inline constexpr Range kPositive{1e-12, 1e12, "greater than zero"};
inline constexpr Range kNotNegative{0, 1e12, "zero or more"};
inline constexpr Range kShare{0, 1, "within 0 and 1"};
inline constexpr Range kLessThanOne{0, 0.999999, "zero or more and less than 1"};
inline constexpr Range kHardening{0, 1e15, "zero or more"};
inline constexpr Range kTorqueFactor{-1, 1, "within -1 and 1"};
inline constexpr Range kUpToHalf{0, 0.5, "zero or more"};

// Whole numbers.
inline constexpr int kMostSegments = 1'000'000;
inline constexpr Range kWires{1, 100'000, "1 to 100000"};
inline constexpr Range kSegments{1, kMostSegments, "1 to 1000000"};

}  // namespace filum::scene
