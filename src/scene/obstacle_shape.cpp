#include "scene/obstacle_shape.hpp"

#include "base/index.hpp"
#include "scene/body_mass.hpp"

#include <algorithm>

namespace filum::scene {

geometry::Shape shape_of(const Obstacle& obstacle) {
  switch (obstacle.shape) {
    case ObstacleShape::Plane:
      return geometry::HalfSpace{obstacle.point, obstacle.normal.stableNormalized()};
    case ObstacleShape::Sphere:
      return geometry::Ball{obstacle.point, obstacle.radius};
    case ObstacleShape::Box:
      return geometry::Block{obstacle.size, obstacle.position, obstacle.orientation};
    case ObstacleShape::Capsule:
      return geometry::Capsule{{obstacle.from, obstacle.to}, obstacle.radius};
    case ObstacleShape::Cylinder:
      return geometry::Cylinder{{obstacle.from, obstacle.to}, obstacle.radius};
    case ObstacleShape::Mesh:
      break;
  }
  return geometry::PlacedMesh{obstacle.surface, obstacle.position, obstacle.orientation};
}

namespace {

bool is_obstacle(const Scenery& item) {
  return item.solid && item.surface;
}

Obstacle obstacle_of(const Scenery& item) {
  Obstacle obstacle;
  obstacle.name = item.name;
  obstacle.shape = ObstacleShape::Mesh;
  obstacle.friction = item.friction;
  obstacle.body = item.body;
  obstacle.position = item.position;
  obstacle.orientation = item.orientation;
  obstacle.mesh = item.mesh;
  obstacle.scale = item.scale;
  obstacle.surface = item.surface;
  return obstacle;
}

}  // namespace

std::vector<Obstacle> obstacles_of(const Scene& scene) {
  std::vector<Obstacle> obstacles = scene.obstacles;
  for (const Scenery& item : scene.scenery)
    if (is_obstacle(item)) obstacles.push_back(obstacle_of(item));
  return obstacles;
}

bool has_obstacles(const Scene& scene) {
  const auto solid = [](const Scenery& item) { return item.solid; };
  return !scene.obstacles.empty() || std::any_of(scene.scenery.begin(), scene.scenery.end(), solid);
}

ObjectRef obstacle_named(const Scene& scene, int index) {
  const int listed = static_cast<int>(scene.obstacles.size());
  if (index >= 0 && index < listed) return {ObjectKind::Obstacle, scene.obstacles[at(index)].name};
  int left = index - listed;
  for (const Scenery& item : scene.scenery)
    if (index >= 0 && is_obstacle(item) && left-- == 0) return {ObjectKind::Scenery, item.name};
  return {ObjectKind::Obstacle, "?"};
}

std::optional<geometry::Shape> shape_of(const Body& body) {
  const geometry::Segment axis{{0, 0, -0.5 * body.round[1]}, {0, 0, 0.5 * body.round[1]}};
  switch (body.shape) {
    case BodyShape::Box:
      if (!(body.box.minCoeff() > 0)) return {};
      return geometry::Block{body.box, Vec3::Zero(), Quat::Identity()};
    case BodyShape::Sphere:
      if (!(body.sphere > 0)) return {};
      return geometry::Ball{Vec3::Zero(), body.sphere};
    case BodyShape::Capsule:
      if (!(body.round[0] > 0)) return {};
      return geometry::Capsule{axis, body.round[0]};
    case BodyShape::Cylinder:
      if (!(body.round.minCoeff() > 0)) return {};
      return geometry::Cylinder{axis, body.round[0]};
    case BodyShape::Mesh:
      break;
  }
  if (!body.surface) return {};
  // the centre of mass lies at the body's position
  return geometry::PlacedMesh{body.surface, -solid_of(body).centre, Quat::Identity()};
}

}  // namespace filum::scene
