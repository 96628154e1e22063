#include "sim/statics/rest_by_motion.hpp"

#include "scene/layout.hpp"
#include "scene/lookup.hpp"
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "sim/refusal.hpp"
#include "sim/run/march.hpp"
#include "sim/statics/patience.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

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
constexpr int kMostLeading = 1500;  // where a hand waits for it, and there is no other way
constexpr int kPolishing = 30;  // iterations of one's own, from what the motion has come to
// Where rods touch rods, as in a knot, there is no other way from a shape that is drawn loosely.
constexpr int kMostTouching = 6000;
constexpr int kPolishingTouching = 200;
// Slack is paid out in this time, as a share of 1/ω, and in so many steps.
constexpr double kPayingOut = 4;
constexpr int kPayingSteps = 20;

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

// The first equilibrium of a drawn shape is one without friction.
Scene without_friction(Scene scene) {
  scene.contact.friction = 0;
  for (FrictionPair& pair : scene.contact.pairs) pair.friction = 0;
  for (Obstacle& obstacle : scene.obstacles) obstacle.friction = 0;
  for (Body& body : scene.bodies) body.friction = 0;
  for (Scenery& scenery : scene.scenery) scenery.friction = 0;
  return scene;
}

// A push that is the same everywhere, aside from gravity and from what the shapes are likely to lie in: what nothing
// pushes stays in the plane that it is drawn in, on whatever edge it balances. About a hundredth of the weight, or what
// bends the slowest rod by a hundredth of its length.
Vec3 draught(const Scene& scene, double rate) {
  constexpr double kShare = 0.01;
  double length = 0;
  for (const Rod& rod : scene.rods) length = std::max(length, scene::RodLayout(rod).length());
  const Vec3 down = scene.gravity.isZero(0) ? Vec3(Vec3::UnitZ()) : Vec3(scene.gravity.normalized());
  const Vec3 aside = down.unitOrthogonal();
  const double strength = kShare * std::max(scene.gravity.norm(), rate * rate * length);
  return strength * (0.6 * aside + 0.8 * down.cross(aside));
}

// A scene that moves until it rests.
class Mover {
 public:
  Mover(const Scene& scene, double rate, const Targets& start)
      : rate_(rate),
        model_(make_formulation(scene.simulation.formulation)->compile(scene)),
        scratch_(model_->workspace()),
        state_(model_->start(start)),
        marcher_(*model_, *scratch_, *state_, start),
        targets_(start) {}

  // Begins from the balance where it is, if that is found soon. Tells of what is drawn inside obstacles, which is out of
  // them before.
  std::vector<Event> settle(int most, const Progress& progress) {
    Patience patience(progress, most);
    std::unique_ptr<State> rest = state_->clone();
    const SolveReport report = patience.judged(model_->solve(*scratch_, *rest, targets_, patience.watch()));
    counts_.iterations += report.iterations;
    stopped_ = stopped_ || report.stopped;
    std::vector<Event> events = model_->events(*rest);
    if (report.converged) state_ = std::move(rest);
    return events;
  }

  // From a state of another model of the scene, held at `start`.
  Mover(const Scene& scene, double rate, const Model& model, const State& state, const Targets& start)
      : Mover(scene, rate, start) {
    if (std::unique_ptr<State> carried = model_->carry_over(model, state, start)) state_ = std::move(carried);
  }

  // Another scene goes on from where `from` has come to.
  Mover(const Scene& scene, const Mover& from) : Mover(scene, from.rate_, from.targets_) {
    state_ = model_->carry_over(*from.model_, *from.state_, targets_);
    counts_.iterations = from.counts_.iterations;
    stopped_ = from.stopped_;
  }

  // Holds and lengths go to `targets` in a time of so many 1/ω, evenly quicker: what is slack by a share bows by the
  // root of it.
  bool go(const Targets& targets, double time, int steps, const Progress& progress) {
    const Targets from = targets_;
    for (int k = 1; k <= steps; ++k) {
      const double share = double(k) / steps;
      const Targets next = blend(from, targets, share * share);
      if (!march(next, time / steps, progress).done) return false;
    }
    return true;
  }

