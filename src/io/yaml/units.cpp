#include "io/yaml/units.hpp"

#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

namespace filum::io {
namespace {

using std::numbers::pi;

// SI value = number · numerator / denominator: two exact factors, so that «5.2 mm» is the double nearest to 0.0052.
struct Unit {
  const char* name;
  Dimension dimension;
  double numerator;
  double denominator;
};

using enum Dimension;
constexpr std::array kUnits{
    Unit{"m", Length, 1, 1},
    Unit{"mm", Length, 1, 1000},
    Unit{"cm", Length, 1, 100},
    Unit{"um", Length, 1, 1e6},
    Unit{"µm", Length, 1, 1e6},
    Unit{"μm", Length, 1, 1e6},
    Unit{"km", Length, 1000, 1},
    Unit{"in", Length, 254, 1e4},
    Unit{"ft", Length, 3048, 1e4},
    Unit{"kg", Mass, 1, 1},
    Unit{"g", Mass, 1, 1000},
    Unit{"t", Mass, 1000, 1},
    Unit{"N", Force, 1, 1},
    Unit{"kN", Force, 1000, 1},
    Unit{"mN", Force, 1, 1000},
    Unit{"Pa", Pressure, 1, 1},
    Unit{"kPa", Pressure, 1000, 1},
    Unit{"MPa", Pressure, 1e6, 1},
    Unit{"GPa", Pressure, 1e9, 1},
    Unit{"kg/m3", Density, 1, 1},
    Unit{"g/cm3", Density, 1000, 1},
    Unit{"rad", Angle, 1, 1},
    Unit{"deg", Angle, pi, 180},
    Unit{"°", Angle, pi, 180},
    Unit{"turn", Angle, 2 * pi, 1},
    Unit{"turns", Angle, 2 * pi, 1},
    Unit{"turn", Turns, 1, 1},
    Unit{"turns", Turns, 1, 1},
    Unit{"deg", Turns, 1, 360},
    Unit{"°", Turns, 1, 360},
    Unit{"rad", Turns, 1, 2 * pi},
    Unit{"s", Time, 1, 1},
    Unit{"ms", Time, 1, 1000},
    Unit{"min", Time, 60, 1},
    Unit{"Nm", Moment, 1, 1},
    Unit{"N.m", Moment, 1, 1},
    Unit{"Nmm", Moment, 1, 1000},
    Unit{"N.mm", Moment, 1, 1000},
    Unit{"Nm2", BendStiffness, 1, 1},
    Unit{"N.m2", BendStiffness, 1, 1},
    Unit{"Nmm2", BendStiffness, 1, 1e6},
    Unit{"N.mm2", BendStiffness, 1, 1e6},
    Unit{"m/s", Velocity, 1, 1},
    Unit{"mm/s", Velocity, 1, 1000},
    Unit{"m/s2", Acceleration, 1, 1},
    Unit{"kg/m", MassPerLength, 1, 1},
    Unit{"g/m", MassPerLength, 1, 1000},
    Unit{"N/m", ForcePerLength, 1, 1},
    Unit{"kN/m", ForcePerLength, 1000, 1},
    Unit{"1/m", Curvature, 1, 1},
    Unit{"rad/m", TwistRate, 1, 1},
    Unit{"deg/m", TwistRate, pi, 180},
    Unit{"turn/m", TwistRate, 2 * pi, 1},
    Unit{"turns/m", TwistRate, 2 * pi, 1},
    Unit{"rad/s", Spin, 1, 1},
    Unit{"deg/s", Spin, pi, 180},
    Unit{"turn/s", Spin, 2 * pi, 1},
    Unit{"turns/s", Spin, 2 * pi, 1},
    Unit{"rpm", Spin, 2 * pi, 60},
    Unit{"kg.m2", Inertia, 1, 1},
    Unit{"kgm2", Inertia, 1, 1},
    Unit{"g.cm2", Inertia, 1, 1e7},
    Unit{"kg.mm2", Inertia, 1, 1e6},
    Unit{"kg.m", RotaryInertia, 1, 1},
    Unit{"g.mm", RotaryInertia, 1, 1e6},
    Unit{"1/s", Rate, 1, 1},
    Unit{"N.s", Impulse, 1, 1},
    Unit{"Ns", Impulse, 1, 1},
    Unit{"N.m2.s", BendDamping, 1, 1},
    Unit{"Nm2s", BendDamping, 1, 1},
    Unit{"kg/m2", AreaDensity, 1, 1},
    Unit{"m2", Area, 1, 1},
    Unit{"mm2", Area, 1, 1e6},
};

// How each dimension is told, in the order of the enum.
struct DimensionWords {
  Dimension dimension;
  const char* unit;     // what values are in
  const char* example;  // what is expected
};
constexpr DimensionWords kDimensions[] = {
    {Number, "–", "a number such as 0.3"},
    {Length, "m", "a length such as 5.2 mm"},
    {Mass, "kg", "a mass such as 4 kg"},
    {Force, "N", "a force such as 40 N"},
    {Pressure, "Pa", "a pressure such as 7 MPa"},
    {Density, "kg/m³", "a density such as 1150 kg/m3"},
    {Angle, "rad", "an angle such as 30 deg"},
    {Turns, "turns", "a number of turns such as 2.5"},
    {Time, "s", "a time such as 20 ms"},
    {Moment, "N·m", "a moment such as 1.2 N m"},
    {BendStiffness, "N·m²", "a stiffness such as 0.8 N m2"},
    {Velocity, "m/s", "a velocity such as 0.5 m/s"},
    {Acceleration, "m/s²", "an acceleration such as 9.81 m/s2"},
    {MassPerLength, "kg/m", "a mass per length such as 50 g/m"},
    {ForcePerLength, "N/m", "a force per length such as 3 N/m"},
    {Curvature, "1/m", "a curvature such as 2 1/m"},
    {TwistRate, "rad/m", "a twist rate such as 90 deg/m"},
    {Spin, "rad/s", "a spin such as 2 rad/s"},
    {Inertia, "kg·m²", "a moment of inertia such as 0.01 kg m2"},
    {RotaryInertia, "kg·m", "a rotary inertia per length such as 1e-6 kg m"},
    {Rate, "1/s", "a rate such as 0.1 1/s"},
    {Impulse, "N·s", "a damping such as 0.001 N s"},
    {BendDamping, "N·m²·s", "a damping such as 1e-6 N m2 s"},
    {AreaDensity, "kg/m²", "a drag such as 0.02 kg/m2"},
    {Area, "m²", "an area such as 2.5 mm2"},
};

bool starts_with_digit(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty()) return false;
  return digit(text[0]) || (text[0] == '.' && text.size() > 1 && digit(text[1]));
}

void skip_spaces(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

std::string_view trim(std::string_view text) {
  skip_spaces(text);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// One decimal number off the front of `text`; no «inf», no «nan», no hexadecimal.
std::optional<double> take_decimal(std::string_view& text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative || (!rest.empty() && rest.front() == '+')) rest.remove_prefix(1);
  if (!starts_with_digit(rest)) return std::nullopt;
  double value = 0;
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (code != std::errc{}) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  text = rest;
  return negative ? -value : value;
}

// A decimal number or a fraction of two.
std::optional<double> take_number(std::string_view& text) {
  std::string_view rest = text;
  auto value = take_decimal(rest);
  if (!value) return std::nullopt;
  // a slash makes a fraction only if a number follows it
  if (!rest.empty() && rest.front() == '/') {
    std::string_view after = rest.substr(1);
    if (starts_with_digit(after)) {
      const auto denominator = take_decimal(after);
      if (!denominator || *denominator == 0) return std::nullopt;
      *value /= *denominator;
      rest = after;
    }
  }
  if (!std::isfinite(*value)) return std::nullopt;
  text = rest;
  return value;
}

// One spelling for each unit: «N · m^2», «N*m²» and «N m2» become «N.m2».
std::string normal_unit(std::string_view text) {
  std::string unit;
  const auto add = [&](char c) {
    const bool separator = c == ' ' || c == '\t' || c == '*';
    if (separator) {
      if (!unit.empty() && unit.back() != '.' && unit.back() != '/') unit += '.';
    } else {
      if (c == '/' && !unit.empty() && unit.back() == '.') unit.pop_back();
      unit += c;
    }
  };
  while (!text.empty()) {
    if (text.starts_with("·")) {
      add('*');
      text.remove_prefix(std::string_view("·").size());
    } else if (text.starts_with("²") || text.starts_with("³")) {
      add(text.starts_with("²") ? '2' : '3');
      text.remove_prefix(std::string_view("²").size());
    } else {
      if (text.front() != '^') add(text.front());
      text.remove_prefix(1);
    }
  }
  return unit;
}

const Unit* find_unit(std::string_view name, Dimension dimension) {
  for (const Unit& unit : kUnits)
    if (unit.dimension == dimension && name == unit.name) return &unit;
  return nullptr;
}

bool known_unit(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (name == unit.name) return true;
  return false;
}

// A decimal number with its exponent shifted, so that a percentage is rounded once: «0.1e2 %» is the double 0.1.
std::optional<double> decimal_shifted(std::string_view text, int shift) {
  const std::size_t e = text.find_first_of("eE");
  int exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (code != std::errc{} || end != digits.data() + digits.size() || std::abs(exponent) > 9999) return std::nullopt;
  }
  const std::string shifted = fmt::format("{}e{}", text.substr(0, e), exponent + shift);
  std::string_view rest = shifted;
  const auto value = take_decimal(rest);
  return rest.empty() ? value : std::nullopt;
}

// «50 %» as a fraction of one.
std::optional<double> parse_percentage(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text = trim(text.substr(0, text.size() - 1));
  if (text.find('/') == std::string_view::npos) return decimal_shifted(text, -2);
  const auto value = take_number(text);
  return value && text.empty() ? std::optional(*value / 100) : std::nullopt;
}

// The named places and percentages; what is left is an arc length.
std::optional<double> parse_anchor(std::string_view text) {
  if (text == "start") return 0.0;
  if (text == "middle") return 0.5;
  if (text == "end") return 1.0;
  return parse_percentage(text);
}

}  // namespace

