// The solids that an obstacle and a body stand for.
#pragma once

#include "geometry/shape.hpp"

#include <filum/scene.hpp>

namespace filum::scene {

// Seen from its body, or from the world if it has none.
[[nodiscard]] geometry::Shape shape_of(const Obstacle& obstacle);

// A body's box about its own axes; it has one if all of its edges have a length.
[[nodiscard]] bool has_box(const Body& body);

}  // namespace filum::scene
