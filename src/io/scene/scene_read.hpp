// The reader of scenes: a tree becomes a Scene by the descriptions of its mappings.
#pragma once

#include "io/scene/scene_fields.hpp"
#include "scene/validate.hpp"

#include <filum/scene.hpp>

#include <string>
#include <string_view>

namespace filum::io {

// Fills a thing by the keys of its table. `label` names it in messages, files are looked up in `folder`.
void read_table(const Node& node, const scene::Table& table, void* thing, const std::string& label,
                const std::string& folder);

// Forms of their own. Curves may come from a file beside the scene.
Curve read_curve(const Node& node, const std::string& folder, const std::string& owner);
RestShape read_rest(const Node& node, const std::string& folder, const std::string& owner);

// A tree as a scene whose values are of the right kinds; throws Refused.
Scene build_scene(const Node& root, const std::string& folder);

// A text as a scene that is right in itself, whether its formulation can honour it or not, and its tree.
struct ReadScene {
  Scene scene;
  Node root;
};
Result<ReadScene> read_valid_scene(std::string_view text, const std::string& name);

// That everything solid of the scenery has been read (`read_scenery`); if not, where the scene's text asks for it.
Status check_solid_scenery(const Scene& scene, std::string_view text, const std::string& name);

// A problem with its line and column.
Error located(ErrorCode code, const scene::Problem& problem, const Node& root, const std::string& name);

}  // namespace filum::io
