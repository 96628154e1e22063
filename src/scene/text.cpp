#include "scene/text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace filum::scene {

std::string text(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string in_millimetres(double length) {
  const long tenths = std::lround(1e4 * length);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " mm";
}

std::string quoted(std::string_view name) {
  std::string text = "'";
  text += name;
  return text + "'";
}

}  // namespace filum::scene
