// Where a rod of a scene is thickest, and how thick.
#pragma once

#include <filum/scene.hpp>

namespace filum::sim {

struct Thickest {
  double s = 0;       // m
  double radius = 0;  // half of its width there, m
};
[[nodiscard]] Thickest thickest(const Scene& scene, const Rod& rod);

}  // namespace filum::sim
