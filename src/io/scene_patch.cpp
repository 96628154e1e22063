// Changing values in a scene's text while every other byte stays.
//
// A path is keys, names and list indices (from 0) with dots between them: «rods.hose.length», «holds.2.at»,
// «holds.frame end.at». Names may hold dots themselves: at each level the longest name that fits is taken.
#include <filum/files.hpp>

#include "io/yaml_scalar.hpp"
#include "io/yaml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace filum {
namespace io {
namespace {

// Does `path` begin with this whole part? Then how many characters does it take, the dot included?
std::size_t part_length(std::string_view path, std::string_view part) {
  if (part.empty() || !path.starts_with(part)) return 0;
  if (path.size() == part.size()) return part.size();
  return path[part.size()] == '.' && path.size() > part.size() + 1 ? part.size() + 1 : 0;
}

// One step down the path, or null; `path` loses what was taken.
const Node* descend(const Node& node, std::string_view& path) {
  const Node* best = nullptr;
  std::size_t taken = 0;
  const auto consider = [&](std::string_view name, const Node& target) {
    const std::size_t length = part_length(path, name);
    if (length > taken) {
      taken = length;
      best = &target;
    }
  };
  for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) consider(node.key(i).text, node.value(i));
  // an item of a list: by its name, else by its place
  if (node.is_sequence()) {
    for (const Node& item : node.children)
      if (const Node* name = item.find("name"); name && name->is_scalar()) consider(name->text, item);
    std::size_t index = 0;
    const auto [end, code] = std::from_chars(path.data(), path.data() + path.size(), index);
    if (!best && code == std::errc{} && index < node.size())
      consider(path.substr(0, static_cast<std::size_t>(end - path.data())), node.children[index]);
  }
  path.remove_prefix(taken);
  return best;
}

struct Found {
  const Node* node;
  std::string_view rest;  // what of the path the text does not have
};

Found follow(const Node& root, std::string_view path) {
  Found found{&root, path};
  while (!found.rest.empty()) {
    const Node* next = descend(*found.node, found.rest);
    if (!next) break;
    found.node = next;
  }
  return found;
}

// The text after a replacement, and where the new value stands in it.
struct Patched {
  std::string text;
  std::size_t begin = 0;
};

Patched splice(std::string_view text, std::size_t begin, std::size_t end, std::string_view before,
               std::string_view value, std::string_view after) {
  Patched patched;
  patched.text.reserve(text.size() + before.size() + value.size() + after.size());
  patched.text.append(text.substr(0, begin)).append(before).append(value).append(after).append(text.substr(end));
  patched.begin = begin + before.size();
  return patched;
}

Patched replace_value(std::string_view text, const Node& node, std::string_view value) {
  const std::size_t begin = node.start.byte;
  std::size_t end = node.end.byte;
  // a key without a value: nothing to replace, but a blank or a colon to set before
  if (begin == end) {
    const bool colon = begin > 0 && text[begin - 1] == ':';
    const bool blank = begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '-');
    return splice(text, begin, end, colon ? " " : blank ? "" : ": ", value, "");
  }
  // a text over several lines ends with the line break that also ends its key
  while (end > begin && (text[end - 1] == '\n' || text[end - 1] == '\r' || text[end - 1] == ' ')) --end;
  return splice(text, begin, end, "", value, "");
}

// Keys that are missing: the outermost is set into the mapping, the others in brackets within it.
Patched add_value(std::string_view text, const Node& mapping, std::string_view path, std::string_view value) {
  std::string before;
  std::string after;
  for (bool outermost = true; !path.empty(); outermost = false) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    before += fmt::format("{}{}: ", outermost ? "" : "{", yaml_scalar(path.substr(0, dot)));
    if (!outermost) after += "}";
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  // in brackets: behind the last value, or behind the opening bracket
  if (mapping.flow) {
    const bool empty = mapping.size() == 0;
    const std::size_t at = empty ? mapping.start.byte + 1 : mapping.children.back().end.byte;
    return splice(text, at, at, (empty ? "" : ", ") + before, value, after);
  }
  // as lines: a line of its own below the last value, indented like the first key
  std::size_t at = mapping.end.byte;
  while (at > 0 && text[at - 1] == '\n') --at;
  at = std::min(text.find('\n', at), text.size());
  if (at > 0 && at < text.size() && text[at - 1] == '\r') --at;
  const std::string indent(static_cast<std::size_t>(mapping.start.column - 1), ' ');
  const bool windows = text.substr(at).starts_with('\r');
  return splice(text, at, at, (windows ? "\r\n" : "\n") + indent + before, value, after);
}

Error path_error(const std::string& name, std::string message) {
  return {ErrorCode::BadInput, std::move(message), name, 0, 0};
}

// The text with one value changed: still YAML, maybe not a scene yet.
Result<std::string> patch_text(std::string_view text, const std::string& name, std::string_view path,
                               std::string_view value) {
  // blanks around the value are not part of it
  const std::size_t first = std::min(value.find_first_not_of(" \t\r\n"), value.size());
  value = value.substr(first, value.find_last_not_of(" \t\r\n") - first + 1);
  if (value.empty()) return path_error(name, fmt::format("{}: no value given", path));

  // find the value, or the mapping that lacks it
  Result<Node> root = parse_yaml(text);
  if (!root) {
    Error error = root.error();
    error.file = name;
    return error;
  }
  const Found found = follow(*root, path);
  if (path.empty() || found.rest.starts_with('.') || found.rest.ends_with('.') ||
      found.rest.find("..") != std::string_view::npos)
    return path_error(name, fmt::format("'{}' is not a path such as rods.hose.length", path));
  if (!found.rest.empty() && !found.node->is_mapping())
    return path_error(name, fmt::format("{}: there is no '{}' in the scene", path, found.rest));

  // change the text, and make sure that exactly this value has changed
  Patched patched =
      found.rest.empty() ? replace_value(text, *found.node, value) : add_value(text, *found.node, found.rest, value);
  root = parse_yaml(patched.text);
  const Found now = root ? follow(*root, path) : Found{nullptr, path};
  if (!root || !now.rest.empty() || now.node->start.byte != patched.begin ||
      now.node->end.byte != patched.begin + value.size())
    return path_error(name, fmt::format("{}: '{}' is not a value that can stand here", path, value));
  return std::move(patched.text);
}

}  // namespace
}  // namespace io

Result<std::string> patch_scene(std::string_view text, const std::string& name, const std::vector<Patch>& patches) {
  std::string now(text);
  for (const Patch& patch : patches) {
    Result<std::string> patched = io::patch_text(now, name, patch.path, patch.value);
    if (!patched) return patched;
    now = std::move(*patched);
  }
  // a scene it must be with all of them: two that belong together may be none with one alone
  const Result<Scene> scene = parse_scene(now, name);
  if (!scene) return scene.error();
  return now;
}

}  // namespace filum
