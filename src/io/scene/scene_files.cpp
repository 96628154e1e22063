#include "io/scene/scene_files.hpp"

#include "io/file_read.hpp"
#include "io/outside_path.hpp"
#include "io/yaml/yaml_tree.hpp"
#include "scene/describe/tables.hpp"

namespace filum::io {

namespace {

// Whether the descriptions of the scene have a key of this name whose value is a file.
bool names_file(std::string_view key) {
  for (const scene::Table* table : scene::all_tables())
    for (const scene::Field& field : table->fields)
      if (field.kind == scene::Kind::File && field.key == key) return true;
  return false;
}

// Values of such keys, however deep.
void find_files(const Node& node, std::vector<const Node*>& found) {
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (node.is_sequence()) find_files(node.children[i], found);
    if (!node.is_mapping()) continue;
    if (node.value(i).is_scalar() && names_file(node.key(i).text)) found.push_back(&node.value(i));
    find_files(node.value(i), found);
  }
}

}  // namespace

Status check_named_files(std::string_view text, const std::string& name,
                         const std::vector<std::filesystem::path>& folders) {
  if (folders.empty()) return Done{};
  const Result<Node> root = parse_yaml(text);
  if (!root) return Done{};
  std::vector<const Node*> named;
  // meshes to look at are judged when a page asks for one, and those that were dropped lie nowhere yet
  for (std::size_t i = 0; root->is_mapping() && i < root->size(); ++i)
    if (root->key(i).text != "scenery") find_files(root->value(i), named);
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
