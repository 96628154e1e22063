#include "formulations/features.hpp"

#include "rod/section_plasticity.hpp"
#include "scene/check/fault_list.hpp"
#include "scene/lookup.hpp"

#include <filum/scene.hpp>

#include <cmath>
#include <utility>

namespace filum {

namespace {

// A rod of which a part yields or slips.
bool yields(const scene::Names& names, const Rod& rod) {
  const auto part = [&](const std::string& section, const std::string& material) {
    const Section* shape = names.section(section);
    const Material* made_of = names.material(material);
    return shape != nullptr && rod::section_plasticity(*shape, made_of != nullptr ? *made_of : Material{}).has_value();
  };
  if (part(rod.section, rod.material)) return true;
  for (const Station& station : rod.stations)
    if (part(station.section, station.material.empty() ? rod.material : station.material)) return true;
  return false;
}

// The junction that a hold sits on, or null.
const Junction* junction_at(const Scene& scene, const scene::Names& names, const Hold& hold) {
  const Rod* rod = names.rod(hold.rod);
  if (rod == nullptr || hold.slide) return nullptr;
  const double length = scene::rod_length(*rod);
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods)
      if (point.rod == hold.rod && std::abs(point.at.at(length) - hold.at.at(length)) <= 1e-9 * length)
        return &junction;
  return nullptr;
}

}  // namespace

std::vector<FeatureUse> features_used(const Scene& scene) {
  std::vector<FeatureUse> uses;
  const auto add = [&](Feature feature, std::vector<std::string> path, const std::string& what) {
    uses.push_back({feature, std::move(path), what});
  };
  for (const Winch& winch : scene.winches)
    add(Feature::Winches, {"reeving", winch.name}, "winch " + scene::quoted(winch.name));
  for (const Sheave& sheave : scene.sheaves)
    add(Feature::Sheaves, {"reeving", sheave.name}, "sheave " + scene::quoted(sheave.name));
  for (std::size_t i = 0; i < scene.joints.size(); ++i)
    add(Feature::BodyJoints, {"joints", std::to_string(i)}, "joint " + scene::quoted(scene.joints[i].name));
  for (const Rope& rope : scene.ropes) add(Feature::Ropes, {"reeving", rope.name}, "rope " + scene::quoted(rope.name));
  for (std::size_t i = 0; scene.contact.obstacles && i < scene.obstacles.size(); ++i) {
    const Obstacle& obstacle = scene.obstacles[i];
    const bool ground = obstacle.shape == ObstacleShape::Plane && obstacle.body.empty();
    add(ground ? Feature::Obstacles : Feature::SolidShapes, {"obstacles", std::to_string(i)},
        "obstacle " + scene::quoted(obstacle.name));
  }
  for (const Scenery& item : scene.scenery)
    if (scene.contact.obstacles && item.solid)
      add(Feature::SolidShapes, {"scenery", item.name, "solid"}, "the solid scenery " + scene::quoted(item.name));
  if (scene.contact.rods) add(Feature::RodContact, {"contact", "rods"}, "rods that hold each other off");
  for (const Body& body : scene.bodies)
    if (scene.contact.obstacles && body.solid)
      add(Feature::SolidShapes, {"bodies", body.name, "solid"}, "the solid body " + scene::quoted(body.name));
  for (const Rod& rod : scene.rods)
    if (rod.closed && rod.limits.may_break())
      add(Feature::BreakingRings,
          {"rods", rod.name, "limits", rod.limits.breaking_tension ? "breaking_tension" : "breaking_strain"},
          "the breaking of the closed rod " + scene::quoted(rod.name));
  const scene::Names names(scene);
  for (const Rod& rod : scene.rods)
    if (yields(names, rod)) add(Feature::Plasticity, {"rods", rod.name}, "the yield of rod " + scene::quoted(rod.name));
  for (const Rod& rod : scene.rods)
    if (rod.lay != Lay{}) add(Feature::RopeLay, {"rods", rod.name, "lay"}, "the lay of rod " + scene::quoted(rod.name));
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const Hold& hold = scene.holds[h];
    const std::string which = "hold " + scene::quoted(hold.name);
    const auto path = [&](const char* key) { return std::vector<std::string>{"holds", std::to_string(h), key}; };
    if (hold.slide) add(Feature::SlidingHolds, path("slide"), "the sliding " + which);
    const Body* body = names.body(hold.body);
    if (body == nullptr || body->motion != BodyMotion::Free) continue;
    if (hold.slide) add(Feature::CarriedSlides, path("slide"), which + " that slides on a free body");
    if (fixes_some(hold.fix.position))
      add(Feature::CarriedAxes, path("fix"), which + " along some axes of a free body");
    if (const Junction* junction = junction_at(scene, names, hold))
      add(Feature::CarriedJunctions, path("body"),
          which + " of a free body on junction " + scene::quoted(junction->name));
  }
  if (scene.simulation.chain != ChainOptions{}) add(Feature::ChainOptions, {"simulation", "chain"}, "chain");
  if (scene.simulation.spline != SplineOptions{}) add(Feature::SplineOptions, {"simulation", "spline"}, "spline");
  if (scene.simulation.integrator == Integrator::RungeKutta)
    add(Feature::RungeKutta, {"simulation", "integrator"}, "the integrator runge-kutta");
  return uses;
}

}  // namespace filum
