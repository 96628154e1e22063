#include "io/scene/scene_text.hpp"

#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace filum::io {
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
      if (const Node* name = item_name(item); name && name->is_scalar()) consider(name->text, item);
    std::size_t index = 0;
    const auto [end, code] = std::from_chars(path.data(), path.data() + path.size(), index);
    if (!best && code == std::errc{} && index < node.size())
      consider(path.substr(0, static_cast<std::size_t>(end - path.data())), node.children[index]);
  }
  path.remove_prefix(taken);
  return best;
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

// The end of the last line of a value written as lines, before its line break.
std::size_t end_of_lines(std::string_view text, const Node& node) {
  std::size_t at = node.end.byte;
  while (at > node.start.byte && (text[at - 1] == '\n' || text[at - 1] == '\r' || text[at - 1] == ' ')) --at;
  at = std::min(text.find('\n', at), text.size());
  return at > 0 && at < text.size() && text[at - 1] == '\r' ? at - 1 : at;
}

// A new line below the last one of a value, indented like its first.
std::string new_line(std::string_view text, std::size_t at, const Node& node) {
  const bool windows = text.substr(at).starts_with('\r');
  return (windows ? "\r\n" : "\n") + std::string(static_cast<std::size_t>(node.start.column - 1), ' ');
}

// Keys that are missing: the outermost is set into the mapping, the others in brackets within it.
Patched add_value(std::string_view text, const Node& mapping, const std::vector<std::string_view>& keys,
                  std::string_view value) {
  std::string before;
  std::string after;
  for (const std::string_view key : keys) {
    const bool outermost = before.empty();
    before += fmt::format("{}{}: ", outermost ? "" : "{", yaml_scalar(key));
    if (!outermost) after += "}";
  }
  // in brackets: behind the last value, or behind the opening bracket
  if (mapping.flow) {
    const bool empty = mapping.size() == 0;
    const std::size_t at = empty ? mapping.start.byte + 1 : mapping.children.back().end.byte;
    return splice(text, at, at, (empty ? "" : ", ") + before, value, after);
  }
  // as lines: a line of its own below the last value
  const std::size_t at = end_of_lines(text, mapping);
  return splice(text, at, at, new_line(text, at, mapping) + before, value, after);
}

// The same for an item of a list.
Patched add_item(std::string_view text, const Node& list, std::string_view item) {
  if (list.flow) {
    const std::size_t at = list.size() == 0 ? list.start.byte + 1 : list.children.back().end.byte;
    return splice(text, at, at, list.size() == 0 ? "" : ", ", item, "");
  }
  const std::size_t at = end_of_lines(text, list);
  return splice(text, at, at, new_line(text, at, list) + "- ", item, "");
}

Error path_error(const std::string& name, std::string message) {
  return {ErrorCode::BadInput, std::move(message), name, 0, 0};
}

Error in_file(Error error, const std::string& name) {
  error.file = name;
  return error;
}

