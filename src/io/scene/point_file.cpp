#include "io/scene/point_file.hpp"

#include "io/yaml/units.hpp"
#include "io/yaml/yaml_scalar.hpp"
#include "io/yaml/yaml_source.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace filum::io {
namespace {

// The words of a line between blanks, commas and semicolons.
std::vector<std::string_view> words(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r,;";
  std::vector<std::string_view> found;
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return found;
    const std::size_t end = std::min(line.find_first_of(kBetween, begin), line.size());
    found.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

}  // namespace

Result<std::vector<Vec3>> parse_points(std::string_view text, const std::string& name) {
  std::vector<Vec3> points;
  int line_number = 0;
  text.remove_prefix(byte_order_mark(text));
  while (!text.empty()) {
    // cut off one line and its comment
    ++line_number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto parts = words(line.substr(0, line.find('#')));
    if (parts.empty()) continue;
    // three numbers make a point
    const auto problem = [&](std::string message) {
      return Error{ErrorCode::BadInput, std::move(message), name, line_number, 1};
    };
    if (parts.size() != 3) return problem(fmt::format("expected three numbers x y z, found {}", shown(line)));
    Vec3 point;
    for (std::size_t i = 0; i < 3; ++i) {
      Quantity number = parse_quantity(parts[i], Dimension::Length);
      if (!number.problem.empty()) return problem(std::move(number.problem));
      point[static_cast<Eigen::Index>(i)] = number.value;
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace filum::io
