#include "io/scene/scene_files.hpp"

#include "io/file_read.hpp"
#include "io/outside_path.hpp"
#include "io/yaml/yaml_tree.hpp"

namespace filum::io {

namespace {

// Values of the keys `file`, however deep.
void find_files(const Node& node, std::vector<const Node*>& found) {
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (node.is_sequence()) find_files(node.children[i], found);
    if (!node.is_mapping()) continue;
    if (node.key(i).text == "file" && node.value(i).is_scalar()) found.push_back(&node.value(i));
    find_files(node.value(i), found);
  }
}

const Node* inside(const Node* node, const char* key) {
  return node != nullptr && node->is_mapping() ? node->find(key) : nullptr;
}

}  // namespace

Status check_named_files(std::string_view text, const std::string& name,
                         const std::vector<std::filesystem::path>& folders) {
  if (folders.empty()) return Done{};
  const Result<Node> root = parse_yaml(text);
  if (!root) return Done{};
  std::vector<const Node*> named;
  if (const Node* rods = inside(&*root, "rods")) find_files(*rods, named);
  const Node* start = inside(inside(&*root, "simulation"), "start");
  if (const Node* result = inside(start, "result"); result != nullptr && result->is_scalar()) named.push_back(result);
  for (const Node* each : named) {
    std::string path = each->text;
    // a folder may be written as one
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const auto checked = checked_path(path, {{}, folders, folder_of(name)});
    if (checked) continue;
    return Error{checked.error().code, checked.error().text(), name, each->start.line, each->start.column};
  }
  return Done{};
}

Scene with_points_inside(Scene scene) {
  for (Rod& rod : scene.rods) {
    rod.shape.file.clear();
    rod.rest.curve.file.clear();
  }
  return scene;
}

}  // namespace filum::io
