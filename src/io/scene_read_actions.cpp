// What acts on it: holds, junctions, loads, drivers; and how it is simulated and recorded.
#include "io/scene_parts.hpp"
#include "io/yaml_scalar.hpp"

#include <fmt/format.h>

#include <array>

namespace filum::io {
namespace {

constexpr std::array<bool, 3> kAll{true, true, true};
constexpr std::array<bool, 3> kNone{false, false, false};

// true, false or a list of world axes.
std::array<bool, 3> read_axes(const Node& node) {
  if (node.is_scalar()) return read_flag(node) ? kAll : kNone;
  if (!node.is_sequence())
    refuse(node, fmt::format("expected true, false or axes [x, y, z], found {}", node.describe()));
  std::array<bool, 3> axes = kNone;
  for (const Node& item : node.children) {
    const bool known = item.is_scalar() && item.text.size() == 1 && item.text[0] >= 'x' && item.text[0] <= 'z';
    if (!known) refuse(item, fmt::format("expected an axis x, y or z, found {}", item.describe()));
    bool& axis = axes[static_cast<std::size_t>(item.text[0] - 'x')];
    if (axis) refuse(item, fmt::format("axis {} twice", item.text));
    axis = true;
  }
  return axes;
}

// [position, orientation] or {position: axes, orientation: axes}.
void read_fix(const Node& node, Hold& hold, const std::string& label) {
  if (node.is_mapping()) {
    const Fields fields(node, keys::fix, "fix of " + label);
    fields.optional("position", hold.fix_position, read_axes);
    fields.optional("orientation", hold.fix_orientation, read_axes);
    return;
  }
  if (!node.is_sequence())
    refuse(node, fmt::format("expected [position], [orientation], [position, orientation] or {{position: [y, z], "
                             "orientation: true}}, found {}",
                             node.describe()));
  for (const Node& item : node.children) {
    const bool position = item.is_scalar() && item.text == "position";
    if (!position && !(item.is_scalar() && item.text == "orientation"))
      refuse(item, fmt::format("expected position or orientation, found {}", item.describe()));
    std::array<bool, 3>& fixed = position ? hold.fix_position : hold.fix_orientation;
    if (fixed == kAll) refuse(item, fmt::format("{} twice", item.text));
    fixed = kAll;
  }
}

// The name written, or «hold 3» for the third one.
std::string read_name(const Node& item, const char* what, std::size_t index) {
  const Node* name = item.find("name");
  return name ? read_text(*name) : fmt::format("{} {}", what, index + 1);
}

RodPoint read_rod_point(const Fields& fields) {
  return {read_text(fields.require("rod")), read_arc_position(fields.require("at"))};
}

Hold read_hold(const Node& node, std::size_t index) {
  Hold hold;
  hold.name = read_name(node, "hold", index);
  const Fields fields(node, keys::hold, fmt::format("hold {}", shown(hold.name)));
  const RodPoint point = read_rod_point(fields);
  hold.rod = point.rod;
  hold.at = point.at;
  read_fix(fields.require("fix"), hold, fields.label());
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
  return key;
}

struct NamedDriver {
  const char* key;
  DriverKind kind;
};
constexpr NamedDriver kDrivers[] = {{"body", DriverKind::Body},
                                    {"hold", DriverKind::Hold},
                                    {"force", DriverKind::Force},
                                    {"torque", DriverKind::Torque},
                                    {"rod", DriverKind::Rod}};

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
    refuse(node, fmt::format("{}: expected one of body, hold, force, torque, rod; found {} of them", fields.label(),
                             targets));
  // its path
  const Node& path = fields.require("path");
  expect_list(path, "keyframes {t: …}");
  for (const Node& item : path.children) driver.path.push_back(read_keyframe(item, driver.path.size(), fields.label()));
  return driver;
}

std::string read_formulation(const Node& node) {
  const std::string text = read_text(node);
  if (text == "cosserat" || text == "chain" || text == "spline")
    refuse_not_yet(node, "formulation " + text, "simulation");
  if (text != "kirchhoff") refuse(node, fmt::format("expected a formulation (kirchhoff), found {}", node.describe()));
  return text;
}

Mode read_mode(const Node& node) {
  const std::string text = read_text(node);
  if (text == "statics") return Mode::Statics;
  if (text == "dynamics") return Mode::Dynamics;
  refuse(node, fmt::format("expected statics or dynamics, found {}", node.describe()));
}

// One value is taken, others are known but refused.
void expect_only(const Node& node, std::string_view key, std::string_view only, std::string_view later) {
  if (node.is_scalar() && node.text == only) return;
  if (node.is_mapping() || (node.is_scalar() && !node.text.empty() && later.find(node.text) != std::string_view::npos))
    refuse_not_yet(node, fmt::format("{} {}", key, node.is_scalar() ? node.text : "from a result"), "simulation");
  refuse(node, fmt::format("expected {}, found {}", only, node.describe()));
}

template <class Read>
void read_list(const Node& node, std::string_view what, Read read) {
  expect_list(node, what);
  for (std::size_t i = 0; i < node.size(); ++i) read(node.children[i], i);
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
    force.point = read_rod_point(fields);
    force.force = read_vec3(fields.require("force"), Dimension::Force);
    fields.optional("follow", force.follow, read_flag);
    scene.forces.push_back(std::move(force));
  });
}

void read_torques(const Node& node, Scene& scene) {
  read_list(node, "torques", [&](const Node& item, std::size_t i) {
    const Fields fields(item, keys::torque, fmt::format("torque {}", i));
    PointTorque torque;
    torque.point = read_rod_point(fields);
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

void read_simulation(const Node& node, Scene& scene) {
  const Fields fields(node, keys::simulation, "simulation");
  Simulation& simulation = scene.simulation;
  fields.optional("formulation", simulation.formulation, read_formulation);
  fields.optional("mode", simulation.mode, read_mode);
  fields.number("step", simulation.step, Dimension::Time);
  fields.number("end", simulation.end, Dimension::Time);
  if (const Node* stepper = fields.find("stepper"))
    expect_only(*stepper, "stepper", "implicit", "projection variational");
  if (const Node* start = fields.find("start")) expect_only(*start, "start", "as-shaped", "equilibrium");
}

void read_record(const Node& node, Scene& scene) {
  const Fields fields(node, keys::record, "record");
  fields.number("every", scene.record.every, Dimension::Time);
  const Node* probes = fields.find("probes");
  if (!probes) return;
  read_list(*probes, "probes", [&](const Node& item, std::size_t i) {
    const std::string name = read_name(item, "probe", i);
    const Fields probe(item, keys::probe, fmt::format("probe {}", shown(name)));
    scene.record.probes.push_back({name, read_rod_point(probe)});
  });
}

}  // namespace filum::io
