// Cameras: where a point of the scene falls in a picture.
//
// Right-handed: `right` × `up` = `toward`, which points from the scene to the viewer. A parallel camera has no eye; a
// perspective one stands `distance` from `target` along `toward`. Pixels run right and down.
#pragma once

#include <filum/types.hpp>

#include <vector>

namespace filum::io {

struct Camera {
  Vec3 right = Vec3::UnitX();
  Vec3 up = Vec3::UnitZ();
  Vec3 toward = -Vec3::UnitY();
  Vec3 target = Vec3::Zero();
  double distance = 0;         // m; 0: parallel
  double scale = 1;            // px per metre at the target
  Vec2 centre = Vec2::Zero();  // px, where the target falls

  // Larger is nearer.
  [[nodiscard]] double depth(const Vec3& p) const { return toward.dot(p - target); }
  // Pixels per metre at a point.
  [[nodiscard]] double pixels(const Vec3& p) const;
  [[nodiscard]] Vec2 place(const Vec3& p) const;
  // Unit vector from a point to the viewer.
  [[nodiscard]] Vec3 to_viewer(const Vec3& p) const;
};

// A box around what is to be seen.
struct Bounds {
  Vec3 low = Vec3::Zero();
  Vec3 high = Vec3::Zero();
  [[nodiscard]] Vec3 centre() const { return 0.5 * (low + high); }
  [[nodiscard]] double size() const { return (high - low).norm(); }
};

// Around the finite points; a small cube if they all coincide or there are none.
Bounds bounds_of(const std::vector<Vec3>& points);

// Two axes square to `up`, as near to the world's as can be: x and y for z up.
struct GroundAxes {
  Vec3 first, second;
};
GroundAxes ground_axes(const Vec3& up);

// Looks at the points from above at the side that shows them widest.
Camera perspective_camera(const std::vector<Vec3>& points, const Bounds& bounds, const Vec3& up);

// Looks along an axis.
Camera parallel_camera(const Vec3& right, const Vec3& up, const Bounds& bounds);

// The scale at which the points fill the rectangle of `size` px, as seen by the camera.
double fitting_scale(const Camera& camera, const std::vector<Vec3>& points, const Vec2& size);

// Moves the picture so that the points sit in the middle of the rectangle.
void centre_on(Camera& camera, const std::vector<Vec3>& points, const Vec2& corner, const Vec2& size);

}  // namespace filum::io
