#include "sim/run/clock.hpp"

#include <cmath>

namespace filum::sim {

Tick next_tick(double t, double step, double limit) {
  const double last = std::floor(t / step + kSameInstant);
  const double next = (last + 1) * step;
  if (next > limit + kSameInstant * step) return {limit, limit - t};
  const bool whole = std::abs(t - last * step) <= kSameInstant * step;
  return {next, whole ? step : next - t};
}

double multiples_until(double t, double every) {
  return std::floor(t / every + kSameInstant);
}

}  // namespace filum::sim
