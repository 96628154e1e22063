// What has changed between two scenes, told by the path of the first value that differs.
//
// Both are written as fresh text, which leaves out defaults and knows one form of everything, without the keys that
// their descriptions call free, and the two trees are walked side by side: a key that scenes learn later is compared
// without a word here.
#include <filum/scene_file.hpp>

#include "io/scene/scene_files.hpp"
#include "io/scene/scene_text.hpp"
#include "io/scene/scene_write.hpp"
#include "io/yaml/yaml_tree.hpp"

#include <fmt/format.h>

namespace filum {
namespace io {
namespace {

// An item of a list by its name, if it has one.
std::string part_of(const Node& item, std::size_t index) {
  const Node* name = item_name(item);
  return name ? name->text : std::to_string(index);
}

// A list of plain values, a vector, is told as a whole.
bool is_vector(const Node& node) {
  if (!node.is_sequence()) return false;
  for (const Node& item : node.children)
    if (!item.is_scalar()) return false;
  return true;
}

std::string short_text(const Node& node) {
  // minus zero is zero
  if (node.is_scalar()) return node.text == "-0" ? "0" : node.text;
  std::string text;
  for (const Node& item : node.children) text += (text.empty() ? "" : ", ") + short_text(item);
  return "[" + text + "]";
}

// What stands on one side alone.
std::string told(const std::string& path, bool now) {
  return fmt::format("{} ({})", path, now ? "not there then" : "not there now");
}

std::optional<std::string> difference(const Node& before, const Node& now, const std::string& path) {
  // values
  const bool plain = (before.is_scalar() || is_vector(before)) && (now.is_scalar() || is_vector(now));
  if (plain) {
    const std::string then = short_text(before);
    if (then == short_text(now)) return std::nullopt;
    return fmt::format("{} ({} then, {} now)", path, then, short_text(now));
  }
  if (before.kind != now.kind) return path;
  // keys
  for (std::size_t i = 0; before.is_mapping() && i < before.size(); ++i) {
    const std::string inner = joined(path, before.key(i).text);
    const Node* other = now.find(before.key(i).text);
    if (!other) return told(inner, false);
    if (auto found = difference(before.value(i), *other, inner)) return found;
  }
  for (std::size_t i = 0; now.is_mapping() && i < now.size(); ++i)
    if (!before.find(now.key(i).text)) return told(joined(path, now.key(i).text), true);
  // items
  for (std::size_t i = 0; before.is_sequence() && i < std::max(before.size(), now.size()); ++i) {
    if (i >= now.size()) return told(joined(path, part_of(before.children[i], i)), false);
    const std::string inner = joined(path, part_of(now.children[i], i));
    if (i >= before.size()) return told(inner, true);
    if (auto found = difference(before.children[i], now.children[i], inner)) return found;
  }
  return std::nullopt;
}

}  // namespace
}  // namespace io

std::optional<std::string> changed_since(const Scene& before, const Scene& now) {
  const auto then_tree = io::parse_yaml(io::scene_text(io::with_points_inside(before), io::Extent::Binding));
  const auto now_tree = io::parse_yaml(io::scene_text(io::with_points_inside(now), io::Extent::Binding));
  if (!then_tree || !now_tree) return "the scene";
  return io::difference(*then_tree, *now_tree, "");
}

}  // namespace filum
