// A YAML text as a tree that remembers where every key and value stood.
//
// The tree is built from libyaml's events, whose start and end marks make it possible to name line and column in every
// message and to change one value in the text while comments and layout survive. Only plain YAML is taken: anchors,
// aliases, tags, several documents and duplicate keys are refused, because guessing what they mean in a scene would
// hide mistakes. Size, depth and number of values are bounded, so that no file can exhaust stack or memory.
#pragma once

#include <filum/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

inline constexpr std::size_t kMaxNodes = 5'000'000;
inline constexpr std::size_t kMaxDepth = 64;

struct Mark {
  std::size_t byte = 0;
  int line = 1;    // 1-based
  int column = 1;  // 1-based, in characters
};

enum class NodeKind { Scalar, Sequence, Mapping };

struct Node {
  NodeKind kind = NodeKind::Scalar;
  bool plain = false;          // Scalar: written without quotes
  bool flow = false;           // Sequence, Mapping: written with brackets
  std::string text;            // Scalar
  Mark start, end;             // [start, end) in the text; of a block collection: up to the end of its last value
  std::vector<Node> children;  // Sequence: the items; Mapping: key, value, key, value, …

  [[nodiscard]] bool is_scalar() const { return kind == NodeKind::Scalar; }
  [[nodiscard]] bool is_sequence() const { return kind == NodeKind::Sequence; }
  [[nodiscard]] bool is_mapping() const { return kind == NodeKind::Mapping; }
  // Nothing written, `~` or `null`.
  [[nodiscard]] bool is_null() const;
  // Number of items or of key-value pairs.
  [[nodiscard]] std::size_t size() const { return is_mapping() ? children.size() / 2 : children.size(); }
  [[nodiscard]] const Node& key(std::size_t i) const { return children[2 * i]; }
  [[nodiscard]] const Node& value(std::size_t i) const { return children[2 * i + 1]; }
  // Mapping: the value of a key, or null.
  [[nodiscard]] const Node* find(std::string_view name) const;
  // A few words for «expected …, found …».
  [[nodiscard]] std::string describe() const;
};

// The one document of the text. Errors carry line and column, no file.
Result<Node> parse_yaml(std::string_view text);

}  // namespace filum::io
