// What acts on it: holds, junctions, loads, drivers, lengths to be found.
#include "io/scene/scene_parts.hpp"
#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

namespace filum::io {
namespace {

constexpr FixedAxes kAll{true, true, true};
constexpr FixedAxes kNone{false, false, false};

// true, false or a list of world axes.
FixedAxes read_axes(const Node& node) {
  if (node.is_scalar()) return read_flag(node) ? kAll : kNone;
  if (!node.is_sequence())
    refuse(node, fmt::format("expected true, false or axes [x, y, z], found {}", node.describe()));
  FixedAxes axes = kNone;
  for (const Node& item : node.children) {
    const bool known = item.is_scalar() && item.text.size() == 1 && item.text[0] >= 'x' && item.text[0] <= 'z';
    if (!known) refuse(item, fmt::format("expected an axis x, y or z, found {}", item.describe()));
    bool& axis = axes[static_cast<std::size_t>(item.text[0] - 'x')];
    if (axis) refuse(item, fmt::format("axis {} twice", item.text));
    axis = true;
  }
  return axes;
}

// [position, orientation], of which either may be left out, or {position: axes, orientation: axes}.
Fix read_fix(const Node& node, const std::string& label) {
  Fix fix;
  if (node.is_mapping()) {
    const Fields fields(node, keys::fix, "fix of " + label);
    fields.optional("position", fix.position, read_axes);
    fields.optional("orientation", fix.orientation, read_axes);
    return fix;
  }
  if (!node.is_sequence())
    refuse(node, fmt::format("expected [position], [orientation], [position, orientation] or {{position: [y, z], "
                             "orientation: true}}, found {}",
                             node.describe()));
  for (const Node& item : node.children) {
    const bool position = item.is_scalar() && item.text == "position";
    if (!position && !(item.is_scalar() && item.text == "orientation"))
      refuse(item, fmt::format("expected position or orientation, found {}", item.describe()));
    FixedAxes& fixed = position ? fix.position : fix.orientation;
    if (fixed == kAll) refuse(item, fmt::format("{} twice", item.text));
    fixed = kAll;
  }
  return fix;
}

Hold read_hold(const Node& node, std::size_t index) {
  Hold hold;
  hold.name = read_name(node, "hold", index);
  const Fields fields(node, keys::hold, fmt::format("hold {}", shown(hold.name)));
  const RodPoint point = read_rod_point(fields);
  hold.rod = point.rod;
  hold.at = point.at;
  const Fix fix = read_fix(fields.require("fix"), fields.label());
  hold.fix_position = fix.position;
  hold.fix_orientation = fix.orientation;
  fields.optional("slide", hold.slide, read_flag);
  fields.optional("body", hold.body, read_text);
  fields.optional("position", hold.position, [](const Node& n) { return read_vec3(n, Dimension::Length); });
  fields.optional("orientation", hold.orientation, read_orientation);
  return hold;
}

Keyframe read_keyframe(const Node& node, std::size_t index, const std::string& owner) {
  const Fields fields(node, keys::keyframe, fmt::format("keyframe {} of {}", index, owner));
  Keyframe key;
  key.t = fields.number("t", Dimension::Time);
  fields.optional("position", key.position, [](const Node& n) { return read_vec3(n, Dimension::Length); });
  fields.optional("orientation", key.orientation, read_orientation);
  fields.number("turns", key.turns, Dimension::Turns);
  fields.number("scale", key.scale, Dimension::Number);
  fields.number("length", key.length, Dimension::Length);
  fields.number("speed", key.speed, Dimension::Velocity);
  fields.optional("fix", key.fix, [&](const Node& n) { return read_fix(n, fields.label()); });
  return key;
}

struct NamedDriver {
  const char* key;
  DriverKind kind;
};
constexpr NamedDriver kDrivers[] = {{"body", DriverKind::Body},   {"hold", DriverKind::Hold},
                                    {"force", DriverKind::Force}, {"torque", DriverKind::Torque},
                                    {"rod", DriverKind::Rod},     {"winch", DriverKind::Winch},
                                    {"rope", DriverKind::Rope}};

Driver read_driver(const Node& node, std::size_t index) {
  const Fields fields(node, keys::driver, fmt::format("driver {}", index));
  Driver driver;
  // exactly one target
  int targets = 0;
  for (const NamedDriver& named : kDrivers) {
    const Node* target = fields.find(named.key);
    if (!target) continue;
    ++targets;
    driver.kind = named.kind;
    if (named.kind == DriverKind::Force || named.kind == DriverKind::Torque)
      driver.index = read_integer(*target);
    else
      driver.target = read_text(*target);
  }
  if (targets != 1)
    refuse(node, fmt::format("{}: expected one of body, hold, force, torque, rod, winch, rope; found {} of them",
                             fields.label(), targets));
  // its path
  const Node& path = fields.require("path");
  expect_list(path, "keyframes {t: …}");
  for (const Node& item : path.children) driver.path.push_back(read_keyframe(item, driver.path.size(), fields.label()));
  return driver;
}

// What a force or torque acts on: a place of a rod, or a body as a whole.
void read_target(const Fields& fields, RodPoint& point, std::string& body) {
  const Node* target = fields.find("body");
  if (!target) {
    if (!fields.find("rod")) refuse(fields.node(), fmt::format("missing key 'rod' or 'body' in {}", fields.label()));
    point = read_rod_point(fields);
    return;
  }
  if (const Node* rod = fields.find("rod"))
    refuse(*rod, fmt::format("{} acts on a rod or on a body, not on both", fields.label()));
  if (const Node* at = fields.find("at"))
    refuse(*at, fmt::format("{} acts on a body's centre of mass: 'at' is for rods", fields.label()));
  body = read_text(*target);
}

}  // namespace

void read_holds(const Node& node, Scene& scene) {
  read_list(node, "holds", [&](const Node& item, std::size_t i) { scene.holds.push_back(read_hold(item, i)); });
}

void read_junctions(const Node& node, Scene& scene) {
  read_list(node, "junctions", [&](const Node& item, std::size_t i) {
    Junction junction;
    junction.name = read_name(item, "junction", i);
    const Fields fields(item, keys::junction, fmt::format("junction {}", shown(junction.name)));
    const Node& rods = fields.require("rods");
    read_list(rods, "places {rod: …, at: …}", [&](const Node& place, std::size_t) {
      junction.rods.push_back(read_rod_point(Fields(place, keys::rod_point, "rods of " + fields.label())));
    });
    scene.junctions.push_back(std::move(junction));
  });
}

void read_forces(const Node& node, Scene& scene) {
  read_list(node, "forces", [&](const Node& item, std::size_t i) {
    const Fields fields(item, keys::force, fmt::format("force {}", i));
    PointForce force;
    read_target(fields, force.point, force.body);
    force.force = read_vec3(fields.require("force"), Dimension::Force);
    fields.optional("follow", force.follow, read_flag);
    scene.forces.push_back(std::move(force));
  });
}

void read_torques(const Node& node, Scene& scene) {
  read_list(node, "torques", [&](const Node& item, std::size_t i) {
    const Fields fields(item, keys::torque, fmt::format("torque {}", i));
    PointTorque torque;
    read_target(fields, torque.point, torque.body);
    torque.torque = read_vec3(fields.require("torque"), Dimension::Moment);
    fields.optional("follow", torque.follow, read_flag);
    scene.torques.push_back(std::move(torque));
  });
}

void read_distributed(const Node& node, Scene& scene) {
  read_list(node, "distributed forces", [&](const Node& item, std::size_t i) {
    const Fields fields(item, keys::distributed, fmt::format("distributed force {}", i));
    DistributedForce load;
    load.rod = read_text(fields.require("rod"));
    fields.optional("from", load.from, read_arc_position);
    fields.optional("to", load.to, read_arc_position);
    load.force_per_length = read_vec3(fields.require("force_per_length"), Dimension::ForcePerLength);
    scene.distributed.push_back(std::move(load));
  });
}

void read_drivers(const Node& node, Scene& scene) {
  read_list(node, "drivers", [&](const Node& item, std::size_t i) { scene.drivers.push_back(read_driver(item, i)); });
}

void read_routing(const Node& node, Scene& scene) {
  read_list(node, "rods that find their lengths", [&](const Node& item, std::size_t i) {
    const Fields fields(item, keys::routing, fmt::format("routing {}", i));
    Routing routing;
    routing.rod = read_text(fields.require("rod"));
    routing.mode = read_word(fields.require("mode"), kRoutingModes);
    fields.number("pull", routing.pull, Dimension::Force);
    fields.optional("from", routing.from, read_arc_position);
    fields.optional("to", routing.to, read_arc_position);
    fields.number("longest", routing.longest, Dimension::Length);
    for (const char* place : {"from", "to"})
      if (const Node* given = fields.find(place); given && routing.mode == RoutingMode::SelfFinding)
        refuse(*given, "a self-finding rod finds the lengths of all its parts: 'from' and 'to' are for mode pulled");
    scene.routing.push_back(std::move(routing));
  });
}

}  // namespace filum::io
