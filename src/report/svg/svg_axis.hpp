// Chart axes: a range with round ends, round ticks and short labels.
#pragma once

#include <string>
#include <vector>

namespace filum::io {

struct Tick {
  double value = 0;
  std::string label;
};

struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  std::vector<Tick> ticks;

  // 0 at the low end, 1 at the high end.
  [[nodiscard]] double share(double value) const;
};

// 1, 2, 2.5 or 5 times a power of ten: the largest such step not above `rough` (> 0).
double round_step(double rough);

// Covers [low, high] with about `count` ticks; the ends are widened to ticks if `snap`.
Axis linear_axis(double low, double high, int count, bool snap);

// 0 < low < high: ticks at 1, 2, 5 times powers of ten.
Axis log_axis(double low, double high);

}  // namespace filum::io
