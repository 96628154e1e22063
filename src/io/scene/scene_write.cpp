// Scenes as fresh YAML text.
//
// The order and layout are fixed, defaults are left out, numbers are the shortest that read back to the same bits, and
// what has a choice of forms (angles, orientations) is written in the one that is kept.
#include <filum/scene_file.hpp>

#include "io/scene/scene_pairs.hpp"
#include "io/scene/scene_words.hpp"
#include "io/scene/scene_write_reeving.hpp"

namespace filum {
namespace io {
namespace {

std::string points_text(const std::vector<Vec3>& points) {
  std::vector<std::string> items;
  for (const Vec3& point : points) items.push_back(vec_text(point));
  return list_text(items);
}

std::string curve_text(const Curve& curve) {
  Pairs pairs;
  if (!curve.file.empty()) {
    pairs.text("file", curve.file);
  } else if (curve.kind == CurveKind::Arc || curve.kind == CurveKind::Helix) {
    const bool helix = curve.kind == CurveKind::Helix;
    Pairs inner;
    inner.add("centre", vec_text(curve.centre));
    inner.add("axis", vec_text(curve.axis));
    inner.add("start", vec_text(curve.start));
    inner.number("angle", curve.angle);
    if (helix) inner.number("pitch", curve.pitch);
    pairs.add(helix ? "helix" : "arc", inner.flow());
  } else {
    const bool line = curve.kind == CurveKind::Line;
    pairs.add(line ? "line" : curve.kind == CurveKind::Spline ? "spline" : "points", points_text(curve.points));
  }
  return pairs.flow();
}

std::string rest_text(const RestShape& rest) {
  switch (rest.kind) {
    case RestKind::Straight:
      return "straight";
    case RestKind::AsShaped:
      return "as-shaped";
    case RestKind::Curve:
      return curve_text(rest.curve);
    case RestKind::Uniform:
      break;
  }
  Pairs pairs;
  pairs.add("curvature", vec_text(rest.curvature));
  pairs.number("twist_rate", rest.twist_rate);
  return pairs.flow();
}

std::string section_text(const Section& section) {
  Pairs pairs;
  switch (section.shape) {
    case SectionShape::Circle:
      pairs.add("shape", "circle");
      pairs.number("radius", section.radius);
      break;
    case SectionShape::Tube:
      pairs.add("shape", "tube");
      pairs.number("outer_radius", section.outer_radius);
      pairs.number("inner_radius", section.inner_radius);
      if (section.fill_density != 0) pairs.number("fill_density", section.fill_density);
      break;
    case SectionShape::Rectangle:
      pairs.add("shape", "rectangle");
      pairs.number("width", section.width);
      pairs.number("height", section.height);
      break;
    case SectionShape::Ellipse:
      pairs.add("shape", "ellipse");
      pairs.add("radii", vec_text(section.radii));
      break;
    case SectionShape::Given:
      pairs.add("shape", "given");
      pairs.number("EA", section.EA);
      pairs.add("EI", vec_text(section.EI));
      pairs.number("GJ", section.GJ);
      pairs.number("mass_per_length", section.mass_per_length);
      if (section.radius != 0) pairs.number("radius", section.radius);
      break;
  }
  return pairs.flow();
}

std::string material_text(const Material& material) {
  Pairs pairs;
  pairs.number("young", material.young);
  pairs.number("poisson", material.poisson);
  pairs.number("density", material.density);
  return pairs.flow();
}

std::string stations_text(const std::vector<Station>& stations) {
  std::vector<std::string> items;
  for (const Station& station : stations) {
    Pairs pairs;
    pairs.add("s", arc_text(station.s));
    pairs.text("section", station.section);
    if (!station.material.empty()) pairs.text("material", station.material);
    items.push_back(pairs.flow());
  }
  return list_text(items);
}

std::string damping_text(const Damping& damping) {
  Pairs pairs;
  const auto unless_zero = [&](const char* key, double value) {
    if (value != 0) pairs.number(key, value);
  };
  if (damping.mass != 0 || damping.stiffness != 0)
    pairs.add("rayleigh", vec_text(Vec2(damping.mass, damping.stiffness)));
  unless_zero("bend", damping.bend);
  unless_zero("twist", damping.twist);
  unless_zero("stretch", damping.stretch);
  unless_zero("air", damping.air);
  return pairs.flow();
}

Pairs rod_pairs(const Rod& rod) {
  Pairs pairs;
  if (!rod.material.empty()) pairs.text("material", rod.material);
  pairs.text("section", rod.section);
  pairs.number("length", rod.length);
  pairs.add("segments", fmt::format("{}", rod.segments));
  pairs.add("shape", curve_text(rod.shape));
  if (!(rod.rest == RestShape{})) pairs.add("rest", rest_text(rod.rest));
  if (rod.normal) pairs.add("normal", vec_text(*rod.normal));
  Pairs limits;
  limits.number("min_bend_radius", rod.limits.min_bend_radius);
  limits.number("max_tension", rod.limits.max_tension);
  limits.number("max_hold_force", rod.limits.max_hold_force);
  limits.number("max_transverse_force", rod.limits.max_transverse_force);
  limits.number("breaking_tension", rod.limits.breaking_tension);
  if (!limits.empty()) pairs.add("limits", limits.flow());
  if (rod.closed) pairs.add("closed", "true");
  if (rod.twist != 0) pairs.number("twist", rod.twist);
  if (!rod.stations.empty()) pairs.add("stations", stations_text(rod.stations));
  if (!rod.extensible) pairs.add("extensible", "false");
  pairs.vector("velocity", rod.velocity);
  pairs.vector("spin", rod.spin);
  if (!(rod.damping == Damping{})) pairs.add("damping", damping_text(rod.damping));
  return pairs;
}

std::string body_text(const Body& body) {
  Pairs pairs;
  if (body.box != Vec3::Zero()) pairs.add("box", vec_text(body.box));
  if (body.mass != 0) pairs.number("mass", body.mass);
  if (body.inertia) pairs.add("inertia", vec_text(*body.inertia));
  pairs.add("position", vec_text(body.position));
  pairs.add("orientation", quat_text(body.orientation));
  pairs.vector("velocity", body.velocity);
  pairs.vector("spin", body.spin);
  pairs.text("motion", word_for(kMotions, body.motion));
  return pairs.flow();
}

std::string scenery_text(const Scenery& scenery) {
  Pairs pairs;
  pairs.text("mesh", scenery.mesh);
  pairs.vector("position", scenery.position);
  if (scenery.orientation.coeffs() != Quat::Identity().coeffs())
    pairs.add("orientation", quat_text(scenery.orientation));
  if (scenery.scale != 1) pairs.number("scale", scenery.scale);
  if (!scenery.body.empty()) pairs.text("body", scenery.body);
  return pairs.flow();
}

std::string axes_text(const FixedAxes& axes) {
  if (axes[0] && axes[1] && axes[2]) return "true";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 3; ++i)
    if (axes[i]) names.emplace_back(1, "xyz"[i]);
  return list_text(names);
}

// The short form where it says all, the mapping otherwise.
std::string fix_text(const Fix& fix) {
  const auto whole = [](const FixedAxes& axes) { return axes[0] == axes[1] && axes[1] == axes[2]; };
  if (whole(fix.position) && whole(fix.orientation)) {
    std::vector<std::string> names;
    if (fix.position[0]) names.emplace_back("position");
    if (fix.orientation[0]) names.emplace_back("orientation");
    return list_text(names);
  }
  Pairs pairs;
  pairs.add("position", axes_text(fix.position));
  pairs.add("orientation", axes_text(fix.orientation));
  return pairs.flow();
}

Pairs rod_point_pairs(const RodPoint& point) {
  Pairs pairs;
  pairs.text("rod", point.rod);
  pairs.add("at", arc_text(point.at));
  return pairs;
}

std::string hold_text(const Hold& hold) {
  Pairs pairs;
  pairs.text("name", hold.name);
  pairs.text("rod", hold.rod);
  pairs.add("at", arc_text(hold.at));
  pairs.add("fix", fix_text({hold.fix_position, hold.fix_orientation}));
  if (hold.slide) pairs.add("slide", "true");
  if (!hold.body.empty()) pairs.text("body", hold.body);
  if (hold.position) pairs.add("position", vec_text(*hold.position));
  if (hold.orientation) pairs.add("orientation", quat_text(*hold.orientation));
  return pairs.flow();
}

std::string junction_text(const Junction& junction) {
  std::vector<std::string> places;
  for (const RodPoint& point : junction.rods) places.push_back(rod_point_pairs(point).flow());
  Pairs pairs;
  pairs.text("name", junction.name);
  pairs.add("rods", list_text(places));
  return pairs.flow();
}

std::string load_text(const RodPoint& point, const std::string& body, std::string_view key, const Vec3& value,
                      bool follow) {
  Pairs pairs;
  if (body.empty())
    pairs = rod_point_pairs(point);
  else
    pairs.text("body", body);
  pairs.add(key, vec_text(value));
  if (follow) pairs.add("follow", "true");
  return pairs.flow();
}

std::string distributed_text(const DistributedForce& load) {
  Pairs pairs;
  pairs.text("rod", load.rod);
  pairs.add("from", arc_text(load.from));
  pairs.add("to", arc_text(load.to));
  pairs.add("force_per_length", vec_text(load.force_per_length));
  return pairs.flow();
}

std::string keyframe_text(const Keyframe& key) {
  Pairs pairs;
  pairs.number("t", key.t);
  if (key.position) pairs.add("position", vec_text(*key.position));
  if (key.orientation) pairs.add("orientation", quat_text(*key.orientation));
  pairs.number("turns", key.turns);
  pairs.number("scale", key.scale);
  pairs.number("length", key.length);
  pairs.number("speed", key.speed);
  if (key.fix) pairs.add("fix", fix_text(*key.fix));
  return pairs.flow();
}

std::string driver_text(const Driver& driver) {
  Pairs pairs;
  switch (driver.kind) {
    case DriverKind::Body:
      pairs.text("body", driver.target);
      break;
    case DriverKind::Hold:
      pairs.text("hold", driver.target);
      break;
    case DriverKind::Rod:
      pairs.text("rod", driver.target);
      break;
    case DriverKind::Winch:
      pairs.text("winch", driver.target);
      break;
    case DriverKind::Rope:
      pairs.text("rope", driver.target);
      break;
    case DriverKind::Force:
      pairs.add("force", fmt::format("{}", driver.index));
      break;
    case DriverKind::Torque:
      pairs.add("torque", fmt::format("{}", driver.index));
      break;
  }
  std::vector<std::string> path;
  for (const Keyframe& key : driver.path) path.push_back(keyframe_text(key));
  pairs.add("path", list_text(path));
  return pairs.flow();
}

std::string routing_text(const Routing& routing) {
  Pairs pairs;
  pairs.text("rod", routing.rod);
  pairs.text("mode", word_for(kRoutingModes, routing.mode));
  pairs.number("pull", routing.pull);
  if (routing.mode == RoutingMode::Pulled) {
    pairs.add("from", arc_text(routing.from));
    pairs.add("to", arc_text(routing.to));
  }
  pairs.number("longest", routing.longest);
  return pairs.flow();
}

std::string integrator_text(const Simulation& simulation) {
  const std::string_view name = word_for(kIntegrators, simulation.integrator);
  if (simulation.integrator != Integrator::GeneralisedAlpha) return std::string(name);
  Pairs pairs;
  pairs.text("name", name);
  pairs.number("spectral_radius", simulation.spectral_radius);
  return pairs.flow();
}

std::string start_text(const Simulation& simulation) {
  if (simulation.start != StartKind::Result) return std::string(word_for(kStarts, simulation.start));
  Pairs pairs;
  pairs.text("result", simulation.start_result);
  return pairs.flow();
}

std::string chain_text(const ChainOptions& chain) {
  Pairs pairs;
  const ChainOptions usual;
  if (chain.sweeps != usual.sweeps) pairs.add("sweeps", fmt::format("{}", chain.sweeps));
  if (chain.damping != usual.damping) pairs.number("damping", chain.damping);
  if (chain.detail != usual.detail) pairs.number("detail", chain.detail);
  return pairs.flow();
}

std::string simulation_text(const Simulation& simulation) {
  Pairs pairs;
  const Simulation usual;
  pairs.text("formulation", simulation.formulation);
  pairs.text("mode", word_for(kModes, simulation.mode));
  if (simulation.stepper != usual.stepper) pairs.text("stepper", word_for(kSteppers, simulation.stepper));
  if (simulation.integrator != usual.integrator) pairs.add("integrator", integrator_text(simulation));
  if (simulation.rotary_inertia) pairs.add("rotary_inertia", "true");
  pairs.number("step", simulation.step);
  pairs.number("tolerance", simulation.tolerance);
  if (simulation.iterations != 0) pairs.add("iterations", fmt::format("{}", simulation.iterations));
  pairs.number("end", simulation.end);
  if (simulation.start != usual.start) pairs.add("start", start_text(simulation));
  if (simulation.chain != usual.chain) pairs.add("chain", chain_text(simulation.chain));
  return pairs.flow();
}

std::string record_text(const Record& record) {
  Pairs pairs;
  pairs.number("every", record.every);
  std::vector<std::string> probes;
  for (const Probe& probe : record.probes) {
    Pairs item;
    item.text("name", probe.name);
    item.text("rod", probe.point.rod);
    item.add("at", arc_text(probe.point.at));
    probes.push_back(item.flow());
  }
  if (!probes.empty()) pairs.add("probes", list_text(probes));
  return pairs.flow();
}

// A top-level list, one item a line; nothing if it is empty.
template <class Items, class Text>
void append_list(std::string& out, std::string_view key, const Items& items, Text text) {
  if (items.empty()) return;
  out += fmt::format("{}:\n", key);
  for (const auto& item : items) out += fmt::format("  - {}\n", text(item));
}

// A top-level mapping by name, likewise.
template <class Items, class Text>
void append_named(std::string& out, std::string_view key, const Items& items, Text text) {
  if (items.empty()) return;
  out += fmt::format("{}:\n", key);
  for (const auto& item : items) out += fmt::format("  {}: {}\n", yaml_scalar(item.name), text(item));
}

}  // namespace
}  // namespace io

