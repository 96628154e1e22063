#include "formulations/spline/motion_refusals.hpp"

#include "formulations/discrete/implicit_step.hpp"
#include "scene/check/fault_list.hpp"

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

  void rod(const Rod& rod) {
    const std::string name = scene::quoted(rod.name);
    Damping left = rod.damping;
    left.mass = 0;
    if (left != Damping{}) add({"rods", rod.name, "damping"}, "damping of rod " + name + " other than by its mass");
  }
};

}  // namespace

std::vector<scene::Problem> motion_refusals(const Scene& scene) {
  Refusals refusals;
  refusals.options(scene.simulation);
  for (const Rod& rod : scene.rods) refusals.rod(rod);
  for (scene::Problem& problem : discrete::implicit_refusals(scene)) refusals.list.push_back(std::move(problem));
  for (scene::Problem& problem : discrete::slider_refusals(scene)) refusals.list.push_back(std::move(problem));
  return std::move(refusals.list);
}

}  // namespace filum::spline
