// Winches, sheaves, massless ropes; obstacles.
#include "io/scene/scene_parts.hpp"
#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

namespace filum::io {
namespace {

Vec3 read_point(const Node& node) {
  return read_vec3(node, Dimension::Length);
}
Vec3 read_direction(const Node& node) {
  return read_vec3(node, Dimension::Number);
}

Winch read_winch(const Node& node, const std::string& name) {
  const Fields fields(node, keys::winch, fmt::format("winch {}", shown(name)));
  Winch winch;
  winch.name = name;
  const RodPoint point = read_rod_point(fields);
  winch.rod = point.rod;
  winch.at = point.at;
  fields.optional("body", winch.body, read_text);
  fields.optional("point", winch.point, read_point);
  fields.number("drum_radius", winch.drum_radius, Dimension::Length);
  fields.number("speed", winch.speed, Dimension::Velocity);
  fields.number("max_force", winch.max_force, Dimension::Force);
  fields.number("shortest", winch.shortest, Dimension::Length);
  fields.number("longest", winch.longest, Dimension::Length);
  return winch;
}

Sheave read_sheave(const Node& node, const std::string& name) {
  const Fields fields(node, keys::sheave, fmt::format("sheave {}", shown(name)));
  Sheave sheave;
  sheave.name = name;
  const RodPoint point = read_rod_point(fields);
  sheave.rod = point.rod;
  sheave.at = point.at;
  fields.optional("body", sheave.body, read_text);
  sheave.point = read_point(fields.require("point"));
  sheave.axis = read_direction(fields.require("axis"));
  sheave.radius = fields.number("radius", Dimension::Length);
  fields.number("friction", sheave.friction, Dimension::Number);
  fields.number("inertia", sheave.inertia, Dimension::Inertia);
  return sheave;
}

// An eye {body, point} or a wheel {sheave: the body, point, radius, …}; without a body it is the world's.
RopePoint read_rope_point(const Node& node, std::size_t index, const std::string& owner) {
  const Fields fields(node, keys::rope_point, fmt::format("point {} of {}", index, owner));
  RopePoint point;
  const Node* eye = fields.find("body");
  const Node* wheel = fields.find("sheave");
  if (eye && wheel) refuse(*wheel, fmt::format("{} is on one body: 'body' or 'sheave', not both", fields.label()));
  if (eye) point.body = read_text(*eye);
  if (wheel) point.body = read_text(*wheel);
  point.point = read_point(fields.require("point"));
  if (wheel)
    point.radius = fields.number("radius", Dimension::Length);
  else
    fields.number("radius", point.radius, Dimension::Length);
  fields.optional("axis", point.axis, read_direction);
  fields.number("friction", point.friction, Dimension::Number);
  return point;
}

Rope read_rope(const Node& node, const std::string& name) {
  const Fields fields(node, keys::rope, fmt::format("rope {}", shown(name)));
  Rope rope;
  rope.name = name;
  fields.number("stiffness", rope.stiffness, Dimension::ForcePerLength);
  fields.number("length", rope.length, Dimension::Length);
  read_list(fields.require("through"), "points {body: …, point: …}",
            [&](const Node& item, std::size_t i) { rope.through.push_back(read_rope_point(item, i, fields.label())); });
  fields.number("breaking_tension", rope.breaking_tension, Dimension::Force);
  return rope;
}

}  // namespace

void read_reeving(const Node& node, Scene& scene) {
  read_list(node, "winches, sheaves and ropes", [&](const Node& item, std::size_t i) {
    // exactly one word says what it is
    const Node* winch = item.find("winch");
    const Node* sheave = item.find("sheave");
    const Node* rope = item.find("rope");
    const int kinds = (winch ? 1 : 0) + (sheave ? 1 : 0) + (rope ? 1 : 0);
    if (kinds != 1)
      refuse(item,
             fmt::format("reeving {}: expected one of winch, sheave, rope with its name; found {} of them", i, kinds));
    if (winch) scene.winches.push_back(read_winch(item, read_text(*winch)));
    if (sheave) scene.sheaves.push_back(read_sheave(item, read_text(*sheave)));
    if (rope) scene.ropes.push_back(read_rope(item, read_text(*rope)));
  });
}

void read_obstacles(const Node& node, Scene& scene) {
  read_list(node, "obstacles", [&](const Node& item, std::size_t i) {
    Plane plane;
    plane.name = read_name(item, "obstacle", i);
    const Fields fields(item, keys::obstacle, fmt::format("obstacle {}", shown(plane.name)));
    const Fields shape(fields.require("plane"), keys::plane, "plane of " + fields.label());
    plane.point = read_point(shape.require("point"));
    plane.normal = read_direction(shape.require("normal"));
    fields.number("friction", plane.friction, Dimension::Number);
    scene.planes.push_back(std::move(plane));
  });
}

}  // namespace filum::io
