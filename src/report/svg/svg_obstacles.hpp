// Obstacles and bodies in a picture: their surfaces as facets of glass, as bodies are drawn, so that what lies behind shows.
#pragma once

#include "report/svg/scene_view.hpp"
#include "report/svg/svg_items.hpp"

namespace filum::io {

// All but planes, which are ground or lines.
void add_obstacles(std::vector<Item>& items, const SceneView& view, const Camera& camera);

// Bodies of whatever shape.
void add_bodies(std::vector<Item>& items, const SceneView& view, const Camera& camera);

}  // namespace filum::io
