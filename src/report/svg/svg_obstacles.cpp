#include "report/svg/svg_obstacles.hpp"

#include "base/index.hpp"
#include "geometry/tube_mesh.hpp"
#include "math/dense.hpp"
#include "scene/obstacle_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace filum::io {
namespace {

constexpr int kRound = 24;                 // facets about an axis
constexpr std::size_t kMostFacets = 2500;  // of a mesh; of larger ones every so many

// A surface swept about an axis, from ring to ring: radius and height of each.
geometry::TriangleMesh turned(const geometry::Segment& axis, const std::vector<Vec2>& profile) {
  const Vec3 along = (axis.to - axis.from).normalized();
  const Quat frame = math::smallest_turn(Vec3::UnitZ(), along);
  std::vector<Vec3> position;
  std::vector<Quat> frames(profile.size(), frame);
  std::vector<geometry::TubeSection> section;
  for (const Vec2& ring : profile) {
    position.push_back(axis.from + ring.y() * along);
    section.push_back({Vec2::Constant(ring.x())});
  }
  return geometry::tube_mesh({position, frames, section, {}, false}, kRound);
}

// From one pole to the other: a round end, a straight side, a round end.
std::vector<Vec2> rounded(double radius, double length) {
  constexpr int kQuarter = 6;
  std::vector<Vec2> profile;
  for (int k = 0; k <= 2 * kQuarter; ++k) {
    const double angle = std::numbers::pi * (static_cast<double>(k) / (2 * kQuarter) - 0.5);
    const double end = k <= kQuarter ? 0 : length;
    if (k == kQuarter + 1 && length > 0) profile.emplace_back(radius, length);
    profile.emplace_back(radius * std::cos(angle), end + radius * std::sin(angle));
  }
  return profile;
}

// The surface of an obstacle; nothing for a plane or a block.
geometry::TriangleMesh surface_of(const Obstacle& obstacle) {
  const geometry::Segment axis{obstacle.from, obstacle.to};
  const double length = (obstacle.to - obstacle.from).norm();
  switch (obstacle.shape) {
    case ObstacleShape::Sphere:
      return turned({obstacle.point, obstacle.point + Vec3::UnitZ()}, rounded(obstacle.radius, 0));
    case ObstacleShape::Capsule:
      return turned(axis, rounded(obstacle.radius, length));
    case ObstacleShape::Cylinder:
      return turned(axis, {Vec2(obstacle.radius, 0), Vec2(obstacle.radius, length)});
    default:
      return {};
  }
}

// One facet, if it faces the viewer.
void add_facet(std::vector<Item>& items, const Camera& camera, const geometry::Triangle& t, const BodyPose& pose) {
  const auto place = [&](const Vec3& p) { return Vec3(pose.position + pose.orientation * p); };
  const std::array<Vec3, 3> corners{place(t.a), place(t.b), place(t.c)};
  const Vec3 centre = (corners[0] + corners[1] + corners[2]) / 3;
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).stableNormalized();
  const double facing = normal.dot(camera.to_viewer(centre));
  if (!(facing > 0)) return;
  Item facet{camera.depth(centre), {}, "", {}};
  for (const Vec3& corner : corners) facet.area.push_back(camera.place(corner));
  facet.style = fmt::format("class=\"body\" style=\"stroke:none;fill-opacity:{:.2f}\"", 0.2 + 0.35 * (1 - facing));
  items.push_back(std::move(facet));
}

// What an obstacle, or a body as one, looks like from a pose.
void add_solid(std::vector<Item>& items, const Camera& camera, const Obstacle& solid, const BodyPose& pose) {
  BodyPose placed = pose;
  placed.position = pose.position + pose.orientation * solid.position;
  placed.orientation = pose.orientation * solid.orientation;
  if (solid.shape == ObstacleShape::Box) return add_body(items, camera, solid.size, placed);
  if (solid.shape == ObstacleShape::Mesh) {
    if (!solid.surface) return;
    const std::size_t stride = std::max<std::size_t>(1, solid.surface->size() / kMostFacets);
    for (std::size_t k = 0; k < solid.surface->size(); k += stride)
      add_facet(items, camera, solid.surface->triangle(static_cast<int>(k)), placed);
    return;
  }
  const geometry::TriangleMesh mesh = surface_of(solid);
  for (const auto& [a, b, c] : mesh.triangle)
    add_facet(items, camera, {mesh.position[at(a)], mesh.position[at(b)], mesh.position[at(c)]}, pose);
}

}  // namespace

void add_obstacles(std::vector<Item>& items, const SceneView& view, const Camera& camera) {
  for (const Obstacle& obstacle : scene::obstacles_of(view.scene)) {
    const int body = index_of(view.scene.bodies, obstacle.body);
    const bool carried = body >= 0 && at(body) < view.pose.bodies.size();
    add_solid(items, camera, obstacle, carried ? view.pose.bodies[at(body)] : BodyPose{});
  }
}

void add_bodies(std::vector<Item>& items, const SceneView& view, const Camera& camera) {
  for (std::size_t i = 0; i < view.pose.bodies.size(); ++i) {
    const BodyPose& pose = view.pose.bodies[i];
    if (!pose.position.allFinite() || !pose.orientation.coeffs().allFinite()) continue;
    const Body body = i < view.scene.bodies.size() ? view.scene.bodies[i] : Body{};
    add_solid(items, camera, scene::as_solid(body), pose);
  }
}

}  // namespace filum::io
