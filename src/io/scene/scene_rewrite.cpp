// A scene written into the text it came from: what has changed is changed there, and all else stays.
//
// The scene that the text says and the new one are both written as fresh text, which knows one form of everything, and
// the two trees are walked side by side. A value that differs is set in the old text; things that came or went are
// added and cut out. Where the old text says a thing in another form than fresh text does (three points of an arc,
// tangent and normal), the smallest part that can be replaced is. The result must read back as the new scene, otherwise
// the whole is written afresh.
#include <filum/scene_file.hpp>

#include "io/scene/scene_read.hpp"
#include "io/scene/scene_text.hpp"
#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace filum {
namespace io {
namespace {

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.text == b.text &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const Node& x, const Node& y) { return same(x, y); });
}

// A tree on one line.
std::string flow_text(const Node& node) {
  if (node.is_scalar()) return node.plain ? node.text : yaml_scalar(node.text);
  std::vector<std::string> items;
  for (std::size_t i = 0; i < node.size(); ++i)
    items.push_back(node.is_mapping() ? fmt::format("{}: {}", yaml_scalar(node.key(i).text), flow_text(node.value(i)))
                                      : flow_text(node.children[i]));
  const std::string inner = fmt::format("{}", fmt::join(items, ", "));
  return node.is_mapping() ? "{" + inner + "}" : "[" + inner + "]";
}

std::string name_of(const Node& item) {
  const Node* name = item_name(item);
  return name ? name->text : std::string();
}

bool is_named_list(const Node& node) {
  return node.is_sequence() &&
         std::all_of(node.children.begin(), node.children.end(), [](const Node& item) { return item.find("name"); });
}

bool is_reeving(const Node& node) {
  return node.is_sequence() && node.size() > 0 && std::all_of(node.children.begin(), node.children.end(), reeving_name);
}

