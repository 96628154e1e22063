#include "quantity.hpp"

#include <fmt/format.h>

#include <cmath>

namespace filum::app {
namespace {

struct Prefix {
  double size;
  const char* name;
};
constexpr Prefix kPrefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};

constexpr double kNothing = 1e-15;  // SI

// The largest prefix not above the number; the smallest we have for what is smaller still.
Prefix prefix_for(double magnitude) {
  // 0.99996 would be printed as 1000 of the next smaller unit
  for (const Prefix& prefix : kPrefixes)
    if (magnitude >= 0.9999 * prefix.size) return prefix;
  return magnitude == 0 ? Prefix{1, ""} : kPrefixes[std::size(kPrefixes) - 1];
}

}  // namespace

std::string quantity(double value, const char* unit) {
  if (std::isnan(value)) return "?";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  // what is smaller is round-off, and nothing has no sign
  if (std::abs(value) < kNothing) value = 0;
  if (*unit == '\0') return fmt::format("{:.4g}", value);
  const Prefix prefix = prefix_for(std::abs(value));
  return fmt::format("{:.4g} {}{}", value / prefix.size, prefix.name, unit);
}

Scale scale_for(double largest, const char* unit) {
  const Prefix prefix = std::isfinite(largest) ? prefix_for(std::abs(largest)) : Prefix{1, ""};
  return {1 / prefix.size, std::string(prefix.name) + unit};
}

std::string in_scale(double value, const Scale& scale) {
  const std::string text = fmt::format("{:.3f}", value * scale.factor);
  return text == "-0.000" ? "0.000" : text;
}

}  // namespace filum::app
