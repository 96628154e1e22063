// What a picture of a scene is made of, each with its depth, drawn from far to near (painter's order).
//
// Rods are tubes of their real section: a ring of points on the visible half of the ellipse at every drawn node, strips
// between rings shaded by their normal. What would be thinner than two pixels is drawn two pixels wide.
#pragma once

#include "report/svg/svg_camera.hpp"
#include "report/svg/svg_canvas.hpp"

#include <filum/pose.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filum::io {

struct Item {
  double depth = 0;  // larger is nearer
  std::vector<Vec2> area;
  std::string style;
  std::function<void(Canvas&)> draw;  // instead of the area, if set
};

// `share` has one value per node for the colour scale: NaN grey, above 1 beyond the limit. At most about `budget`
// segments are drawn, placed where the rod bends.
void add_tube(std::vector<Item>& items, const Camera& camera, const RodPose& rod, const std::vector<double>& share,
              size_t budget);

// A see-through box, so that a rod held inside it shows; a point body is a dot.
void add_body(std::vector<Item>& items, const Camera& camera, const Vec3& box, const BodyPose& pose);

// A sphere of `radius` px with the axes of the section, `arm` metres long.
void add_hold(std::vector<Item>& items, const Camera& camera, const Vec3& at, const Quat& frame, double radius,
              double arm);

// Draws all from far to near.
void paint(Canvas& canvas, std::vector<Item>& items);

// Nodes to draw when there are more than `budget` segments: evenly in a measure of length and turning together.
std::vector<size_t> drawn_nodes(const RodPose& rod, size_t budget);

}  // namespace filum::io
