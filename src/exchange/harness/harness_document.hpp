// What reading KBL and VEC has in common: elements found by id, numbers, units, and one way to say what is wrong.
//
// Within the readers a mistake travels as the exception Refused to parse_harness, which returns its Error.
#pragma once

#include "exchange/xml/xml_tree.hpp"

#include <filum/types.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace filum::exchange {

struct Refused {
  Error error;
};

enum class Measure { Length, Area, MassPerLength };

class HarnessDocument {
 public:
  HarnessDocument(const XmlNode& root, std::string file);

  [[noreturn]] void refuse(const XmlNode& at, std::string message) const;

  [[nodiscard]] const XmlNode& root() const { return root_; }

  // What a role of an element holds: elements within it, be it directly, as `type` in a wrapper (KBL 2.2), or by the
  // ids that it lists. An id that there is not is refused.
  [[nodiscard]] std::vector<const XmlNode*> all(const XmlNode& owner, std::string_view role,
                                                std::string_view type = {}) const;
  // The first, or null.
  [[nodiscard]] const XmlNode* one(const XmlNode& owner, std::string_view role, std::string_view type = {}) const;
  // The first; a missing one is refused.
  [[nodiscard]] const XmlNode& need(const XmlNode& owner, std::string_view role, std::string_view type = {}) const;

  // A child that is a plain value; a missing one is refused.
  [[nodiscard]] const XmlNode& leaf(const XmlNode& owner, std::string_view name) const;
  // What an element stands in; null: the root.
  [[nodiscard]] const XmlNode* parent(const XmlNode& node) const;

  // The text of a child, or empty.
  [[nodiscard]] static std::string text(const XmlNode& owner, std::string_view role);
  [[nodiscard]] double number(const XmlNode& at) const;
  // Of lengths, areas and masses.
  [[nodiscard]] double no_less_than_zero(const XmlNode& at) const;
  // Every number of the children of this name: one each, or several separated by blanks.
  [[nodiscard]] std::vector<double> numbers(const XmlNode& owner, std::string_view role) const;
  // Two or three of them as a vector; nothing if there are none.
  [[nodiscard]] std::optional<Vec3> vector(const XmlNode& owner, std::string_view role) const;

 private:
  void index(const XmlNode& node);

  const XmlNode& root_;
  std::string file_;
  std::unordered_map<std::string_view, const XmlNode*> ids_;
  std::unordered_map<const XmlNode*, const XmlNode*> parents_;
};

// How many SI units one of these is, by the words of harness data: «millimetre», «gram/meter», «mm²». Nothing: unknown.
std::optional<double> unit_factor(std::string_view words, Measure measure);
// A number in SI units, as near as can be: 9.8 mm are 0.0098 m, though 9.8 times 0.001 is a little more.
double in_si(double value, double factor);
// The factor of a decimal prefix: «milli». Nothing: unknown.
std::optional<double> prefix_factor(std::string_view word);
// Letters made small, blanks and underscores taken away.
std::string plain_words(std::string_view words);

}  // namespace filum::exchange
