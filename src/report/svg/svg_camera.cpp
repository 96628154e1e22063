#include "report/svg/svg_camera.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::io {
namespace {

// The finite points' extent in the picture.
struct Extent {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity());
  Vec2 high = Vec2::Constant(-std::numeric_limits<double>::infinity());
};

Extent extent(const Camera& camera, const std::vector<Vec3>& points) {
  Extent e;
  for (const Vec3& p : points) {
    const Vec2 at = camera.place(p);
    if (!at.allFinite()) continue;
    e.low = e.low.cwiseMin(at);
    e.high = e.high.cwiseMax(at);
  }
  if (!(e.low.x() <= e.high.x())) e = {Vec2::Zero(), Vec2::Zero()};
  return e;
}

// How much of the shape shows: the area of the ellipse of inertia of the points in the picture.
double spread(const Camera& camera, const std::vector<Vec3>& points) {
  Vec2 mean = Vec2::Zero();
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
  double count = 0;
  for (const Vec3& p : points) {
    const Vec2 at = camera.place(p);
    if (!at.allFinite()) continue;
    mean += at;
    second += at * at.transpose();
    ++count;
  }
  if (count == 0) return 0;
  mean /= count;
  return (second / count - mean * mean.transpose()).determinant();
}

}  // namespace

double Camera::pixels(const Vec3& p) const {
  if (distance <= 0) return scale;
  // never behind the eye
  return scale * distance / std::max(distance - depth(p), 0.05 * distance);
}

Vec2 Camera::place(const Vec3& p) const {
  const double px = pixels(p);
  return centre + Vec2(px * right.dot(p - target), -px * up.dot(p - target));
}

Vec3 Camera::to_viewer(const Vec3& p) const {
  return distance <= 0 ? toward : (target + distance * toward - p).normalized();
}

Bounds bounds_of(const std::vector<Vec3>& points) {
  Bounds bounds{Vec3::Constant(std::numeric_limits<double>::infinity()),
                Vec3::Constant(-std::numeric_limits<double>::infinity())};
  for (const Vec3& p : points) {
    if (!p.allFinite()) continue;
    bounds.low = bounds.low.cwiseMin(p);
    bounds.high = bounds.high.cwiseMax(p);
  }
  if (!(bounds.low.x() <= bounds.high.x())) bounds = {};
  // a point still needs a room to stand in
  if (!(bounds.size() > 1e-9 * (1 + bounds.low.norm()))) {
    bounds.low -= Vec3::Constant(0.05);
    bounds.high += Vec3::Constant(0.05);
  }
  return bounds;
}

GroundAxes ground_axes(const Vec3& up) {
  // the world axis least aligned with `up` stays; on a tie the first
  Eigen::Index least = 0;
  (up.cwiseAbs() - Vec3(2e-9, 1e-9, 0)).minCoeff(&least);
  Vec3 first = Vec3::Unit(least);
  first = (first - first.dot(up) * up).normalized();
  return {first, up.cross(first)};
}

Camera perspective_camera(const std::vector<Vec3>& points, const Bounds& bounds, const Vec3& up) {
  constexpr double kElevation = 0.40;  // rad above the horizon
  constexpr double kAway = 2.4;        // distance of the eye in sizes of the scene
  const GroundAxes ground = ground_axes(up);
  Camera best;
  double most = -1;
  // round the front in steps, never square to an axis: that would look flat
  for (const double azimuth : {0.45, -0.45, 0.65, -0.65, 0.85, -0.85}) {
    Camera camera;
    const Vec3 aside = std::sin(azimuth) * ground.first - std::cos(azimuth) * ground.second;
    camera.toward = std::cos(kElevation) * aside + std::sin(kElevation) * up;
    camera.right = up.cross(camera.toward).normalized();
    camera.up = camera.toward.cross(camera.right);
    camera.target = bounds.centre();
    camera.distance = kAway * bounds.size();
    // nearly equal views: the first, so that noise does not turn the picture
    const double score = spread(camera, points);
    if (score > 1.02 * most) {
      most = score;
      best = camera;
    }
  }
  return best;
}

Camera parallel_camera(const Vec3& right, const Vec3& up, const Bounds& bounds) {
  Camera camera;
  camera.right = right;
  camera.up = up;
  camera.toward = right.cross(up);
  camera.target = bounds.centre();
  return camera;
}

double fitting_scale(const Camera& camera, const std::vector<Vec3>& points, const Vec2& size) {
  const Extent e = extent(camera, points);
  const Vec2 shown = (e.high - e.low) / camera.scale;
  // a view along a straight rod has no extent of its own
  const double least = 1e-6 * (1 + shown.norm());
  return std::min(size.x() / std::max(shown.x(), least), size.y() / std::max(shown.y(), least));
}

void centre_on(Camera& camera, const std::vector<Vec3>& points, const Vec2& corner, const Vec2& size) {
  const Extent e = extent(camera, points);
  camera.centre += corner + 0.5 * size - 0.5 * (e.low + e.high);
}

}  // namespace filum::io