std::string write_scene(const Scene& scene) {
  using namespace io;
  std::string out = "filum: 1\n";
  if (!scene.title.empty()) out += fmt::format("title: {}\n", yaml_scalar(scene.title));
  out += fmt::format("gravity: {}\n", vec_text(scene.gravity));
  append_named(out, "materials", scene.materials, [](const MaterialEntry& e) { return material_text(e.material); });
  append_named(out, "sections", scene.sections, [](const SectionEntry& e) { return section_text(e.section); });
  // rods have many keys: one a line
  if (!scene.rods.empty()) out += "rods:\n";
  for (const Rod& rod : scene.rods)
    out += fmt::format("  {}:\n{}", yaml_scalar(rod.name), rod_pairs(rod).block("    "));
  append_named(out, "bodies", scene.bodies, body_text);
  append_named(out, "scenery", scene.scenery, scenery_text);
  append_list(out, "holds", scene.holds, hold_text);
  append_list(out, "junctions", scene.junctions, junction_text);
  append_list(out, "forces", scene.forces,
              [](const PointForce& f) { return load_text(f.point, f.body, "force", f.force, f.follow); });
  append_list(out, "torques", scene.torques,
              [](const PointTorque& t) { return load_text(t.point, t.body, "torque", t.torque, t.follow); });
  append_list(out, "distributed", scene.distributed, distributed_text);
  append_list(out, "obstacles", scene.planes, plane_text);
  append_list(out, "reeving", reeving_texts(scene), [](const std::string& text) { return text; });
  append_list(out, "drivers", scene.drivers, driver_text);
  append_list(out, "routing", scene.routing, routing_text);
  out += fmt::format("simulation: {}\n", simulation_text(scene.simulation));
  if (!(scene.record == Record{})) out += fmt::format("record: {}\n", record_text(scene.record));
  return out;
}

}  // namespace filum
