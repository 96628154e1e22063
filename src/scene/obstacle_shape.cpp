#include "scene/obstacle_shape.hpp"

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

bool has_box(const Body& body) {
  return body.shape == BodyShape::Box && body.box.minCoeff() > 0;
}

}  // namespace filum::scene
