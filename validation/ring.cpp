#include "validation/ring.hpp"

#include "math/rotation.hpp"

namespace filum::validation {

namespace {

constexpr double kStretchStiffness = 1e7;  // EA: stretching plays no part

}  // namespace

Scene twisted_ring_scene(double GJ, double twist, int segments) {
  Curve circle;
  circle.kind = CurveKind::Arc;
  circle.axis = Vec3::UnitZ();
  circle.start = Vec3(1 / (2 * math::kPi), 0, 0);
  circle.angle = 2 * math::kPi;
  Scene scene;
  scene.gravity = Vec3::Zero();
  Rod& rod = add_rod(scene, "rod", given_section(kStretchStiffness, Vec2::Ones(), GJ, 1), circle, segments);
  rod.normal = Vec3::UnitZ();
  rod.closed = true;
  rod.twist = twist;
  return scene;
}

}  // namespace filum::validation
