#include "serve/commands/scene_json.hpp"

#include "io/scene/scene_words.hpp"
#include "io/yaml/units.hpp"
#include "scene/lookup.hpp"

#include <filum/section.hpp>

#include <algorithm>
#include <string>

namespace filum::serve {

namespace {

std::string path_of(const char* list, const std::string& name) {
  return std::string(list) + "." + name;
}
std::string path_of(const char* list, std::size_t index) {
  return std::string(list) + "." + std::to_string(index);
}

double length_of(const Scene& scene, const std::string& rod) {
  for (const Rod& candidate : scene.rods)
    if (candidate.name == rod) return scene::rod_length(candidate);
  return 0;
}

// A place along a rod: as the file has it, and as a number.
void put_place(Json& out, const Scene& scene, const RodPoint& point) {
  out["rod"] = point.rod;
  out["at"] = point.rod.empty() ? "" : io::arc_text(point.at);
  out["s"] = point.at.at(length_of(scene, point.rod));
}

Json material_json(const MaterialEntry& entry) {
  return {{"name", entry.name},
          {"path", path_of("materials", entry.name)},
          {"young", entry.material.young},
          {"poisson", entry.material.poisson},
          {"density", entry.material.density}};
}

Json section_json(const SectionEntry& entry) {
  const Section& section = entry.section;
  Json out = {{"name", entry.name}, {"path", path_of("sections", entry.name)}};
  switch (section.shape) {
    case SectionShape::Circle:
      out["shape"] = "circle";
      out["radius"] = section.radius;
      break;
    case SectionShape::Tube:
      out["shape"] = "tube";
      out["outer_radius"] = section.outer_radius;
      out["inner_radius"] = section.inner_radius;
      out["fill_density"] = section.fill_density;
      break;
    case SectionShape::Rectangle:
      out["shape"] = "rectangle";
      out["width"] = section.width;
      out["height"] = section.height;
      break;
    case SectionShape::Ellipse:
      out["shape"] = "ellipse";
      out["radii"] = json_of(section.radii);
      break;
    case SectionShape::Given:
      out["shape"] = "given";
      out["EA"] = section.EA;
      out["EI"] = json_of(section.EI);
      out["GJ"] = section.GJ;
      out["mass_per_length"] = section.mass_per_length;
      out["radius"] = section.radius;
      break;
  }
  return out;
}

Json curve_json(const Curve& curve) {
  static constexpr const char* kKinds[] = {"line", "points", "spline", "arc", "helix"};
  Json out = {{"kind", kKinds[static_cast<std::size_t>(curve.kind)]}, {"file", curve.file}};
  if (curve.kind == CurveKind::Arc || curve.kind == CurveKind::Helix) {
    out["centre"] = json_of(curve.centre);
    out["axis"] = json_of(curve.axis);
    out["start"] = json_of(curve.start);
    out["angle"] = curve.angle;
    if (curve.kind == CurveKind::Helix) out["pitch"] = curve.pitch;
    return out;
  }
  // a long list of points is for files, not for inspectors
  constexpr std::size_t kMostPoints = 1000;
  out["points"] = Json::array();
  for (std::size_t i = 0; i < std::min(kMostPoints, curve.points.size()); ++i)
    out["points"].push_back(json_of(curve.points[i]));
  out["count"] = curve.points.size();
  return out;
}

Json rest_json(const RestShape& rest) {
  static constexpr const char* kKinds[] = {"straight", "as-shaped", "uniform", "curve"};
  Json out = {{"kind", kKinds[static_cast<std::size_t>(rest.kind)]},
              {"curvature", json_of(rest.curvature)},
              {"twist_rate", rest.twist_rate}};
  if (rest.kind == RestKind::Curve) out["curve"] = curve_json(rest.curve);
  return out;
}

// Stiffness and weight at the start of the rod.
void put_stiffness(Json& out, const scene::Names& names, const Rod& rod, double length) {
  const Section* section = names.section(rod.section);
  const Material* material = names.material(rod.material);
  if (section == nullptr || (material == nullptr && section->shape != SectionShape::Given)) return;
  const Stiffness stiff = stiffness(*section, material != nullptr ? *material : Material{});
  out["stiffness"] = {{"EA", stiff.EA}, {"EI", json_of(stiff.EI)}, {"GJ", stiff.GJ}};
  out["mass_per_length"] = stiff.mass_per_length;
  out["mass"] = stiff.mass_per_length * length;
  out["outline"] = json_of(stiff.outline);
}

Json rod_json(const scene::Names& names, const Rod& rod) {
  const double length = scene::rod_length(rod);
  const Damping& damping = rod.damping;
  Json out = {{"name", rod.name},
              {"path", path_of("rods", rod.name)},
              {"material", rod.material},
              {"section", rod.section},
              {"length", length},
              {"length_given", rod.length.has_value()},
              {"segments", rod.segments},
              {"closed", rod.closed},
              {"twist", rod.twist},
              {"normal", json_of(rod.normal)},
              {"shape", curve_json(rod.shape)},
              {"rest", rest_json(rod.rest)},
              {"extensible", rod.extensible},
              {"velocity", json_of(rod.velocity)},
              {"spin", json_of(rod.spin)}};
  out["limits"] = {{"min_bend_radius", json_of(rod.limits.min_bend_radius)},
                   {"max_tension", json_of(rod.limits.max_tension)},
                   {"max_hold_force", json_of(rod.limits.max_hold_force)},
                   {"max_transverse_force", json_of(rod.limits.max_transverse_force)},
                   {"breaking_tension", json_of(rod.limits.breaking_tension)}};
  out["damping"] = {{"mass", damping.mass},   {"stiffness", damping.stiffness}, {"bend", damping.bend},
                    {"twist", damping.twist}, {"stretch", damping.stretch},     {"air", damping.air}};
  out["stations"] = Json::array();
  for (const Station& station : rod.stations)
    out["stations"].push_back({{"s", station.s.at(length)},
                               {"at", io::arc_text(station.s)},
                               {"section", station.section},
                               {"material", station.material}});
  put_stiffness(out, names, rod, length);
  return out;
}

Json body_json(const Body& body) {
  return {{"name", body.name},
          {"path", path_of("bodies", body.name)},
          {"box", json_of(body.box)},
          {"mass", body.mass},
          {"inertia", json_of(body.inertia)},
          {"position", json_of(body.position)},
          {"orientation", json_of(body.orientation)},
          {"velocity", json_of(body.velocity)},
          {"spin", json_of(body.spin)},
          {"motion", io::word_for(io::kMotions, body.motion)}};
}

Json fix_json(const Fix& fix) {
  return {{"position", fix.position}, {"orientation", fix.orientation}};
}

Json hold_json(const Scene& scene, const Hold& hold) {
  const bool driven = std::any_of(scene.drivers.begin(), scene.drivers.end(), [&](const Driver& driver) {
    return driver.kind == DriverKind::Hold && driver.target == hold.name;
  });
  Json out = {{"name", hold.name},
              {"path", path_of("holds", hold.name)},
              {"fix", fix_json({hold.fix_position, hold.fix_orientation})},
              {"slide", hold.slide},
              {"body", hold.body},
              {"position", json_of(hold.position)},
              {"orientation", json_of(hold.orientation)},
              {"driven", driven}};
  put_place(out, scene, {hold.rod, hold.at});
  return out;
}

Json junction_json(const Scene& scene, const Junction& junction) {
  Json out = {{"name", junction.name}, {"path", path_of("junctions", junction.name)}, {"rods", Json::array()}};
  for (const RodPoint& point : junction.rods) {
    Json place;
    put_place(place, scene, point);
    out["rods"].push_back(std::move(place));
  }
  return out;
}

Json driver_json(const Driver& driver, std::size_t index) {
  static constexpr const char* kKinds[] = {"body", "hold", "force", "torque", "rod", "winch", "rope"};
  const bool load = driver.kind == DriverKind::Force || driver.kind == DriverKind::Torque;
  Json out = {{"path", path_of("drivers", index)},
              {"kind", kKinds[static_cast<std::size_t>(driver.kind)]},
              {"target", load ? std::to_string(driver.index) : driver.target},
              {"keys", Json::array()}};
  for (const Keyframe& key : driver.path)
    out["keys"].push_back({{"t", key.t},
                           {"position", json_of(key.position)},
                           {"orientation", json_of(key.orientation)},
                           {"turns", json_of(key.turns)},
                           {"scale", json_of(key.scale)},
                           {"length", json_of(key.length)},
                           {"speed", json_of(key.speed)},
                           {"fix", key.fix ? fix_json(*key.fix) : Json(nullptr)}});
  return out;
}

Json simulation_json(const Simulation& simulation) {
  return {{"formulation", simulation.formulation},
          {"mode", io::word_for(io::kModes, simulation.mode)},
          {"step", simulation.step},
          {"end", simulation.end},
          {"stepper", io::word_for(io::kSteppers, simulation.stepper)},
          {"integrator", io::word_for(io::kIntegrators, simulation.integrator)},
          {"spectral_radius", simulation.spectral_radius},
          {"rotary_inertia", simulation.rotary_inertia},
          {"tolerance", json_of(simulation.tolerance)},
          {"iterations", simulation.iterations},
          {"start", simulation.start == StartKind::Result ? simulation.start_result
                                                          : std::string(io::word_for(io::kStarts, simulation.start))}};
}

// A load on a place of a rod or on a body.
template <class Load>
Json load_json(const Scene& scene, const char* list, std::size_t index, const Load& load, const char* key,
               const Vec3& value) {
  Json out = {{"path", path_of(list, index)}, {"body", load.body}, {"follow", load.follow}, {key, json_of(value)}};
  put_place(out, scene, load.body.empty() ? load.point : RodPoint{});
  return out;
}

void put_loads(Json& out, const Scene& scene) {
  for (const char* list : {"forces", "torques", "distributed", "drivers", "routing", "probes"})
    out[list] = Json::array();
  for (std::size_t i = 0; i < scene.forces.size(); ++i)
    out["forces"].push_back(load_json(scene, "forces", i, scene.forces[i], "force", scene.forces[i].force));
  for (std::size_t i = 0; i < scene.torques.size(); ++i)
    out["torques"].push_back(load_json(scene, "torques", i, scene.torques[i], "torque", scene.torques[i].torque));
  for (std::size_t i = 0; i < scene.distributed.size(); ++i) {
    const DistributedForce& load = scene.distributed[i];
    const double length = length_of(scene, load.rod);
    out["distributed"].push_back({{"path", path_of("distributed", i)},
                                  {"rod", load.rod},
                                  {"from", io::arc_text(load.from)},
                                  {"to", io::arc_text(load.to)},
                                  {"from_s", load.from.at(length)},
                                  {"to_s", load.to.at(length)},
                                  {"force_per_length", json_of(load.force_per_length)}});
  }
  for (std::size_t i = 0; i < scene.drivers.size(); ++i) out["drivers"].push_back(driver_json(scene.drivers[i], i));
  for (std::size_t i = 0; i < scene.routing.size(); ++i) {
    const Routing& routing = scene.routing[i];
    out["routing"].push_back({{"path", path_of("routing", i)},
                              {"rod", routing.rod},
                              {"mode", io::word_for(io::kRoutingModes, routing.mode)},
                              {"pull", json_of(routing.pull)},
                              {"from", io::arc_text(routing.from)},
                              {"to", io::arc_text(routing.to)},
                              {"longest", json_of(routing.longest)}});
  }
  for (const Probe& probe : scene.record.probes) {
    Json item = {{"name", probe.name}, {"path", path_of("record.probes", probe.name)}};
    put_place(item, scene, probe.point);
    out["probes"].push_back(std::move(item));
  }
}

Json winch_json(const Scene& scene, const Winch& winch) {
  Json out = {{"name", winch.name},
              {"path", path_of("reeving", winch.name)},
              {"body", winch.body},
              {"point", json_of(winch.point)},
              {"drum_radius", winch.drum_radius},
              {"speed", winch.speed},
              {"max_force", json_of(winch.max_force)},
              {"shortest", json_of(winch.shortest)},
              {"longest", json_of(winch.longest)}};
  put_place(out, scene, {winch.rod, winch.at});
  return out;
}

Json sheave_json(const Scene& scene, const Sheave& sheave) {
  Json out = {{"name", sheave.name},          {"path", path_of("reeving", sheave.name)},
              {"body", sheave.body},          {"point", json_of(sheave.point)},
              {"axis", json_of(sheave.axis)}, {"radius", sheave.radius},
              {"friction", sheave.friction},  {"inertia", sheave.inertia}};
  put_place(out, scene, {sheave.rod, sheave.at});
  return out;
}

// Its points are in the frames of their bodies: whoever knows where those are can draw it.
Json rope_json(const Rope& rope) {
  Json out = {{"name", rope.name},
              {"path", path_of("reeving", rope.name)},
              {"stiffness", rope.stiffness},
              {"length", json_of(rope.length)},
              {"breaking_tension", json_of(rope.breaking_tension)},
              {"through", Json::array()}};
  for (const RopePoint& point : rope.through)
    out["through"].push_back({{"body", point.body},
                              {"point", json_of(point.point)},
                              {"radius", point.radius},
                              {"axis", json_of(point.axis)},
                              {"friction", point.friction}});
  return out;
}

void put_reeving(Json& out, const Scene& scene) {
  for (const char* list : {"winches", "sheaves", "ropes", "planes"}) out[list] = Json::array();
  for (const Winch& winch : scene.winches) out["winches"].push_back(winch_json(scene, winch));
  for (const Sheave& sheave : scene.sheaves) out["sheaves"].push_back(sheave_json(scene, sheave));
  for (const Rope& rope : scene.ropes) out["ropes"].push_back(rope_json(rope));
  for (const Plane& plane : scene.planes)
    out["planes"].push_back({{"name", plane.name},
                             {"path", path_of("obstacles", plane.name)},
                             {"point", json_of(plane.point)},
                             {"normal", json_of(plane.normal)},
                             {"friction", plane.friction}});
}

}  // namespace

Json scene_json(const Scene& scene) {
  Json out = {{"title", scene.title},
              {"gravity", json_of(scene.gravity)},
              {"empty", scene.rods.empty() && scene.ropes.empty()}};
  for (const char* list : {"materials", "sections", "rods", "bodies", "holds", "junctions"}) out[list] = Json::array();
  const scene::Names names(scene);
  for (const MaterialEntry& entry : scene.materials) out["materials"].push_back(material_json(entry));
  for (const SectionEntry& entry : scene.sections) out["sections"].push_back(section_json(entry));
  for (const Rod& rod : scene.rods) out["rods"].push_back(rod_json(names, rod));
  for (const Body& body : scene.bodies) out["bodies"].push_back(body_json(body));
  for (const Hold& hold : scene.holds) out["holds"].push_back(hold_json(scene, hold));
  for (const Junction& junction : scene.junctions) out["junctions"].push_back(junction_json(scene, junction));
  put_loads(out, scene);
  put_reeving(out, scene);
  out["simulation"] = simulation_json(scene.simulation);
  out["warnings"] = warnings(scene);
  return out;
}

}  // namespace filum::serve
