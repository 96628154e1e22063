#include "formulations/chain/reeving/rope_path.hpp"

#include "math/frame.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

// Tangents between sheaves follow from each other; each round brings them nearer by about R/d.
constexpr int kMostPathRounds = 60;
constexpr double kPathSettled = 1e-14;

// Where the tangent from `point` touches; `arrives`: the rope comes from there, else it goes there.
Vec3 touch(const Pulley& pulley, const Vec3& point, bool arrives) {
  if (pulley.radius <= 0) return pulley.centre;
  Vec3 e = point - pulley.centre;
  e -= e.dot(pulley.axis) * pulley.axis;
  const double distance = e.norm();
  if (!(distance > 0)) return pulley.centre;
  e /= distance;
  // a point inside the sheave has no tangent: the nearest place of the rim
  const double cosine = std::min(1.0, pulley.radius / distance);
  const double sine = std::sqrt(1 - cosine * cosine);
  return pulley.centre + pulley.radius * (cosine * e + (arrives ? sine : -sine) * pulley.axis.cross(e));
}

}  // namespace

void find_path(std::span<const Pulley> places, RopePath& path) {
  const std::size_t count = places.size();
  path.arrives.resize(count);
  path.leaves.resize(count);
  path.angle.resize(count);
  path.part.resize(count - 1);
  for (std::size_t i = 0; i < count; ++i) path.arrives[i] = path.leaves[i] = places[i].centre;
  for (int round = 0; round < kMostPathRounds; ++round) {
    double moved = 0;
    double size = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const Vec3 leaves = touch(places[i], path.arrives[i + 1], false);
      const Vec3 arrives = touch(places[i + 1], leaves, true);
      moved = std::max({moved, (leaves - path.leaves[i]).norm(), (arrives - path.arrives[i + 1]).norm()});
      size = std::max(size, (arrives - leaves).norm());
      path.leaves[i] = leaves;
      path.arrives[i + 1] = arrives;
    }
    if (moved <= kPathSettled * size) break;
  }
  path.length = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    path.part[i] = (path.arrives[i + 1] - path.leaves[i]).norm();
    path.length += path.part[i];
  }
  for (std::size_t i = 0; i < count; ++i) {
    path.angle[i] = 0;
    if (places[i].radius <= 0 || i == 0 || i + 1 == count) continue;
    double angle =
        math::signed_angle(path.arrives[i] - places[i].centre, path.leaves[i] - places[i].centre, places[i].axis);
    // a rope that just touches may seem to go round backwards by a little, never by more than a quarter
    if (angle < -0.5 * math::kPi) angle += 2 * math::kPi;
    path.angle[i] = angle;
    path.length += places[i].radius * angle;
  }
}

Vec3 natural_axis(const Vec3& before, const Vec3& centre, const Vec3& after) {
  const Vec3 arriving = centre - before;
  const Vec3 axis = arriving.cross(after - centre);
  if (axis.norm() > 1e-9 * arriving.norm() * (after - centre).norm()) return axis.normalized();
  return math::any_perpendicular(arriving.normalized());
}

}  // namespace filum::chain
