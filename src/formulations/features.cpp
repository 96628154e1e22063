#include "formulations/features.hpp"

#include "scene/check/fault_list.hpp"

#include <filum/scene.hpp>

#include <utility>

namespace filum {

std::vector<FeatureUse> features_used(const Scene& scene) {
  std::vector<FeatureUse> uses;
  const auto add = [&](Feature feature, std::vector<std::string> path, const std::string& what) {
    uses.push_back({feature, std::move(path), what});
  };
  for (const Winch& winch : scene.winches)
    add(Feature::Winches, {"reeving", winch.name}, "winch " + scene::quoted(winch.name));
  for (const Sheave& sheave : scene.sheaves)
    add(Feature::Sheaves, {"reeving", sheave.name}, "sheave " + scene::quoted(sheave.name));
  for (const Rope& rope : scene.ropes) add(Feature::Ropes, {"reeving", rope.name}, "rope " + scene::quoted(rope.name));
  for (std::size_t i = 0; scene.contact.obstacles && i < scene.obstacles.size(); ++i) {
    const Obstacle& obstacle = scene.obstacles[i];
    const bool ground = obstacle.shape == ObstacleShape::Plane && obstacle.body.empty();
    add(ground ? Feature::Obstacles : Feature::SolidShapes, {"obstacles", std::to_string(i)},
        "obstacle " + scene::quoted(obstacle.name));
  }
  for (const Body& body : scene.bodies)
    if (scene.contact.obstacles && body.solid)
      add(Feature::SolidShapes, {"bodies", body.name, "solid"}, "the solid body " + scene::quoted(body.name));
  for (const Rod& rod : scene.rods)
    if (rod.limits.breaking_tension)
      add(Feature::BreakingTension, {"rods", rod.name, "limits", "breaking_tension"},
          "the breaking tension of rod " + scene::quoted(rod.name));
  if (scene.simulation.chain != ChainOptions{}) add(Feature::ChainOptions, {"simulation", "chain"}, "chain");
  return uses;
}

}  // namespace filum
