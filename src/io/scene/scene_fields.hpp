// Reading single values of a scene's tree, each with the message that names what was expected.
//
// Within the reader a mistake travels as the exception Refused from wherever it was found to parse_scene, which turns
// it into the Error it returns; it never leaves this module.
#pragma once

#include "io/scene/scene_keys.hpp"
#include "io/scene/scene_words.hpp"
#include "io/yaml/units.hpp"
#include "io/yaml/yaml_tree.hpp"

#include <filum/scene.hpp>

#include <string>
#include <string_view>
#include <vector>

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
// [w, x, y, z], made unit, or {tangent, normal}.
Quat read_orientation(const Node& node);

// One of the words; otherwise «expected a, b or c, found …».
[[noreturn]] void refuse_word(const Node& node, const std::vector<std::string_view>& expected);
template <class T, std::size_t N>
T read_word(const Node& node, const Word<T> (&words)[N]) {
  std::vector<std::string_view> expected;
  for (const Word<T>& word : words) {
    if (node.is_scalar() && node.text == word.text) return word.value;
    expected.push_back(word.text);
  }
  refuse_word(node, expected);
}

// The node must be a list (or nothing: an empty one) or a mapping; `what` says of what.
void expect_list(const Node& node, std::string_view what);
void expect_mapping(const Node& node, std::string_view what);

// A mapping whose keys have been checked against the table.
class Fields {
 public:
  // `label` names the thing in messages: «rod 'hose'».
  Fields(const Node& node, const MapSpec& spec, std::string label);

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
  const MapSpec* spec_;
  std::string label_;
};

// The name written, or «hold 3» for the third one.
std::string read_name(const Node& item, const char* what, std::size_t index);
// The keys `rod` and `at`.
RodPoint read_rod_point(const Fields& fields);
// Every item of a list of `what` and its index.
template <class Read>
void read_list(const Node& node, std::string_view what, Read read) {
  expect_list(node, what);
  for (std::size_t i = 0; i < node.size(); ++i) read(node.children[i], i);
}

}  // namespace filum::io
