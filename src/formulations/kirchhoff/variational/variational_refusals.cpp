// What of a scene the variational stepper cannot honour.
#include "formulations/features.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "scene/lookup.hpp"

#include <filum/scene.hpp>

#include <cmath>
#include <string>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

using Problems = std::vector<scene::Problem>;

void refuse(Problems& list, std::vector<std::string> path, const std::string& what) {
  list.push_back({std::move(path), "stepper 'variational' has no " + what + "; 'implicit' has"});
}

void refuse_section(const Rod& rod, const std::string& section, const std::string& material, const scene::Names& names,
                    const std::vector<std::string>& path, Problems& list) {
  const filum::Section* found = names.section(section);
  if (found == nullptr) return;
  const Material* made_of = names.material(material);
  const Stiffness stiff = stiffness(*found, made_of != nullptr ? *made_of : Material{});
  if (std::abs(stiff.EI[0] - stiff.EI[1]) > 1e-9 * stiff.EI[0])
    refuse(list, path, "unequal bending stiffnesses (section '" + section + "' of rod '" + rod.name + "')");
  if (!(stiff.mass_per_length > 0))
    list.push_back(
        {path, "stepper 'variational' needs mass: section '" + section + "' of rod '" + rod.name + "' has none"});
}

void refuse_rods(const Scene& scene, Problems& list) {
  const scene::Names names(scene);
  for (const Rod& rod : scene.rods) {
    if (rod.rest.kind != RestKind::Straight)
      refuse(list, {"rods", rod.name, "rest"}, "natural curvature or twist (rod '" + rod.name + "')");
    refuse_section(rod, rod.section, rod.material, names, {"rods", rod.name, "section"}, list);
    for (std::size_t k = 0; k < rod.stations.size(); ++k) {
      const Station& station = rod.stations[k];
      refuse_section(rod, station.section, station.material.empty() ? rod.material : station.material, names,
                     {"rods", rod.name, "stations", std::to_string(k), "section"}, list);
    }
  }
}

void refuse_holds(const Scene& scene, Problems& list) {
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const Hold& hold = scene.holds[h];
    const std::string index = std::to_string(h);
    if (hold.slide) refuse(list, {"holds", index, "slide"}, "sliding holds (hold '" + hold.name + "')");
    if (fixes_some(hold.fix.orientation)) refuse(list, {"holds", index, "fix"}, "hinges (hold '" + hold.name + "')");
  }
  for (std::size_t d = 0; d < scene.drivers.size(); ++d) {
    const Driver& driver = scene.drivers[d];
    const std::string index = std::to_string(d);
    if (driver.kind == DriverKind::Rod)
      refuse(list, {"drivers", index}, "rods that change their length (driver of rod '" + driver.target + "')");
    for (const Keyframe& key : driver.path)
      if (key.fix && fixes_some(key.fix->orientation))
        refuse(list, {"drivers", index, "path"}, "hinges (driver of hold '" + driver.target + "')");
  }
}

}  // namespace

std::vector<scene::Problem> variational_refusals(const Scene& scene) {
  Problems list;
  refuse_rods(scene, list);
  refuse_holds(scene, list);
  for (const FeatureUse& use : features_used(scene))
    if (use.feature == Feature::Plasticity)
      refuse(list, use.path, "plasticity (" + use.what + ")");
    else if (use.feature == Feature::RopeLay)
      refuse(list, use.path, "rope lay (" + use.what + ")");
  for (std::size_t j = 0; j < scene.junctions.size(); ++j)
    refuse(list, {"junctions", std::to_string(j)}, "junctions (junction '" + scene.junctions[j].name + "')");
  for (const Body& body : scene.bodies)
    if (body.motion == BodyMotion::Free)
      refuse(list, {"bodies", body.name, "motion"}, "free bodies (body '" + body.name + "')");
  for (std::size_t k = 0; k < scene.torques.size(); ++k)
    refuse(list, {"torques", std::to_string(k)}, "torques (torque " + std::to_string(k + 1) + ")");
  for (std::size_t k = 0; k < scene.forces.size(); ++k)
    if (scene.forces[k].follow)
      refuse(list, {"forces", std::to_string(k), "follow"}, "following forces (force " + std::to_string(k + 1) + ")");
  const Simulation& simulation = scene.simulation;
  if (simulation.rotary_inertia) refuse(list, {"simulation", "rotary_inertia"}, "rotary inertia");
  if (simulation.tolerance) refuse(list, {"simulation", "tolerance"}, "adaptive step");
  if (simulation.iterations > 0) refuse(list, {"simulation", "iterations"}, "bound on Newton iterations");
  return list;
}

}  // namespace filum::kirchhoff
