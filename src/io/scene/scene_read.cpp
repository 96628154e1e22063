// Scene files: the top level of the reader.
#include <filum/scene_file.hpp>

#include "io/file_read.hpp"
#include "io/mesh/mesh_read.hpp"
#include "io/scene/scene_locate.hpp"
#include "io/scene/scene_read.hpp"
#include "scene/describe/tables.hpp"
#include "scene/validate.hpp"
#include "sim/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace filum {
namespace io {

namespace {

// Version first: what another version means by its keys is not ours to judge.
void check_version(const Node& root) {
  if (!root.is_mapping())
    refuse(root, fmt::format("expected a scene that begins with 'filum: 1', found {}", root.describe()));
  for (std::size_t i = 0; i < root.size(); ++i)
    if (root.key(i).text == "channel")
      refuse(root.key(i), "this is a channel file, not a scene: it is read by 'filum channel'");
  const Node* version = root.find("filum");
  if (!version) refuse(root, "missing 'filum: 1', the version of the scene format");
  if (!version->is_scalar() || version->text != "1")
    refuse(*version, fmt::format("expected version 'filum: 1', found {}", version->describe()));
}

// The mesh of an obstacle or a body.
template <class Thing>
void read_mesh(Thing& thing, std::vector<std::string> path, const Node& root, const std::string& folder) {
  auto surface = read_surface((std::filesystem::path(folder) / thing.mesh).string(), thing.scale);
  path.emplace_back("mesh");
  if (!surface)
    throw Refused{located(surface.error().code,
                          {std::move(path), "mesh '" + thing.mesh + "': " + surface.error().message}, root, {})};
  thing.surface = *surface;
}

// The meshes of obstacles, each file once, and of bodies.
void read_meshes(Scene& scene, const Node& root, const std::string& folder) {
  for (Body& body : scene.bodies)
    if (body.shape == BodyShape::Mesh) read_mesh(body, {"bodies", body.name}, root, folder);
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
    Obstacle& obstacle = scene.obstacles[i];
    if (obstacle.shape != ObstacleShape::Mesh) continue;
    for (std::size_t k = 0; k < i && !obstacle.surface; ++k)
      if (scene.obstacles[k].mesh == obstacle.mesh && scene.obstacles[k].scale == obstacle.scale)
        obstacle.surface = scene.obstacles[k].surface;
    if (obstacle.surface) continue;
    read_mesh(obstacle, {"obstacles", std::to_string(i)}, root, folder);
  }
}

}  // namespace

Error located(ErrorCode code, const scene::Problem& problem, const Node& root, const std::string& name) {
  const Mark mark = locate(root, problem.path);
  return {code, problem.message, name, mark.line, mark.column};
}

Scene build_scene(const Node& root, const std::string& folder) {
  check_version(root);
  Scene scene;
  read_table(root, scene::tables::scene, &scene, "scene", folder);
  return scene;
}

Result<ReadScene> read_valid_scene(std::string_view text, const std::string& name) {
  const auto in_file = [&](Error error) {
    if (error.file.empty()) error.file = name;
    return error;
  };
  // text to tree
  Result<Node> root = parse_yaml(text);
  if (!root) return in_file(root.error());
  try {
    // tree to scene, then what only the whole scene can tell
    Scene scene = build_scene(*root, folder_of(name));
    if (const auto problem = scene::validate(scene)) return located(ErrorCode::BadInput, *problem, *root, name);
    read_meshes(scene, *root, folder_of(name));
    return ReadScene{std::move(scene), std::move(*root)};
  } catch (const Refused& refused) {
    return in_file(refused.error);
  }
}

Status check_solid_scenery(const Scene& scene, std::string_view text, const std::string& name) {
  const auto lacks = [](const Scenery& item) { return item.solid && !item.surface; };
  const auto item = std::find_if(scene.scenery.begin(), scene.scenery.end(), lacks);
  if (item == scene.scenery.end()) return Done{};
  const scene::Problem problem{{"scenery", item->name, "mesh"},
                               "mesh '" + item->mesh + "' cannot be read, and scenery '" + item->name + "' is solid"};
  const Result<Node> root = parse_yaml(text);
  return root ? located(ErrorCode::BadInput, problem, *root, name) : root.error();
}

}  // namespace io

Result<Scene> parse_scene(std::string_view text, const std::string& name) {
  Result<io::ReadScene> read = io::read_valid_scene(text, name);
  if (!read) return read.error();
  if (const auto refused = sim::refusal(read->scene))
    return io::located(ErrorCode::NotSupported, *refused, read->root, name);
  return std::move(read->scene);
}

std::string start_folder(const Scene& scene, const std::string& scene_file) {
  const std::filesystem::path folder(scene.simulation.start_result);
  return (std::filesystem::path(scene_file).parent_path() / folder).string();
}

std::vector<Error> read_scenery(Scene& scene, const std::string& scene_file) {
  std::vector<Error> unread;
  for (Scenery& item : scene.scenery) {
    const std::string path = (std::filesystem::path(io::folder_of(scene_file)) / item.mesh).string();
    if (auto surface = io::read_surface(path, item.scale))
      item.surface = *surface;
    else
      unread.push_back({surface.error().code, "scenery '" + item.name + "': " + surface.error().message, path, 0, 0});
  }
  return unread;
}

Result<Scene> read_scene(const std::string& path) {
  const Result<std::string> text = io::read_text_file(path);
  if (!text) return text.error();
  Result<Scene> scene = parse_scene(*text, path);
  if (!scene) return scene;
  (void)read_scenery(*scene, path);
  if (auto solid = io::check_solid_scenery(*scene, *text, path); !solid) return solid.error();
  return scene;
}

}  // namespace filum