const char* si_unit(Dimension dimension) {
  return kDimensions[static_cast<std::size_t>(dimension)].unit;
}

const char* expectation(Dimension dimension) {
  return kDimensions[static_cast<std::size_t>(dimension)].example;
}

Quantity parse_quantity(std::string_view text, Dimension dimension) {
  std::string_view rest = trim(text);
  const auto problem = [&] {
    return Quantity{0, fmt::format("expected {}, found {}", expectation(dimension), shown(text))};
  };
  const auto number = take_number(rest);
  if (!number) return problem();
  // a bare number is SI
  skip_spaces(rest);
  if (rest.empty()) return {*number, ""};
  const std::string name = normal_unit(rest);
  const Unit* unit = find_unit(name, dimension);
  if (!unit && !known_unit(name))
    return {0, fmt::format("unknown unit {}: expected {}, found {}", shown(rest), expectation(dimension), shown(text))};
  if (!unit) return problem();
  const double value = *number * unit->numerator / unit->denominator;
  if (!std::isfinite(value)) return problem();
  return {value, ""};
}

ArcQuantity parse_arc_position(std::string_view text) {
  const std::string_view trimmed = trim(text);
  const auto problem = [&] {
    return ArcQuantity{
        {}, fmt::format("expected a place along the rod (start, end, middle, 50 % or 0.3 m), found {}", shown(text))};
  };
  // a place by name or percentage
  if (const auto anchor = parse_anchor(trimmed)) return {{*anchor, 0}, ""};
  // an arc length
  const Quantity length = parse_quantity(trimmed, Length);
  if (length.problem.empty()) return {{0, length.value}, ""};
  // such a place, a spaced sign, a length
  std::size_t sign = trimmed.find(" - ");
  const bool minus = sign != std::string_view::npos;
  if (!minus) sign = trimmed.find(" + ");
  if (sign == std::string_view::npos) return problem();
  const auto anchor = parse_anchor(trim(trimmed.substr(0, sign)));
  const Quantity offset = parse_quantity(trimmed.substr(sign + 3), Length);
  if (!anchor || !offset.problem.empty()) return problem();
  return {{*anchor, minus ? -offset.value : offset.value}, ""};
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}

std::string arc_text(const ArcPosition& at) {
  if (at.fraction == 0) return number_text(at.offset);
  // the place the fraction names
  std::string place = at.fraction == 1 ? "end" : at.fraction == 0.5 ? "middle" : "";
  if (place.empty()) {
    place = fmt::format("{} %", number_text(at.fraction * 100));
    if (parse_percentage(place) != at.fraction) {
      // the product was rounded: shift the decimal point in the exponent instead
      const std::string text = number_text(at.fraction);
      const std::size_t e = text.find('e');
      const int exponent = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
      place = fmt::format("{}e{} %", text.substr(0, e), exponent + 2);
    }
  }
  if (at.offset == 0) return place;
  return fmt::format("{} {} {}", place, at.offset < 0 ? '-' : '+', number_text(std::abs(at.offset)));
}

}  // namespace filum::io
