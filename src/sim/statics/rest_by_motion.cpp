#include "sim/statics/rest_by_motion.hpp"

#include "scene/layout.hpp"
#include "scene/lookup.hpp"
#include "sim/formulations.hpp"
#include "sim/refusal.hpp"
#include "sim/run/march.hpp"
#include "sim/statics/patience.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::sim {

namespace {

// Steps, as shares of the time 1/ω of the slowest rod: the first one, and the one at which there is no motion left.
constexpr double kFirstStep = 0.1;
constexpr double kLastStep = 1e4;
constexpr double kSmallestStep = 1e-4;
// Growth after a step that was easy, and after one that was not.
constexpr double kGrowth = 2;
constexpr double kSlowGrowth = 1.2;
constexpr int kEasy = 8;  // iterations
constexpr double kShrink = 0.25;
constexpr int kMostRelaxing = 400;
constexpr int kPolishing = 30;  // iterations of one's own, from what the motion has come to
// Where rods touch rods, as in a knot, there is no other way from a shape that is drawn loosely.
constexpr int kMostTouching = 6000;
constexpr int kPolishingTouching = 200;

// The lowest frequency of a rod pinned at both ends, π² √(EI/μ)/L²: of the slowest rod.
double slowest(const Scene& scene) {
  const scene::Names names(scene);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Rod& rod : scene.rods) {
    const Material* material = names.material(rod.material);
    const Stiffness made = stiffness(*names.section(rod.section), material != nullptr ? *material : Material{});
    const double length = scene::RodLayout(rod).length();
    const double wave = std::numbers::pi / length;
    lowest = std::min(lowest, wave * wave * std::sqrt(made.EI.minCoeff() / made.mass_per_length));
  }
  return lowest;
}

// The same scene, to be moved: at rest to begin with, damped as its slowest rod needs it.
Scene moving(const Scene& scene, double rate) {
  Scene made = scene;
  made.simulation.formulation = kDefaultFormulation;
  made.simulation.stepper = Stepper::Implicit;
  made.simulation.integrator = Integrator::ImplicitEuler;
  made.simulation.rotary_inertia = false;
  made.simulation.iterations = 0;
  made.simulation.tolerance.reset();
  for (Rod& rod : made.rods) {
    rod.velocity = rod.spin = Vec3::Zero();
    rod.damping = {};
    rod.damping.mass = 2 * rate;
  }
  for (Body& body : made.bodies) body.velocity = body.spin = Vec3::Zero();
  return made;
}

}  // namespace

Equilibrium relax(const Model& model, Workspace& workspace, const Scene& scene, const Targets& targets,
                  const Progress& progress) {
  Equilibrium found;
  const double rate = slowest(scene);
  const Scene made = moving(scene, rate);
  if (!(rate > 0) || !std::isfinite(rate) || why_not_moving(made)) return found;
  const std::unique_ptr<Model> mover = make_formulation(made.simulation.formulation)->compile(made);
  const std::unique_ptr<Workspace> scratch = mover->workspace();
  const std::unique_ptr<State> state = mover->start(targets);
  Marcher marcher(*mover, *scratch, *state, targets);
  RunReport counts;
  const int most = scene.contact.rods ? kMostTouching : kMostRelaxing;
  for (double step = kFirstStep; step < kLastStep && counts.iterations < most;) {
    const long before = counts.iterations;
    const March march = marcher.march(*state, targets, targets, step / rate, counts, progress);
    if (march.stopped) {
      found.report.stopped = true;
      break;
    }
    if (!march.done && step < kSmallestStep) break;
    step *= !march.done ? kShrink : counts.iterations - before <= kEasy ? kGrowth : kSlowGrowth;
  }
  found.report.iterations = static_cast<int>(counts.iterations);
  if (found.report.stopped) return found;
  found.state = model.carry_over(*mover, *state, targets);
  if (!found.state) return found;
  Patience patience(progress, scene.contact.rods ? kPolishingTouching : kPolishing);
  found.report = patience.judged(model.solve(workspace, *found.state, targets, patience.watch()));
  found.report.iterations += static_cast<int>(counts.iterations);
  found.report.begun_from = "damped motion";
  return found;
}

}  // namespace filum::sim
