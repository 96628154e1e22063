#include "report/report_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace filum::io {
namespace {

// Units of one quantity from small to large; a unit serves from `from` (SI) on.
struct Step {
  double from;
  Unit unit;
};

template <size_t N>
Unit pick(const Step (&steps)[N], double largest) {
  Unit unit = steps[0].unit;
  for (const Step& step : steps) {
    if (largest >= step.from) unit = step.unit;
  }
  return unit;
}

constexpr Step kLength[] = {{0, {1e3, "mm"}},    {1e-12, {1e9, "nm"}}, {1e-6, {1e6, "µm"}},
                            {3e-4, {1e3, "mm"}}, {10, {1, "m"}},       {1e4, {1e-3, "km"}}};
constexpr Step kForce[] = {{0, {1, "N"}},       {1e-12, {1e9, "nN"}}, {1e-6, {1e6, "µN"}},
                           {1e-3, {1e3, "mN"}}, {0.5, {1, "N"}},      {1e4, {1e-3, "kN"}}};
constexpr Step kMoment[] = {{0, {1, "N·m"}},       {1e-12, {1e9, "nN·m"}}, {1e-6, {1e6, "µN·m"}},
                            {1e-3, {1e3, "mN·m"}}, {1, {1, "N·m"}},        {1e4, {1e-3, "kN·m"}}};
constexpr Step kEnergy[] = {{0, {1, "J"}},       {1e-12, {1e9, "nJ"}}, {1e-6, {1e6, "µJ"}},
                            {1e-3, {1e3, "mJ"}}, {1, {1, "J"}},        {1e4, {1e-3, "kJ"}}};
constexpr Step kSpeed[] = {{0, {1, "m/s"}}, {1e-12, {1e6, "µm/s"}}, {1e-3, {1e3, "mm/s"}}, {1, {1, "m/s"}}};
constexpr Step kPressure[] = {{0, {1, "Pa"}}, {1e3, {1e-3, "kPa"}}, {1e6, {1e-6, "MPa"}}, {1e9, {1e-9, "GPa"}}};
constexpr Step kTime[] = {{0, {1, "s"}}, {1e-9, {1e6, "µs"}}, {1e-3, {1e3, "ms"}}, {1, {1, "s"}}};

// The exponent in superscript digits.
std::string raised(int exponent) {
  static const char* const kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(exponent))) text += kDigits[c - '0'];
  return text;
}

void drop_zeros(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
}

}  // namespace

Unit unit_for(Quantity quantity, double largest) {
  largest = std::isfinite(largest) ? std::abs(largest) : 0;
  switch (quantity) {
    case Quantity::Length:
      return pick(kLength, largest);
    case Quantity::Force:
      return pick(kForce, largest);
    case Quantity::Moment:
      return pick(kMoment, largest);
    case Quantity::Energy:
      return pick(kEnergy, largest);
    case Quantity::Time:
      return pick(kTime, largest);
    case Quantity::Speed:
      return pick(kSpeed, largest);
    case Quantity::Pressure:
      return pick(kPressure, largest);
    case Quantity::Curvature:
      return {1, "1/m"};
    case Quantity::Twist:
      return {1, "rad/m"};
    case Quantity::Plain:
      break;
  }
  return {1, ""};
}

std::string digits(double value, int significant) {
  if (std::isnan(value)) return "–";
  const std::string sign = value < 0 ? "−" : "";
  const double size = std::abs(value);
  if (std::isinf(value)) return sign + "∞";
  if (size == 0) return "0";
  // the exponent after rounding to the asked digits
  const std::string scientific = fmt::format("{:.{}e}", size, significant - 1);
  const size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  if (exponent < -4 || exponent > 5) {
    std::string mantissa = scientific.substr(0, e);
    drop_zeros(mantissa);
    return sign + mantissa + "·10" + raised(exponent);
  }
  std::string text = fmt::format("{:.{}f}", size, std::max(0, significant - 1 - exponent));
  drop_zeros(text);
  return sign + text;
}

std::string with_unit(double value, Quantity quantity, int significant) {
  if (!std::isfinite(value)) return digits(value);
  const Unit unit = unit_for(quantity, value);
  return digits(value * unit.factor, significant) + (*unit.symbol ? " " : "") + unit.symbol;
}

}  // namespace filum::io
