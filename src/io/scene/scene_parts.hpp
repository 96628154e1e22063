// The reader, part by part: each function takes the tree of one kind of thing and fills its place in the scene.
#pragma once

#include "io/scene/scene_fields.hpp"

#include <filum/scene.hpp>

#include <string>
#include <string_view>

namespace filum::io {

// Curves may come from a file beside the scene, whose folder is `folder`.
Curve read_curve(const Node& node, const std::string& folder, const std::string& owner);
RestShape read_rest(const Node& node, const std::string& folder, const std::string& owner);

// A text as a scene that is right in itself, whether its formulation can honour it or not, and its tree.
struct ReadScene {
  Scene scene;
  Node root;
};
Result<ReadScene> read_valid_scene(std::string_view text, const std::string& name);

void read_materials(const Node& node, Scene& scene);
void read_sections(const Node& node, Scene& scene);
void read_rods(const Node& node, const std::string& folder, Scene& scene);
void read_bodies(const Node& node, Scene& scene);
void read_scenery(const Node& node, Scene& scene);
void read_holds(const Node& node, Scene& scene);
void read_junctions(const Node& node, Scene& scene);
void read_forces(const Node& node, Scene& scene);
void read_torques(const Node& node, Scene& scene);
void read_distributed(const Node& node, Scene& scene);
void read_obstacles(const Node& node, Scene& scene);
void read_reeving(const Node& node, Scene& scene);
void read_drivers(const Node& node, Scene& scene);
void read_routing(const Node& node, Scene& scene);
void read_simulation(const Node& node, Scene& scene);
void read_record(const Node& node, Scene& scene);

}  // namespace filum::io
