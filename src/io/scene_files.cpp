#include "io/scene_files.hpp"

#include "io/units.hpp"
#include "io/yaml_scalar.hpp"
#include "io/yaml_source.hpp"
#include "io/yaml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace filum::io {
namespace {

Error file_error(const std::string& path, std::string message) {
  return {ErrorCode::File, std::move(message), path, 0, 0};
}

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

Result<std::string> read_text_file(const std::string& path) {
  // only regular files: a folder or a device never ends
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) return file_error(path, "no such file");
  if (code) return file_error(path, code.message());
  if (!std::filesystem::is_regular_file(status)) return file_error(path, "not a file");
  const auto size = std::filesystem::file_size(path, code);
  if (code) return file_error(path, code.message());
  if (size > kMaxFileBytes)
    return file_error(path, fmt::format("the file has {} bytes; at most {} are read", size, kMaxFileBytes));
  // all of it at once
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream) return file_error(path, errno != 0 ? std::strerror(errno) : "cannot be read");
  return text;
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

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
