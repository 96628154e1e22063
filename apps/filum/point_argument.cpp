#include "point_argument.hpp"

#include <fmt/format.h>

#include <charconv>

namespace filum::app {

Result<Vec3> point_of(const char* option, const std::string& text) {
  Vec3 point;
  const char* from = text.data();
  const char* const end = from + text.size();
  for (int k = 0; k < 3; ++k) {
    const auto [stopped, fault] = std::from_chars(from, end, point[k]);
    const bool good = fault == std::errc() && (k == 2 ? stopped == end : stopped != end && *stopped == ',');
    if (!good) return bad_input(fmt::format("{} {}: expected three numbers, x,y,z", option, text));
    from = stopped + 1;
  }
  return point;
}

}  // namespace filum::app
