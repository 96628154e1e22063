#include "scene/obstacle_shape.hpp"

#include "scene/body_mass.hpp"

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