  // In steps that get ever longer.
  void come_to_rest(int most, const Progress& progress) {
    const long begun = counts_.iterations;
    for (double step = kFirstStep; step < kLastStep && counts_.iterations < begun + most;) {
      const long before = counts_.iterations;
      const March march = this->march(targets_, step, progress);
      if (march.stopped || (!march.done && step < kSmallestStep)) return;
      step *= !march.done ? kShrink : counts_.iterations - before <= kEasy ? kGrowth : kSlowGrowth;
    }
  }

  // Nothing was found.
  [[nodiscard]] Equilibrium given_up() const {
    Equilibrium none;
    none.report.stopped = stopped_;
    none.report.iterations = static_cast<int>(counts_.iterations);
    return none;
  }

  // From there by the search of `model`, in at most so many iterations. `increment`: what touches goes on rubbing.
  Equilibrium polish(const Model& model, Workspace& workspace, int most, bool increment,
                     const Progress& progress) const {
    Equilibrium found = given_up();
    if (!stopped_) found.state = model.carry_over(*model_, *state_, targets_);
    if (!found.state) return found;
    Targets targets = targets_;
    targets.increment = increment;
    Patience patience(progress, most);
    found.report = patience.judged(model.solve(workspace, *found.state, targets, patience.watch()));
    found.report.iterations += static_cast<int>(counts_.iterations);
    found.report.begun_from = "damped motion";
    return found;
  }

 private:
  March march(const Targets& to, double step, const Progress& progress) {
    const March march = marcher_.march(*state_, targets_, to, step / rate_, counts_, progress);
    stopped_ = stopped_ || march.stopped;
    if (march.done) targets_ = to;
    return march;
  }

  double rate_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Workspace> scratch_;
  std::unique_ptr<State> state_;
  Marcher marcher_;
  Targets targets_;  // where it is
  RunReport counts_;
  bool stopped_ = false;
};

// Of a scene that is valid but for holds that have been let go since, which fix nothing.
bool can_move(const Scene& made, double rate) {
  return rate > 0 && std::isfinite(rate) && !refusal(made) && !motion_refusal(made);
}

}  // namespace

Equilibrium relax(const Model& model, Workspace& workspace, const Scene& scene, const Targets& targets,
                  const Progress& progress) {
  const double rate = slowest(scene);
  const Scene made = moving(scene, rate);
  if (!can_move(made, rate)) return {};
  Mover mover(made, rate, targets);
  mover.come_to_rest(scene.contact.rods ? kMostTouching : kMostRelaxing, progress);
  return mover.polish(model, workspace, scene.contact.rods ? kPolishingTouching : kPolishing, false, progress);
}

Equilibrium lead(const Model& model, Workspace& workspace, const Scene& scene, const State& state, const Targets& from,
                 const Targets& to, const Progress& progress) {
  const double rate = slowest(scene);
  const Scene made = moving(scene, rate);
  if (!can_move(made, rate)) return {};
  Mover mover(made, rate, model, state, from);
  if (!mover.go(to, kPayingOut, kPayingSteps, progress)) return mover.given_up();
  mover.come_to_rest(scene.contact.rods ? kMostTouching : kMostLeading, progress);
  return mover.polish(model, workspace, kPolishingTouching, true, progress);
}

Equilibrium pay_out(const Model& model, Workspace& workspace, const Scene& scene, const Targets& drawn,
                    const Targets& targets, const Progress& progress) {
  const double rate = slowest(scene);
  const Scene still = without_friction(moving(scene, rate));
  if (!can_move(still, rate)) return {};
  Scene draughty = still;
  draughty.gravity += draught(scene, rate);
  Mover paid(draughty, rate, drawn);
  std::vector<Event> events = paid.settle(kPolishing, progress);
  if (!paid.go(targets, kPayingOut, kPayingSteps, progress)) return paid.given_up();
  Mover mover(still, paid);
  mover.come_to_rest(scene.contact.rods ? kMostTouching : kMostRelaxing, progress);
  Equilibrium found = mover.polish(model, workspace, kPolishingTouching, false, progress);
  found.events = std::move(events);
  if (found.report.stable == false) leave_unstable(model, workspace, targets, progress, found);
  return found;
}

}  // namespace filum::sim
