// What the writer of scenes is made of: mappings, vectors and lists as YAML text.
#pragma once

#include "io/yaml/units.hpp"
#include "io/yaml/yaml_scalar.hpp"

#include <filum/types.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// One mapping in brackets, {key: value, …}, or as lines below each other.
class Pairs {
 public:
  void add(std::string_view key, std::string value) { pairs_.push_back(fmt::format("{}: {}", key, value)); }
  void number(std::string_view key, double value) { add(key, number_text(value)); }
  void number(std::string_view key, const std::optional<double>& value) {
    if (value) number(key, *value);
  }
  void vector(std::string_view key, const Vec3& value) {
    if (value != Vec3::Zero()) add(key, fmt::format("[{}, {}, {}]", value.x(), value.y(), value.z()));
  }
  void text(std::string_view key, std::string_view value) { add(key, yaml_scalar(value)); }

  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  [[nodiscard]] std::string flow() const { return fmt::format("{{{}}}", fmt::join(pairs_, ", ")); }
  [[nodiscard]] std::string block(std::string_view indent) const {
    std::string lines;
    for (const std::string& pair : pairs_) lines += fmt::format("{}{}\n", indent, pair);
    return lines;
  }

 private:
  std::vector<std::string> pairs_;
};

inline std::string vec_text(const Vec2& v) {
  return fmt::format("[{}, {}]", v.x(), v.y());
}
inline std::string vec_text(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}
inline std::string quat_text(const Quat& q) {
  return fmt::format("[{}, {}, {}, {}]", q.w(), q.x(), q.y(), q.z());
}

inline std::string list_text(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace filum::io
