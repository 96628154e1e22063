#include "formulations/spline/motion_refusals.hpp"

#include "formulations/discrete/implicit_step.hpp"
#include "formulations/features.hpp"
#include "scene/check/fault_list.hpp"

#include <algorithm>
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
    if (simulation.integrator == Integrator::Bdf2 || simulation.integrator == Integrator::GeneralisedAlpha)
      add({"simulation", "integrator"}, "any integrator but energy-momentum, implicit-euler and runge-kutta");
    if (simulation.rotary_inertia) add({"simulation", "rotary_inertia"}, "rotary inertia about the tangent");
    if (simulation.tolerance) add({"simulation", "tolerance"}, "an adaptive step");
    if (simulation.iterations > 0) add({"simulation", "iterations"}, "a bounded number of iterations");
  }

  void rod(const Rod& rod, const SplineOptions& options) {
    const std::string name = scene::quoted(rod.name);
    if (options.detail > 0 && rod.limits.may_break())
      add({"simulation", "spline", "detail"}, "adaptive knots of rod " + name + ", which may break");
    Damping left = rod.damping;
    left.mass = 0;
    if (left != Damping{}) add({"rods", rod.name, "damping"}, "damping of rod " + name + " other than by its mass");
  }

  // Explicit steps have control points and angles that are free or wholly held.
  void explicit_steps(const Scene& scene) {
    const auto refuse = [&](std::vector<std::string> path, const std::string& what) {
      add(std::move(path), what + " with runge-kutta; energy-momentum and implicit-euler have it");
    };
    for (const Body& body : scene.bodies)
      if (body.motion == BodyMotion::Free)
        refuse({"bodies", body.name, "motion"}, "the free body " + scene::quoted(body.name));
    for (const Junction& junction : scene.junctions)
      refuse({"junctions", junction.name}, "the junction " + scene::quoted(junction.name));
    for (std::size_t k = 0; k < scene.torques.size(); ++k) refuse({"torques", std::to_string(k)}, "a torque");
    for (std::size_t k = 0; k < scene.forces.size(); ++k)
      if (scene.forces[k].follow) refuse({"forces", std::to_string(k), "follow"}, "a force that follows");
    for (std::size_t h = 0; h < scene.holds.size(); ++h) {
      const Hold& hold = scene.holds[h];
      const int axes = static_cast<int>(std::count(hold.fix.orientation.begin(), hold.fix.orientation.end(), true));
      if (hold.slide) refuse({"holds", std::to_string(h)}, "the sliding hold " + scene::quoted(hold.name));
      if (axes == 1 || axes == 2) refuse({"holds", std::to_string(h), "fix"}, "the hinge " + scene::quoted(hold.name));
    }
    for (const Driver& driver : scene.drivers)
      if (driver.kind == DriverKind::Rod)
        refuse({"drivers"}, "the driven length of rod " + scene::quoted(driver.target));
    for (const FeatureUse& use : features_used(scene))
      if (use.feature == Feature::Plasticity) refuse(use.path, use.what);
  }
};

}  // namespace

std::vector<scene::Problem> motion_refusals(const Scene& scene) {
  Refusals refusals;
  refusals.options(scene.simulation);
  for (const Rod& rod : scene.rods) refusals.rod(rod, scene.simulation.spline);
  if (scene.simulation.integrator == Integrator::RungeKutta) refusals.explicit_steps(scene);
  for (scene::Problem& problem : discrete::implicit_refusals(scene)) refusals.list.push_back(std::move(problem));
  for (scene::Problem& problem : discrete::slider_refusals(scene)) refusals.list.push_back(std::move(problem));
  return std::move(refusals.list);
}

}  // namespace filum::spline
