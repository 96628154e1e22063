// The solids of a scene where the scene puts them: obstacles, solid scenery, solid bodies.
#pragma once

#include "geometry/shape.hpp"

#include <filum/reference.hpp>
#include <filum/scene.hpp>

#include <string>
#include <vector>

namespace filum::sim {

struct PlacedSolid {
  geometry::Shape shape;  // in the world
  ObjectRef ref;
  std::string body;  // that carries it, or none
};

[[nodiscard]] std::vector<PlacedSolid> placed_solids(const Scene& scene);

}  // namespace filum::sim
