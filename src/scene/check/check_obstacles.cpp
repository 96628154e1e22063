// Obstacles, and what holds what off.
#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"
#include "scene/friction.hpp"

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

void Checks::friction_pairs(const Where& around) {
  const std::vector<FrictionPair>& pairs = scene.contact.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Where where = around.in(i);
    report.values(where, tables::friction_pair, &pairs[i]);
    report.name(where.in("material"), pairs[i].material);
    report.name(where.in("against"), pairs[i].against);
    for (std::size_t k = 0; k < i; ++k)
      if (is_pair(pairs[k], pairs[i].material, pairs[i].against))
        report.fail(where.in("against"), "the friction of " + quoted(pairs[i].material) + " on " +
                                             quoted(pairs[i].against) + " is said twice");
  }
}

void Checks::obstacles() {
  const Where around{nullptr, "obstacles"};
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i) obstacle(around.in(i), scene.obstacles[i]);
  const Where contact{nullptr, "contact"};
  report.values(contact, tables::contact, &scene.contact);
  friction_pairs(contact.in("pairs"));
}

}  // namespace filum::scene
