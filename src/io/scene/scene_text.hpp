// A scene's text with one thing in it changed, added or taken away, and every other byte as it was.
//
// A path is keys, names and list indices (from 0) with dots between them: «rods.hose.length», «holds.2.at»,
// «holds.frame end.at». Names may hold dots themselves: at each level the longest name that fits is taken. What comes
// out is still YAML, maybe not a scene yet.
#pragma once

#include "io/yaml/yaml_tree.hpp"

#include <filum/result.hpp>

#include <string>
#include <string_view>

namespace filum::io {

// What an item of a list is called by: its `name`, or, if it is a winch, a sheave or a rope of the reeving, what stands
// behind that word. Null: it has none.
const Node* item_name(const Node& item);
const Node* reeving_name(const Node& item);

// How far the text has what a path names.
struct Found {
  const Node* node;
  std::string_view rest;  // what of the path the text does not have
};
Found follow(const Node& root, std::string_view path);

// One part more behind a path, which may be empty.
std::string joined(std::string_view path, std::string_view part);

// A value replaced, or added with the keys that lead to it.
Result<std::string> with_value(std::string_view text, const std::string& name, std::string_view path,
                               std::string_view value);

// One more key in the mapping at `path`, which is made if the text lacks it. The key is taken whole, dots and all.
Result<std::string> with_entry(std::string_view text, const std::string& name, std::string_view path,
                               std::string_view key, std::string_view value);

// One more item at the end of the list at `path`, which is made if the text lacks it.
Result<std::string> with_item(std::string_view text, const std::string& name, std::string_view path,
                              std::string_view item);

// Without the key or item at `path` and what stands behind it on its lines.
Result<std::string> without(std::string_view text, const std::string& name, std::string_view path);

}  // namespace filum::io
