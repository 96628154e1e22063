// Obstacles, and what holds what off.
#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"

namespace filum::scene {

void Checks::obstacle(const Where& where, const Obstacle& obstacle) {
  report.values(where, tables::obstacle, &obstacle);
  if (!obstacle.body.empty() && names.body(obstacle.body) == nullptr)
    report.fail(where.in("body"), "there is no body " + quoted(obstacle.body));
  const bool round = obstacle.shape == ObstacleShape::Capsule || obstacle.shape == ObstacleShape::Cylinder;
  if (round && !((obstacle.to - obstacle.from).norm() >= kPositive.min)) {
    const Where shape = where.in(obstacle.shape == ObstacleShape::Capsule ? "capsule" : "cylinder");
    report.fail(shape.in("to"), "obstacle " + quoted(obstacle.name) + " has no length: 'from' and 'to' are one point");
  }
  if (obstacle.shape == ObstacleShape::Mesh) report.name(where.in("mesh"), obstacle.mesh);
}

void Checks::obstacles() {
  const Where around{nullptr, "obstacles"};
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i) obstacle(around.in(i), scene.obstacles[i]);
  report.values(Where{nullptr, "contact"}, tables::contact, &scene.contact);
}

}  // namespace filum::scene
