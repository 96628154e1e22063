#include "report/svg/svg_axis.hpp"

#include "report/report_units.hpp"

#include <cmath>

namespace filum::io {

double Axis::share(double value) const {
  if (logarithmic) return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
  return (value - low) / (high - low);
}

double round_step(double rough) {
  if (!(rough > 0) || !std::isfinite(rough)) return 1;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double step : {5.0, 2.5, 2.0, 1.0}) {
    if (step * power <= rough * (1 + 1e-9)) return step * power;
  }
  return power;
}

Axis linear_axis(double low, double high, int count, bool snap) {
  Axis axis;
  // no range to show: make one around the value
  if (!(high - low > 1e-9 * std::max(std::abs(low), std::abs(high)))) {
    const double pad = low == 0 ? 1 : 0.5 * std::abs(low);
    low -= pad;
    high += pad;
  }
  const double step = round_step((high - low) / count * 2.499);
  const double first = snap ? std::floor(low / step + 1e-6) : std::ceil(low / step - 1e-6);
  const double last = snap ? std::ceil(high / step - 1e-6) : std::floor(high / step + 1e-6);
  axis.low = snap ? first * step : low;
  axis.high = snap ? last * step : high;
  for (double k = first; k <= last + 0.5; ++k) axis.ticks.push_back({k * step, digits(k * step, 5)});
  return axis;
}

Axis log_axis(double low, double high) {
  Axis axis;
  axis.logarithmic = true;
  axis.low = low;
  axis.high = high;
  // less than a decade: evenly spaced values read better
  if (high / low < 6) {
    for (Tick& tick : linear_axis(low, high, 9, false).ticks) axis.ticks.push_back(std::move(tick));
    return axis;
  }
  // few decades: 1, 2, 5; many: powers of ten alone
  const bool few = high / low < 2e3;
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10) {
    for (const double m : {1.0, 2.0, 5.0}) {
      const double value = m * power;
      if ((m > 1 && !few) || value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      axis.ticks.push_back({value, digits(value, 3)});
    }
  }
  return axis;
}

}  // namespace filum::io
