#include "io/scene/scene_write_reeving.hpp"

#include "io/scene/scene_pairs.hpp"

namespace filum::io {
namespace {

void unless_zero(Pairs& pairs, std::string_view key, double value) {
  if (value != 0) pairs.number(key, value);
}

std::string winch_text(const Winch& winch) {
  Pairs pairs;
  pairs.text("winch", winch.name);
  pairs.text("rod", winch.rod);
  pairs.add("at", arc_text(winch.at));
  if (!winch.body.empty()) pairs.text("body", winch.body);
  if (winch.point) pairs.add("point", vec_text(*winch.point));
  unless_zero(pairs, "drum_radius", winch.drum_radius);
  unless_zero(pairs, "speed", winch.speed);
  pairs.number("max_force", winch.max_force);
  pairs.number("shortest", winch.shortest);
  pairs.number("longest", winch.longest);
  return pairs.flow();
}

std::string sheave_text(const Sheave& sheave) {
  Pairs pairs;
  pairs.text("sheave", sheave.name);
  pairs.text("rod", sheave.rod);
  pairs.add("at", arc_text(sheave.at));
  if (!sheave.body.empty()) pairs.text("body", sheave.body);
  pairs.add("point", vec_text(sheave.point));
  pairs.add("axis", vec_text(sheave.axis));
  pairs.number("radius", sheave.radius);
  unless_zero(pairs, "friction", sheave.friction);
  unless_zero(pairs, "inertia", sheave.inertia);
  return pairs.flow();
}

std::string rope_point_text(const RopePoint& point) {
  Pairs pairs;
  if (!point.body.empty()) pairs.text(point.radius != 0 ? "sheave" : "body", point.body);
  pairs.add("point", vec_text(point.point));
  unless_zero(pairs, "radius", point.radius);
  if (point.axis) pairs.add("axis", vec_text(*point.axis));
  unless_zero(pairs, "friction", point.friction);
  return pairs.flow();
}

std::string rope_text(const Rope& rope) {
  Pairs pairs;
  pairs.text("rope", rope.name);
  unless_zero(pairs, "stiffness", rope.stiffness);
  pairs.number("length", rope.length);
  std::vector<std::string> points;
  for (const RopePoint& point : rope.through) points.push_back(rope_point_text(point));
  pairs.add("through", list_text(points));
  pairs.number("breaking_tension", rope.breaking_tension);
  return pairs.flow();
}

}  // namespace

std::string plane_text(const Plane& plane) {
  Pairs shape;
  shape.add("point", vec_text(plane.point));
  shape.add("normal", vec_text(plane.normal));
  Pairs pairs;
  pairs.text("name", plane.name);
  pairs.add("plane", shape.flow());
  unless_zero(pairs, "friction", plane.friction);
  return pairs.flow();
}

std::vector<std::string> reeving_texts(const Scene& scene) {
  std::vector<std::string> items;
  for (const Winch& winch : scene.winches) items.push_back(winch_text(winch));
  for (const Sheave& sheave : scene.sheaves) items.push_back(sheave_text(sheave));
  for (const Rope& rope : scene.ropes) items.push_back(rope_text(rope));
  return items;
}

}  // namespace filum::io
