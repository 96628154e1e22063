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
  obstacle.material = item.material;
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

Obstacle as_solid(const Body& body) {
  Obstacle solid;
  solid.shape = ObstacleShape::Box;
  solid.size = body.box;
  solid.radius = body.shape == BodyShape::Sphere ? body.sphere : body.round[0];
  solid.from = {0, 0, -0.5 * body.round[1]};
  solid.to = {0, 0, 0.5 * body.round[1]};
  if (body.shape == BodyShape::Sphere) solid.shape = ObstacleShape::Sphere;
  if (body.shape == BodyShape::Cylinder) solid.shape = ObstacleShape::Cylinder;
  if (body.shape == BodyShape::Capsule) solid.shape = ObstacleShape::Capsule;
  if (body.shape == BodyShape::Mesh && body.surface) {
    solid.shape = ObstacleShape::Mesh;
    solid.surface = body.surface;
    solid.position = -solid_of(body).centre;
  }
  return solid;
}

Vec3 half_extents(const Body& body) {
  const double radius = body.round[0];
  switch (body.shape) {
    case BodyShape::Box:
      break;
    case BodyShape::Sphere:
      return Vec3::Constant(body.sphere);
    case BodyShape::Cylinder:
      return {radius, radius, 0.5 * body.round[1]};
    case BodyShape::Capsule:
      return {radius, radius, 0.5 * body.round[1] + radius};
    case BodyShape::Mesh: {
      const Vec3 centre = body.surface ? solid_of(body).centre : Vec3::Zero();
      Vec3 most = Vec3::Zero();
      for (int k = 0; body.surface && k < static_cast<int>(body.surface->size()); ++k) {
        const geometry::Triangle triangle = body.surface->triangle(k);
        for (const Vec3& corner : {triangle.a, triangle.b, triangle.c})
          most = most.cwiseMax((corner - centre).cwiseAbs());
      }
      return most;
    }
  }
  return 0.5 * body.box;
}

}  // namespace filum::scene