class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) {}
  [[nodiscard]] const std::string& text() const { return text_; }

  // Makes the text say `now` at `path`, where it says `before`. False: it cannot be said there.
  bool rewrite(const std::string& path, const Node& before, const Node& now) {
    if (same(before, now)) return true;
    const std::string kept = text_;
    bool done = false;
    if (before.is_mapping() && now.is_mapping())
      done = rewrite_mapping(path, before, now);
    else if (is_reeving(before) && is_reeving(now))
      done = rewrite_reeving(path, before, now);
    else if (before.is_sequence() && now.is_sequence())
      done = is_named_list(before) && is_named_list(now) ? rewrite_named(path, before, now)
                                                         : rewrite_list(path, before, now);
    if (done) return true;
    // as a whole
    text_ = kept;
    return !path.empty() && take(with_value(text_, {}, path, flow_text(now)));
  }

 private:
  bool take(Result<std::string> changed) {
    if (!changed) return false;
    text_ = std::move(*changed);
    return true;
  }

  bool rewrite_mapping(const std::string& path, const Node& before, const Node& now) {
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!now.find(before.key(i).text) && !take(without(text_, {}, joined(path, before.key(i).text)))) return false;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const std::string& key = now.key(i).text;
      const Node* old = before.find(key);
      const bool done =
          old ? rewrite(joined(path, key), *old, now.value(i)) : take(with_entry_or_lines(path, key, now.value(i)));
      if (!done) return false;
    }
    return true;
  }

  // A top-level list that the text lacks gets lines of its own.
  [[nodiscard]] Result<std::string> with_entry_or_lines(const std::string& path, const std::string& key,
                                                        const Node& value) const {
    if (!path.empty() || !value.is_sequence() || value.size() == 0 || value.children.front().is_scalar())
      return with_entry(text_, {}, path, key, flow_text(value));
    std::string lines = text_;
    if (!lines.empty() && lines.back() != '\n') lines += '\n';
    lines += key + ":\n";
    for (const Node& item : value.children) lines += fmt::format("  - {}\n", flow_text(item));
    const Result<Node> root = parse_yaml(lines);
    if (root && root->find(key) && same(*root->find(key), value)) return lines;
    return with_entry(text_, {}, path, key, flow_text(value));
  }

  // Items that have names: those that are gone are cut out, the others compared, new ones added at the end.
  bool rewrite_named(const std::string& path, const Node& before, const Node& now) {
    std::set<std::string> wanted;
    for (const Node& item : now.children) wanted.insert(name_of(item));
    std::vector<const Node*> kept;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (wanted.count(name_of(before.children[i])) == 0) continue;
      kept.push_back(&before.children[i]);
      places.push_back(i);
    }
    // what stays must stay in its order, before what is new
    if (kept.size() > now.size() || kept.empty()) return false;
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (name_of(*kept[k]) != name_of(now.children[k])) return false;
    // an item without a name in the text is called by its place: if that changes it needs one
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (places[k] != k && !keep_name(path, places[k], name_of(*kept[k]))) return false;
    for (std::size_t i = before.size(); i-- > 0;)
      if (std::find(places.begin(), places.end(), i) == places.end() &&
          !take(without(text_, {}, joined(path, std::to_string(i)))))
        return false;
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (!rewrite(joined(path, std::to_string(k)), *kept[k], now.children[k])) return false;
    return append(path, now, kept.size());
  }

  // Winches, sheaves and ropes, which the text may have in any order and calls by their names.
  bool rewrite_reeving(const std::string& path, const Node& before, const Node& now) {
    const auto find = [](const Node& list, const std::string& name) -> const Node* {
      for (const Node& item : list.children)
        if (name_of(item) == name) return &item;
      return nullptr;
    };
    for (const Node& item : before.children)
      if (!find(now, name_of(item)) && !take(without(text_, {}, joined(path, name_of(item))))) return false;
    for (const Node& item : now.children) {
      const Node* old = find(before, name_of(item));
      const bool done =
          old ? rewrite(joined(path, name_of(item)), *old, item) : take(with_item(text_, {}, path, flow_text(item)));
      if (!done) return false;
    }
    return true;
  }

  bool keep_name(const std::string& path, std::size_t place, const std::string& name) {
    const Result<Node> root = parse_yaml(text_);
    const std::string item = joined(path, std::to_string(place));
    const Found found = root ? follow(*root, item) : Found{nullptr, item};
    if (!root || !found.rest.empty()) return false;
    return found.node->find("name") || take(with_value(text_, {}, joined(item, "name"), yaml_scalar(name)));
  }

  // Items without names: those alike at the beginning and at the end stay; of the rest as many as both have are
  // compared one by one, and what is left is cut out or added.
  bool rewrite_list(const std::string& path, const Node& before, const Node& now) {
    const bool plain =
        std::any_of(now.children.begin(), now.children.end(), [](const Node& n) { return n.is_scalar(); });
    if (plain || before.size() == 0 || now.size() == 0) return false;
    std::size_t head = 0;
    while (head < std::min(before.size(), now.size()) && same(before.children[head], now.children[head])) ++head;
    std::size_t tail = 0;
    while (head + tail < std::min(before.size(), now.size()) &&
           same(before.children[before.size() - 1 - tail], now.children[now.size() - 1 - tail]))
      ++tail;
    const std::size_t old_middle = before.size() - head - tail;
    const std::size_t new_middle = now.size() - head - tail;
    if (new_middle > old_middle && tail > 0) return false;
    for (std::size_t i = head + old_middle; i-- > head + new_middle && new_middle < old_middle;)
      if (!take(without(text_, {}, joined(path, std::to_string(i))))) return false;
    for (std::size_t i = head; i < head + std::min(old_middle, new_middle); ++i)
      if (!rewrite(joined(path, std::to_string(i)), before.children[i], now.children[i])) return false;
    return new_middle <= old_middle || append(path, now, head + old_middle);
  }

  bool append(const std::string& path, const Node& now, std::size_t from) {
    for (std::size_t i = from; i < now.size(); ++i)
      if (!take(with_item(text_, {}, path, flow_text(now.children[i])))) return false;
    return true;
  }

  std::string text_;
};

}  // namespace
}  // namespace io

std::string rewrite_scene(std::string_view text, const std::string& name, const Scene& scene) {
  const std::string fresh = write_scene(scene);
  const Result<io::ReadScene> before = io::read_valid_scene(text, name);
  if (!before) return fresh;
  if (before->scene == scene) return std::string(text);
  const Result<io::Node> old_tree = io::parse_yaml(write_scene(before->scene));
  const Result<io::Node> new_tree = io::parse_yaml(fresh);
  if (!old_tree || !new_tree) return fresh;
  io::Rewriter rewriter(text);
  if (!rewriter.rewrite("", *old_tree, *new_tree)) return fresh;
  const Result<io::ReadScene> after = io::read_valid_scene(rewriter.text(), name);
  return after && after->scene == scene ? rewriter.text() : fresh;
}

}  // namespace filum
