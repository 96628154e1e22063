// The solids that an obstacle and a body stand for.
#pragma once

#include "geometry/shape.hpp"

#include <filum/scene.hpp>

#include <optional>

namespace filum::scene {

// Seen from its body, or from the world if it has none.
[[nodiscard]] geometry::Shape shape_of(const Obstacle& obstacle);

// Of a body, as it sees itself; a point or a plate has none.
[[nodiscard]] std::optional<geometry::Shape> shape_of(const Body& body);

}  // namespace filum::scene
