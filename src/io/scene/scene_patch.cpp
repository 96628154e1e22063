// Changing values in a scene's text while every other byte stays.
#include <filum/scene_file.hpp>

#include "io/scene/scene_text.hpp"

namespace filum {
namespace {

// A scene it must be with all changes: two that belong together may be none with one alone.
Result<std::string> if_scene(std::string text, const std::string& name) {
  const Result<Scene> scene = parse_scene(text, name);
  if (!scene) return scene.error();
  return text;
}

}  // namespace

Result<std::string> patch_scene(std::string_view text, const std::string& name, const std::vector<Patch>& patches) {
  std::string now(text);
  for (const Patch& patch : patches) {
    Result<std::string> patched = io::with_value(now, name, patch.path, patch.value);
    if (!patched) return patched;
    now = std::move(*patched);
  }
  return if_scene(std::move(now), name);
}

Result<std::string> add_to_scene(std::string_view text, const std::string& name, const std::string& path,
                                 const std::string& value, const std::string& key) {
  Result<std::string> added =
      key.empty() ? io::with_item(text, name, path, value) : io::with_entry(text, name, path, key, value);
  if (!added) return added;
  return if_scene(std::move(*added), name);
}

Result<std::string> remove_from_scene(std::string_view text, const std::string& name, const std::string& path) {
  Result<std::string> cut = io::without(text, name, path);
  if (!cut) return cut;
  return if_scene(std::move(*cut), name);
}

}  // namespace filum
