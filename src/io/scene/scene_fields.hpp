// Reading single values of a scene's tree, each with the message that names what was expected.
//
// Within the reader a mistake travels as the exception Refused from wherever it was found to parse_scene, which turns
// it into the Error it returns; it never leaves this module.
#pragma once

#include "io/yaml/units.hpp"
#include "io/yaml/yaml_tree.hpp"
#include "scene/describe/field.hpp"

#include <filum/scene.hpp>

#include <span>
#include <string>
#include <string_view>

namespace filum::io {

struct Refused {
  Error error;
};
[[noreturn]] void refuse(const Node& at, std::string message, ErrorCode code = ErrorCode::BadInput);
[[noreturn]] void refuse_not_yet(const Node& at, std::string_view feature, std::string_view owner);

double read_number(const Node& node, Dimension dimension);
int read_integer(const Node& node);
bool read_flag(const Node& node);
std::string read_text(const Node& node);
Vec2 read_vec2(const Node& node, Dimension dimension);
Vec3 read_vec3(const Node& node, Dimension dimension);
ArcPosition read_arc_position(const Node& node);
// A length, or a multiple of the diameter: «10 d».
RadiusLimit read_radius(const Node& node);
// [w, x, y, z], made unit, or {tangent, normal}.
Quat read_orientation(const Node& node);

// The value of one of the words; otherwise «expected a, b or c, found …».
int read_word(const Node& node, std::span<const scene::Word> words);

// The node must be a list (or nothing: an empty one) or a mapping; `what` says of what.
void expect_list(const Node& node, std::string_view what);
void expect_mapping(const Node& node, std::string_view what);

// A mapping whose keys have been checked against their table.
class Fields {
 public:
  // `label` names the thing in messages: «rod 'hose'».
  Fields(const Node& node, const scene::Table& table, std::string label);

  [[nodiscard]] const scene::Table& table() const { return *table_; }
  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const Node& node() const { return *node_; }
  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] const Node& require(std::string_view key) const;

  // Reads the key into the target if it is there.
  template <class T, class Read>
  void optional(std::string_view key, T& target, Read read) const {
    if (const Node* node = find(key)) target = read(*node);
  }
  template <class T>
  void number(std::string_view key, T& target, Dimension dimension) const {
    if (const Node* node = find(key)) target = read_number(*node, dimension);
  }
  [[nodiscard]] double number(std::string_view key, Dimension dimension) const {
    return read_number(require(key), dimension);
  }

 private:
  const Node* node_;
  const scene::Table* table_;
  std::string label_;
};

}  // namespace filum::io
