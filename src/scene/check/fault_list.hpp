// The validator's note pad: where a check is, and the first thing it found wrong.
#pragma once

#include "scene/describe/field.hpp"
#include "scene/problem.hpp"
#include "scene/text.hpp"

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

class Report {
 public:
  // Keeps the first failure only.
  void fail(const Where& where, std::string message);
  [[nodiscard]] bool failed() const { return problem_.has_value(); }
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

  // Every value of a thing that its table has a range for, by itself.
  void values(const Where& where, const Table& table, const void* thing);

  void number(const Where& where, double value, const Range& range);
  void vector(const Where& where, const Vec3& value);
  // Not zero: its direction counts.
  void direction(const Where& where, const Vec3& value);
  void unit_quaternion(const Where& where, const Quat& value);
  void name(const Where& where, std::string_view name);

 private:
  void value(const Where& where, const Field& field, const void* thing);

  std::optional<Problem> problem_;
};

}  // namespace filum::scene
