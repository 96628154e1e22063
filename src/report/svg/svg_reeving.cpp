#include "report/svg/svg_reeving.hpp"

#include "base/index.hpp"
#include "math/frame.hpp"

#include <filum/scene.hpp>

#include <cmath>
#include <numbers>

namespace filum::io {
namespace {

// A wheel where it is now.
struct Wheel {
  Vec3 centre;
  Vec3 axis;  // unit
  double radius;
};

// From the frame of a body, or from the world, to where it is now.
struct Carrier {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

Carrier carrier_of(const Scene& scene, const Pose& pose, const std::string& body) {
  const int index = body.empty() ? -1 : index_of(scene.bodies, body);
  if (index < 0 || at(index) >= pose.bodies.size()) return {};
  return {pose.bodies[at(index)].position, pose.bodies[at(index)].orientation};
}

Vec3 placed(const Carrier& carrier, const Vec3& point) {
  return carrier.position + carrier.orientation * point;
}

// The axis about which a rope bends at one of its points: square to both neighbours.
Vec3 bend_axis(const Vec3& before, const Vec3& here, const Vec3& after) {
  const Vec3 square = (here - before).cross(after - here);
  return square.norm() > 0 ? Vec3(square.normalized())
                           : math::any_perpendicular(Vec3((after - before).stableNormalized()));
}

std::vector<Wheel> wheels_of(const Scene& scene, const Pose& pose) {
  std::vector<Wheel> wheels;
  for (const Sheave& sheave : scene.sheaves) {
    const Carrier carrier = carrier_of(scene, pose, sheave.body);
    wheels.push_back(
        {placed(carrier, sheave.point), carrier.orientation * sheave.axis.stableNormalized(), sheave.radius});
  }
  for (const Rope& rope : scene.ropes) {
    std::vector<Vec3> places;
    for (const RopePoint& point : rope.through)
      places.push_back(placed(carrier_of(scene, pose, point.body), point.point));
    for (std::size_t i = 1; i + 1 < places.size(); ++i) {
      const RopePoint& point = rope.through[i];
      if (point.radius <= 0) continue;
      const Vec3 axis = point.axis
                            ? Vec3(carrier_of(scene, pose, point.body).orientation * point.axis->stableNormalized())
                            : bend_axis(places[i - 1], places[i], places[i + 1]);
      wheels.push_back({places[i], axis, point.radius});
    }
  }
  return wheels;
}

std::vector<Vec3> rim_of(const Wheel& wheel) {
  constexpr int kCorners = 36;
  const Vec3 u = math::any_perpendicular(wheel.axis);
  const Vec3 v = wheel.axis.cross(u);
  std::vector<Vec3> rim;
  for (int k = 0; k < kCorners; ++k) {
    const double angle = 2 * std::numbers::pi * k / kCorners;
    rim.push_back(wheel.centre + wheel.radius * (std::cos(angle) * u + std::sin(angle) * v));
  }
  return rim;
}

// Those that stand in the world.
std::vector<Obstacle> planes_of(const Scene& scene) {
  std::vector<Obstacle> planes;
  for (const Obstacle& obstacle : scene.obstacles)
    if (obstacle.shape == ObstacleShape::Plane && obstacle.body.empty()) planes.push_back(obstacle);
  return planes;
}

Vec3 nearest_on(const Obstacle& plane, const Vec3& point) {
  const Vec3 normal = plane.normal.stableNormalized();
  return point - normal.dot(point - plane.point) * normal;
}

// The end of a rod that sits on a winch.
std::optional<Vec3> drum_of(const Scene& scene, const Pose& pose, const Winch& winch) {
  const int rod = index_of(scene.rods, winch.rod);
  if (rod < 0 || at(rod) >= pose.rods.size() || pose.rods[at(rod)].position.empty()) return std::nullopt;
  const std::vector<Vec3>& line = pose.rods[at(rod)].position;
  return winch.at.fraction < 0.5 ? line.front() : line.back();
}

}  // namespace

void take_reeving(std::vector<Vec3>& points, const Pose& pose, const Scene& scene) {
  for (const RopePose& rope : pose.ropes) points.insert(points.end(), rope.path.begin(), rope.path.end());
  for (const Wheel& wheel : wheels_of(scene, pose)) {
    const std::vector<Vec3> rim = rim_of(wheel);
    points.insert(points.end(), rim.begin(), rim.end());
  }
}

void add_reeving(std::vector<Item>& items, const SceneView& view, const Camera& camera, double ball) {
  // ropes, one straight part after the other
  for (const RopePose& rope : view.pose.ropes)
    for (std::size_t i = 1; i < rope.path.size(); ++i) {
      const Vec3& from = rope.path[i - 1];
      const Vec3& to = rope.path[i];
      const Vec2 a = camera.place(from);
      const Vec2 b = camera.place(to);
      const char* style = rope.broken ? "class=\"ghost rope\"" : "class=\"bar rope\"";
      items.push_back({camera.depth(0.5 * (from + to)), {}, "", [=](Canvas& canvas) { canvas.line(a, b, style); }});
    }
  for (const Wheel& wheel : wheels_of(view.scene, view.pose)) {
    std::vector<Vec2> rim;
    for (const Vec3& point : rim_of(wheel)) rim.push_back(camera.place(point));
    items.push_back({camera.depth(wheel.centre), rim, "class=\"bar wheel\" fill=\"none\"", {}});
  }
  for (const Winch& winch : view.scene.winches)
    if (const auto drum = drum_of(view.scene, view.pose, winch))
      add_hold(items, camera, *drum, Quat::Identity(), ball, 0);
}

std::optional<double> floor_level(const Scene& scene, const Vec3& up) {
  constexpr double kLevel = 1 - 1e-9;  // cosine
  for (const Obstacle& plane : planes_of(scene))
    if (plane.normal.stableNormalized().dot(up) > kLevel) return plane.point.dot(up);
  return std::nullopt;
}

std::vector<Vec3> plane_points(const SceneView& view) {
  std::vector<Vec3> points;
  for (const Obstacle& plane : planes_of(view.scene)) {
    const Vec3 nearest = nearest_on(plane, view.bounds.centre());
    if ((nearest - view.bounds.centre()).norm() < view.bounds.size()) points.push_back(nearest);
  }
  return points;
}

void draw_plane_lines(Canvas& canvas, const SceneView& view, const Camera& camera) {
  constexpr double kEdgeOn = 1e-6;
  for (const Obstacle& plane : planes_of(view.scene)) {
    const Vec3 normal = plane.normal.stableNormalized();
    if (std::abs(normal.dot(camera.toward)) > kEdgeOn) continue;
    // through the point of the plane nearest to the middle of the picture
    const Vec3 along = normal.cross(camera.toward);
    const Vec3 nearest = nearest_on(plane, view.bounds.centre());
    const double half = 0.5 * view.bounds.size();
    canvas.line(camera.place(nearest - half * along), camera.place(nearest + half * along), "class=\"axis plane\"");
  }
}

std::string reeving_key(const SceneView& view) {
  std::string key;
  if (!view.pose.ropes.empty()) key += "Thin lines: ropes. ";
  if (!wheels_of(view.scene, view.pose).empty()) key += "Circles: sheaves. ";
  if (!view.scene.winches.empty()) key += "Balls without axes: winches. ";
  return key;
}

}  // namespace filum::io
