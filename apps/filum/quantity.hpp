// Numbers as an engineer reads them: «31.2 mm», «4.21 N», «120 mN·m».
#pragma once

#include <string>

namespace filum::app {

// With the SI prefix that puts the number between 1 and 1000; four significant digits.
std::string quantity(double value, const char* unit);

// A common prefix for a column, chosen for its largest entry, so that the numbers below each other compare.
struct Scale {
  double factor = 1;
  std::string unit;
};
Scale scale_for(double largest, const char* unit);

// Three decimals in that scale.
std::string in_scale(double value, const Scale& scale);

}  // namespace filum::app