std::string_view trimmed(std::string_view value) {
  const std::size_t first = std::min(value.find_first_not_of(" \t\r\n"), value.size());
  return value.substr(first, value.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> keys;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    keys.push_back(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return keys;
}

bool is_path(std::string_view path, std::string_view rest) {
  return !path.empty() && !rest.starts_with('.') && !rest.ends_with('.') && rest.find("..") == std::string_view::npos;
}

// The changed text if exactly this value stands where it was put.
Result<std::string> confirmed(Patched patched, const std::string& name, std::string_view path, std::string_view value) {
  const Result<Node> root = parse_yaml(patched.text);
  const Found now = root ? follow(*root, path) : Found{nullptr, path};
  if (!root || !now.rest.empty() || now.node->start.byte != patched.begin ||
      now.node->end.byte != patched.begin + value.size())
    return path_error(name, fmt::format("{}: '{}' is not a value that can stand here", path, value));
  return std::move(patched.text);
}

// Bytes that go with a key or item written on lines of its own; false: it shares its first line with something else.
bool whole_lines(std::string_view text, std::size_t& begin, std::size_t& end) {
  const std::size_t line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
  if (text.substr(line, begin - line).find_first_not_of(' ') != std::string_view::npos) return false;
  begin = line;
  end = std::min(text.find('\n', end), text.size());
  end = std::min(end + 1, text.size());
  return true;
}

// The last byte of a value that says something.
std::size_t last_byte(std::string_view text, const Node& node) {
  std::size_t end = node.end.byte;
  while (end > node.start.byte && (text[end - 1] == '\n' || text[end - 1] == '\r' || text[end - 1] == ' ')) --end;
  return end;
}

// One of the things between brackets, with one of the commas beside it. Starts and ends are those of all of them.
void cut_between_brackets(std::size_t which, const std::vector<std::size_t>& starts,
                          const std::vector<std::size_t>& ends, std::size_t& begin, std::size_t& end) {
  const std::size_t count = starts.size();
  begin = which + 1 < count || which == 0 ? starts[which] : ends[which - 1];
  end = which + 1 < count ? starts[which + 1] : ends[which];
}

}  // namespace

// A driver has such words too, and the wheel of a rope, but neither a rod nor a way.
const Node* reeving_name(const Node& item) {
  if (item.find("rod"))
    for (const char* kind : {"winch", "sheave"})
      if (const Node* name = item.find(kind)) return name;
  return item.find("through") ? item.find("rope") : nullptr;
}

const Node* item_name(const Node& item) {
  const Node* name = item.find("name");
  return name ? name : reeving_name(item);
}

Found follow(const Node& root, std::string_view path) {
  Found found{&root, path};
  while (!found.rest.empty()) {
    const Node* next = descend(*found.node, found.rest);
    if (!next) break;
    found.node = next;
  }
  return found;
}

std::string joined(std::string_view path, std::string_view part) {
  return path.empty() ? std::string(part) : fmt::format("{}.{}", path, part);
}

Result<std::string> with_value(std::string_view text, const std::string& name, std::string_view path,
                               std::string_view value) {
  // blanks around the value are not part of it
  value = trimmed(value);
  if (value.empty()) return path_error(name, fmt::format("{}: no value given", path));

  // find the value, or the mapping that lacks it
  const Result<Node> root = parse_yaml(text);
  if (!root) return in_file(root.error(), name);
  const Found found = follow(*root, path);
  if (!is_path(path, found.rest))
    return path_error(name, fmt::format("'{}' is not a path such as rods.hose.length", path));
  if (!found.rest.empty() && !found.node->is_mapping())
    return path_error(name, fmt::format("{}: there is no '{}' in the scene", path, found.rest));

  // change the text, and make sure that exactly this value has changed
  Patched patched = found.rest.empty() ? replace_value(text, *found.node, value)
                                       : add_value(text, *found.node, split_path(found.rest), value);
  return confirmed(std::move(patched), name, path, value);
}

Result<std::string> with_entry(std::string_view text, const std::string& name, std::string_view path,
                               std::string_view key, std::string_view value) {
  value = trimmed(value);
  const Result<Node> root = parse_yaml(text);
  if (!root) return in_file(root.error(), name);
  const Found found = follow(*root, path);
  // a mapping that is not there, or is empty
  const bool bare = found.rest.empty() && found.node->is_null();
  if (bare || !found.rest.empty())
    return with_value(text, name, path, fmt::format("{{{}: {}}}", yaml_scalar(key), value));
  if (!found.node->is_mapping()) return path_error(name, fmt::format("{} has no names in it", path));
  if (found.node->find(key)) return path_error(name, fmt::format("{} already has {}", path, shown(key)));
  return confirmed(add_value(text, *found.node, {key}, value), name, joined(path, key), value);
}

Result<std::string> with_item(std::string_view text, const std::string& name, std::string_view path,
                              std::string_view item) {
  item = trimmed(item);
  const Result<Node> root = parse_yaml(text);
  if (!root) return in_file(root.error(), name);
  const Found found = follow(*root, path);
  if (!found.rest.empty() || found.node->is_null()) return with_value(text, name, path, fmt::format("[{}]", item));
  if (!found.node->is_sequence()) return path_error(name, fmt::format("{} is not a list", path));
  Patched patched = add_item(text, *found.node, item);
  // names may hide a place in the list: the new text is judged by where it stands
  const Result<Node> after = parse_yaml(patched.text);
  const Found now = after ? follow(*after, path) : Found{nullptr, path};
  if (!after || !now.rest.empty() || now.node->size() != found.node->size() + 1 ||
      now.node->children.back().start.byte != patched.begin)
    return path_error(name, fmt::format("{}: '{}' is not an item that can stand here", path, item));
  return std::move(patched.text);
}

Result<std::string> without(std::string_view text, const std::string& name, std::string_view path) {
  const Result<Node> root = parse_yaml(text);
  if (!root) return in_file(root.error(), name);
  // what holds it: the last node on the way of which something of the path is left
  Found holder{&*root, path};
  Found found = holder;
  while (!found.rest.empty()) {
    holder = found;
    const Node* next = descend(*found.node, found.rest);
    if (!next) return path_error(name, fmt::format("{}: there is no '{}' in the scene", path, found.rest));
    found.node = next;
  }
  if (path.empty()) return path_error(name, "the whole scene cannot be taken away");

  // where the things beside it begin and end
  const Node& parent = *holder.node;
  std::vector<std::size_t> starts;
  std::vector<std::size_t> ends;
  std::size_t which = 0;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    const Node& value = parent.is_mapping() ? parent.value(i) : parent.children[i];
    if (&value == found.node) which = i;
    const Node& first = parent.is_mapping() ? parent.key(i) : value;
    starts.push_back(first.start.byte);
    ends.push_back(std::max(last_byte(text, value), last_byte(text, first)));
  }
  std::size_t begin = starts[which];
  std::size_t end = ends[which];
  if (parent.flow) {
    cut_between_brackets(which, starts, ends, begin, end);
  } else if (parent.size() == 1 && &parent != &*root) {
    // nothing is left of it: an empty pair of brackets
    return std::move(replace_value(text, parent, parent.is_mapping() ? "{}" : "[]").text);
  } else {
    // an item of a list begins with its dash
    if (parent.is_sequence()) begin = text.rfind('-', begin == 0 ? 0 : begin - 1);
    if (begin == std::string_view::npos || !whole_lines(text, begin, end)) {
      // behind the dash of an item: up to the next key, which stands in the same column
      if (!parent.is_mapping() || which + 1 >= parent.size())
        return path_error(name, fmt::format("{} cannot be cut out of its line", path));
      begin = starts[which];
      end = starts[which + 1];
    }
  }
  return std::move(splice(text, begin, end, "", "", "").text);
}

}  // namespace filum::io
