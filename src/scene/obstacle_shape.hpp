// The solids that an obstacle and a body stand for.
#pragma once

#include "geometry/shape.hpp"

#include <filum/reference.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <vector>

namespace filum::scene {

// Seen from its body, or from the world if it has none.
[[nodiscard]] geometry::Shape shape_of(const Obstacle& obstacle);

// All that holds rods off and is no body: the scene's obstacles, and behind them its solid scenery as obstacles of a
// mesh. What nobody has read is not among them.
[[nodiscard]] std::vector<Obstacle> obstacles_of(const Scene& scene);
// Whether there are any, read or not.
[[nodiscard]] bool has_obstacles(const Scene& scene);
// What such a number means; one that the scene does not have is called «?».
[[nodiscard]] ObjectRef obstacle_named(const Scene& scene, int index);

// Of a body, as it sees itself; a point or a plate has none.
[[nodiscard]] std::optional<geometry::Shape> shape_of(const Body& body);

// A body's shape, seen from the body, to be drawn as an obstacle is: a mesh with its centre of mass at the origin. A point is
// a box without edges.
[[nodiscard]] Obstacle as_solid(const Body& body);

// Half of the edges of a box about its own axes that holds all of it.
[[nodiscard]] Vec3 half_extents(const Body& body);

}  // namespace filum::scene
