// What a crane lifts with, in a picture: ropes as thin lines, wheels as circles, drums as balls, planes as ground.
#pragma once

#include "report/svg/scene_view.hpp"
#include "report/svg/svg_items.hpp"

#include <optional>
#include <string>
#include <vector>

namespace filum::io {

// Points of all this that must be in the picture.
void take_reeving(std::vector<Vec3>& points, const Pose& pose, const Scene& scene);

// Ropes, sheaves, wheels of ropes and drums; `ball` px is a drum's radius.
void add_reeving(std::vector<Item>& items, const SceneView& view, const Camera& camera, double ball);

// The height above the origin of the plane that lies level, if there is one: the floor.
std::optional<double> floor_level(const Scene& scene, const Vec3& up);

// Of each plane that is near, the point below the middle of the scene.
std::vector<Vec3> plane_points(const SceneView& view);

// Planes that are seen edge-on, as lines through the picture.
void draw_plane_lines(Canvas& canvas, const SceneView& view, const Camera& camera);

// What of this there is to see, in words; empty if there is nothing.
std::string reeving_key(const SceneView& view);

}  // namespace filum::io
