#include "formulations/spline/motion_refusals.hpp"

#include "formulations/discrete/implicit_step.hpp"
#include "formulations/features.hpp"
#include "scene/check/fault_list.hpp"
#include "scene/lookup.hpp"

#include <string>
#include <utility>

namespace filum::spline {

namespace {

class Refusals {
 public:
  std::vector<scene::Problem> list;

  void add(std::vector<std::string> path, const std::string& what) {
    list.push_back({std::move(path), "not yet supported in the motion of the formulation spline: " + what});
  }

  void options(const Simulation& simulation) {
    if (simulation.stepper != Stepper::Implicit) add({"simulation", "stepper"}, "any stepper but implicit");
    if (simulation.integrator != Integrator::EnergyMomentum && simulation.integrator != Integrator::ImplicitEuler)
      add({"simulation", "integrator"}, "any integrator but energy-momentum and implicit-euler");
    if (simulation.rotary_inertia) add({"simulation", "rotary_inertia"}, "rotary inertia about the tangent");
    if (simulation.tolerance) add({"simulation", "tolerance"}, "an adaptive step");
    if (simulation.iterations > 0) add({"simulation", "iterations"}, "a bounded number of iterations");
  }

  void rod(const Scene& scene, const Rod& rod) {
    const std::string name = scene::quoted(rod.name);
    Damping left = rod.damping;
    left.mass = 0;
    if (left != Damping{}) add({"rods", rod.name, "damping"}, "damping of rod " + name + " other than by its mass");
    if (scene.simulation.integrator != Integrator::EnergyMomentum) return;
    for (const FeatureUse& use : features_used(scene))
      if (use.feature == Feature::Plasticity && use.path == std::vector<std::string>{"rods", rod.name})
        add(use.path, "energy-momentum of rod " + name + ", which yields; integrator: implicit-euler takes it");
    // averages over a step are known for round rods that are straight at rest
    const char* instead = "; integrator: implicit-euler takes it";
    const bool curved = rod.rest.kind == RestKind::AsShaped || rod.rest.kind == RestKind::Curve ||
                        (rod.rest.kind == RestKind::Uniform && !rod.rest.curvature.isZero(0));
    if (curved) add({"rods", rod.name, "rest"}, "energy-momentum of rod " + name + ", curved at rest" + instead);
    const scene::Names names(scene);
    const auto flat = [&](const std::string& section, const std::string& material) {
      const Material* stuff = names.material(material);
      const Vec2 EI = stiffness(*names.section(section), stuff != nullptr ? *stuff : Material{}).EI;
      return EI[0] != EI[1];
    };
    bool uneven = flat(rod.section, rod.material);
    for (const Station& station : rod.stations)
      uneven = uneven || flat(station.section, station.material.empty() ? rod.material : station.material);
    if (uneven)
      add({"rods", rod.name, "section"},
          "energy-momentum of rod " + name + " with unequal bending stiffnesses" + instead);
  }

  void drivers(const Scene& scene) {
    for (std::size_t k = 0; k < scene.drivers.size(); ++k)
      if (scene.drivers[k].kind == DriverKind::Rod)
        add({"drivers", std::to_string(k)}, "a driven length of rod " + scene::quoted(scene.drivers[k].target));
  }
};

}  // namespace

std::vector<scene::Problem> motion_refusals(const Scene& scene) {
  Refusals refusals;
  refusals.options(scene.simulation);
  for (const Rod& rod : scene.rods) refusals.rod(scene, rod);
  refusals.drivers(scene);
  for (scene::Problem& problem : discrete::implicit_refusals(scene)) refusals.list.push_back(std::move(problem));
  return std::move(refusals.list);
}

}  // namespace filum::spline
