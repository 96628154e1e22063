// A cloud of points as a picture: one quantity against another, as in a return map.
#pragma once

#include <filum/types.hpp>

#include <string>
#include <vector>

namespace filum::validation {

struct Scatter {
  std::string title;
  std::string x_name, y_name;
  double factor = 1;         // from the points to the unit that the names speak of
  std::vector<Vec2> points;  // those far out, up to one in a hundred, are left out of the picture
};

// An svg element for a page with the report's style sheet.
std::string scatter_svg(const Scatter& scatter);

}  // namespace filum::validation
