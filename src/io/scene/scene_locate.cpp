#include "io/scene/scene_locate.hpp"

#include "io/scene/scene_text.hpp"

#include <charconv>

namespace filum::io {

Mark locate(const Node& root, const std::vector<std::string>& path) {
  const Node* node = &root;
  Mark mark = root.start;
  for (const std::string& part : path) {
    // a list index
    std::size_t index = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool is_index = code == std::errc{} && end == part.data() + part.size();
    // one level down, if the text has it
    const Node* next = node->find(part);
    for (std::size_t i = 0; node->is_sequence() && !next && i < node->size(); ++i)
      if (const Node* name = reeving_name(node->children[i]); name && name->text == part) next = &node->children[i];
    if (!next && node->is_sequence() && is_index && index < node->size()) next = &node->children[index];
    if (!next) break;
    node = next;
    mark = node->start;
  }
  return mark;
}

}  // namespace filum::io
