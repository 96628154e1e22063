// Numbers for people: engineering units (mm, N, mN·m) and a sensible count of digits.
//
// Inside Filum everything is SI; units are chosen here, by the largest value a table column or an axis has to show.
#pragma once

#include <string>

namespace filum::io {

enum class Quantity { Length, Force, Moment, Curvature, Twist, Energy, Time, Speed, Pressure, Plain };

struct Unit {
  double factor = 1;        // value in this unit = SI value × factor
  const char* symbol = "";  // UTF-8
};

// The unit in which values up to `largest` (SI) read well.
Unit unit_for(Quantity quantity, double largest);

// «3.214», «−0.05», «1.2·10⁻¹³»; «∞» and «–» for what is no number. Trailing zeros are dropped.
std::string digits(double value, int significant = 4);

// The value in its own best unit: «31.2 mm».
std::string with_unit(double value, Quantity quantity, int significant = 4);

}  // namespace filum::io
