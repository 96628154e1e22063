// Scene files: read, written, patched as text.
#pragma once

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum {

// Reads and validates a scene file, and its scenery as far as that is to be found. Every error names file, line and
// column.
Result<Scene> read_scene(const std::string& path);

// Reads the meshes of the scenery, for who wants to know how near rods come to them. What cannot be read stays a mesh
// to look at: why.
std::vector<Error> read_scenery(Scene& scene, const std::string& scene_file);

// The same from text in memory; `name` stands for the file in messages, and relative files are looked up beside it.
Result<Scene> parse_scene(std::string_view text, const std::string& name);

// The folder of the result that the scene's `start` names, which is relative to the scene file.
std::string start_folder(const Scene& scene, const std::string& scene_file);

// The scene as a fresh YAML text that parses back to an equal scene.
std::string write_scene(const Scene& scene);

// A new value in a scene's text: «rods.hose.length», «0.45».
struct Patch {
  std::string path;
  std::string value;
};

// Changes these values, one after the other, and leaves every other byte, comments included, as it was. The text with
// all of them is parsed and validated before it is returned.
Result<std::string> patch_scene(std::string_view text, const std::string& name, const std::vector<Patch>& patches);

// One more item in the list at `path` («holds»), or with a `key` one more entry in the mapping there («rods»); and
// without the item or key at `path`. The rest of the text stays likewise.
Result<std::string> add_to_scene(std::string_view text, const std::string& name, const std::string& path,
                                 const std::string& value, const std::string& key = {});
Result<std::string> remove_from_scene(std::string_view text, const std::string& name, const std::string& path);

// The text made to say `scene`: comments, order and layout stay where nothing changed. If that cannot be, fresh text.
std::string rewrite_scene(std::string_view text, const std::string& name, const Scene& scene);

// The first thing that must be as it was if a run is to go on, and is not: «gravity ([0, 0, -9.81] then, [0, 0, 0]
// now)». Free to change are title, drivers, limits, record and what a
// winch does, and of `simulation` the step, its control, end and start.
std::optional<std::string> changed_since(const Scene& before, const Scene& now);

}  // namespace filum
