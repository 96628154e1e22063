// Numbers with units: «5.2 mm», «40 N», «1/60», «2.5 turns», «50 %» become SI.
//
// The one place where units exist. Reading and writing never depend on the locale.
#pragma once

#include "base/dimension.hpp"

#include <filum/curve.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace filum::io {

// What values are in: «m», «N·m²»; «–»: a bare number.
const char* si_unit(Dimension dimension);

// «a length such as 5.2 mm»
const char* expectation(Dimension dimension);

// The number in SI, or why not: «expected a length such as 5.2 mm, found '40 N'» (without line; the caller knows it).
struct Quantity {
  double value = 0;
  std::string problem;  // empty: all is well
};
Quantity parse_quantity(std::string_view text, Dimension dimension);

// start, end, middle, an arc length, a percentage; also one of these plus or minus a length: «end - 10 mm».
struct ArcQuantity {
  ArcPosition value;
  std::string problem;
};
ArcQuantity parse_arc_position(std::string_view text);

// The shortest text that reads back to the same bits.
std::string number_text(double value);
std::string arc_text(const ArcPosition& at);

}  // namespace filum::io
