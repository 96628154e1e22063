// The validator's note pad: where a check is, and the first thing it found wrong.
#pragma once

#include "scene/text.hpp"
#include "scene/validate.hpp"

#include <filum/types.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace filum::scene {

// A place in the scene, linked to the one around it; costs nothing until something is wrong.
struct Where {
  const Where* around = nullptr;
  std::string_view key;
  std::size_t index = 0;  // counts when the key is empty

  [[nodiscard]] Where in(std::string_view name) const { return {this, name, 0}; }
  [[nodiscard]] Where in(std::size_t i) const { return {this, {}, i}; }
};

// The allowed interval of a number.
struct Range {
  double min;
  double max;
  const char* words;  // «greater than zero»
};

// Magnitudes beyond these are slips of the pen and would overflow further on.
inline constexpr Range kAny{-1e12, 1e12, "within ±1e12"};
inline constexpr Range kStiff{1e-30, 1e15, "greater than zero"};
inline constexpr Range kPositive{1e-12, 1e12, "greater than zero"};
inline constexpr Range kNotNegative{0, 1e12, "zero or more"};

class Report {
 public:
  // Keeps the first failure only.
  void fail(const Where& where, std::string message);
  [[nodiscard]] bool failed() const { return problem_.has_value(); }
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

  void number(const Where& where, double value, const Range& range);
  void vector(const Where& where, const Vec3& value);
  // Not zero: its direction counts.
  void direction(const Where& where, const Vec3& value);
  void unit_quaternion(const Where& where, const Quat& value);
  void name(const Where& where, std::string_view name);

 private:
  std::optional<Problem> problem_;
};

}  // namespace filum::scene
