#include "formulations/chain/rest/relaxation.hpp"

#include "base/index.hpp"
#include "formulations/chain/solve/chain_step.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::chain {

namespace {

constexpr double kSettledResidual = 1e-10;  // of the residual
constexpr double kGoodEnough = 1e-7;        // where it falls no further: round-off, rope that creeps on the floor
constexpr int kMostSteps =
    100000;  // of both attempts together: what has not come to rest by then goes round in circles
constexpr double kStep = 1.0 / 60;      // s
constexpr double kStretch = 4;          // of time over which the residual is compared, in 1/α
constexpr int kLongestStretch = 1500;   // and in steps, at most
constexpr int kLeastSteps = 20;         // likewise
constexpr int kMostIdle = 12;           // such stretches without a lower residual
constexpr double kMostGrowth = 1.5;     // of α, from one to the next
constexpr double kLeastSlowing = 0.02;  // 1/s
constexpr std::size_t kMostCuts = 10;   // more elements than so many times those at the beginning: likewise
constexpr double kSoft = 50;            // stretching stiffness to begin with, in weights of all that there is
constexpr double kEnormous = 20;        // force at the start, likewise
constexpr double kStiffer = 5;          // and its growth
constexpr int kSoftSteps = 200;         // steps with each
constexpr double kFarAway = 100;        // in sizes of the scene: what has come so far falls
constexpr int kLookUp = 20;             // steps from one look at the watcher to the next

// Nothing breaks, slips or is wound on the way, and no rod is stiffer than this.
ModelData calm(const ModelData& model, double stiffest) {
  ModelData made = model;
  for (RodData& rod : made.rods)
    for (Stiffness& stiffness : rod.stiffness) stiffness.EA = std::min(stiffness.EA, stiffest);
  // soft ones come near without yielding
  if (std::isfinite(stiffest)) made.laws.clear();
  made.variant.plain = false;
  // motors hold what they can
  for (JointData& joint : made.joints) joint.rate = 0;
  Scene scene = *model.scene;
  for (Rod& rod : scene.rods) rod.limits.breaking_tension.reset();
  for (Rope& rope : scene.ropes) rope.breaking_tension.reset();
  for (Winch& winch : scene.winches) winch.max_force.reset();
  scene.simulation.chain.sweeps = 0;
  scene.simulation.chain.detail = 0;
  made.scene = std::make_shared<Scene>(std::move(scene));
  return made;
}

Targets held(const Targets& targets) {
  Targets made = targets;
  std::fill(made.winch_speed.begin(), made.winch_speed.end(), 0.0);
  return made;
}

// Steps, and what they tell.
class Settling {
 public:
  Settling(const ModelData& model, const Targets& targets, double stiffest = std::numeric_limits<double>::infinity())
      : model_(calm(model, stiffest)), targets_(held(targets)), stepper_(model_), dt_(model.scene->simulation.step) {
    // only where things touch does the balance depend on the step: parts sink in by so much
    if (model.touch.empty()) dt_ = std::max(dt_, kStep);
  }

  void begin(ChainState& state) {
    stepper_.bring_to_rest(state, targets_);
    scale_of_scene(state);
    // to begin with, what is drawn far from its balance comes nearer without gaining speed
    slowness_ = 1 / dt_;
  }

  // One step; false if it failed.
  bool step(ChainState& state);
  // Takes from the velocities, by as much as the residual so far suggests.
  void slow_down(ChainState& state);
  void stop(ChainState& state) const;

  [[nodiscard]] double residual() const { return residual_; }
  [[nodiscard]] double force() const { return force_; }  // the largest at work
  [[nodiscard]] double lowest() const { return lowest_; }
  // It has not fallen for long.
  [[nodiscard]] bool stands() const { return idle_ > kMostIdle; }
  [[nodiscard]] bool fell(const ChainState& state) const;

 private:
  void scale_of_scene(const ChainState& state);
  void adapt();
  [[nodiscard]] double largest_force(const Mechanism& mechanism, const ChainState& state) const;

  ModelData model_;
  Targets targets_;
  ChainStepper stepper_;
  double dt_;
  Vec3 centre_ = Vec3::Zero();
  double size_ = 1;
  double slowness_ = 0;  // α, 1/s
  double residual_ = 1;
  double force_ = std::numeric_limits<double>::infinity();
  double lowest_ = std::numeric_limits<double>::infinity();
  double most_ = 0;         // residual in this stretch of time
  double most_before_ = 0;  // and in the last one
  int steps_ = 0;           // in this one
  int idle_ = 0;
  std::size_t most_elements_ = 0;  // at the beginning
  std::vector<Vec6> before_;       // velocities at the start of the step
};

void Settling::scale_of_scene(const ChainState& state) {
  const Mechanism& mechanism = stepper_.fit(state);
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;
  // of the rods and bodies
  for (std::size_t p = 0; p < at(mechanism.first_hold); ++p) {
    low = low.cwiseMin(state.parts[p].position);
    high = high.cwiseMax(state.parts[p].position);
  }
  most_elements_ = state.elements.size();
  centre_ = 0.5 * (low + high);
  size_ = std::max({model_.size, (high - low).norm(), 1e-3});
}

double Settling::largest_force(const Mechanism& mechanism, const ChainState& state) const {
  double most = 0;
  for (const Part& part : mechanism.parts)
    if (part.moves) most = std::max(most, (targets_.load * (part.mass * model_.gravity + part.load)).norm());
  for (const LinkState& link : state.links) most = std::max(most, link.force.head<3>().norm());
  for (const RopeState& rope : state.ropes) most = std::max(most, rope.tension);
  for (const WheelState& wheel : state.wheels) most = std::max(most, wheel.tension);
  return most;
}

bool Settling::fell(const ChainState& state) const {
  const std::size_t count = state.elements.size() + model_.bodies.size() + model_.knots.size();
  if (state.elements.size() > kMostCuts * (1 + most_elements_)) return true;
  return std::any_of(state.parts.begin(), state.parts.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const PartState& part) { return (part.position - centre_).norm() > kFarAway * size_; });
}

// What a step sets in motion is what is out of balance.
bool Settling::step(ChainState& state) {
  const std::uint64_t structure = state.structure;
  before_.resize(state.parts.size());
  for (std::size_t p = 0; p < state.parts.size(); ++p) before_[p] << state.parts[p].velocity, state.parts[p].spin;
  if (!stepper_.step(state, targets_, dt_).usable) return false;
  // elements that were cut anew cannot be compared
  residual_ = 1;
  if (state.structure != structure) return true;
  const Mechanism& mechanism = stepper_.fit(state);
  double worst = 0;
  for (std::size_t p = 0; p < state.parts.size(); ++p) {
    const Part& part = mechanism.parts[p];
    const PartState& now = state.parts[p];
    if (!part.moves) continue;
    const double inertia = part.inertia.maxCoeff() + dt_ * dt_ * now.stiffness;
    worst = std::max({worst, part.mass * (now.velocity - before_[p].head<3>()).norm() / dt_,
                      inertia * (now.spin - before_[p].tail<3>()).norm() / (dt_ * size_)});
  }
  force_ = largest_force(mechanism, state);
  residual_ = force_ > 0 ? worst / force_ : 0;
  return true;
}

void Settling::slow_down(ChainState& state) {
  most_ = std::max(most_, residual_);
  ++steps_;
  if (steps_ > kLeastSteps && (steps_ * dt_ * slowness_ > kStretch || steps_ > kLongestStretch)) adapt();
  const double left = 1 / (1 + slowness_ * dt_);
  for (PartState& part : state.parts) {
    part.velocity *= left;
    part.spin *= left;
  }
  for (WheelState& wheel : state.wheels) wheel.rate *= left;
}

// At the end of a stretch of time.
void Settling::adapt() {
  const double fall = most_ > 0 && most_before_ > most_ ? std::log(most_before_ / most_) / (steps_ * dt_) : 0;
  slowness_ = std::clamp(2 * std::sqrt(fall * slowness_), slowness_ / (kMostGrowth * kMostGrowth),
                         std::min(kMostGrowth * slowness_, 1 / dt_));
  slowness_ = std::max(slowness_, kLeastSlowing);
  idle_ = most_ < 0.9 * lowest_ ? 0 : idle_ + 1;
  lowest_ = std::min(lowest_, most_);
  most_before_ = most_;
  most_ = 0;
  steps_ = 0;
}

void Settling::stop(ChainState& state) const {
  for (PartState& part : state.parts) {
    part.velocity.setZero();
    part.spin.setZero();
  }
  for (WheelState& wheel : state.wheels) wheel.rate = 0;
}

// Rods that are drawn shorter or longer than they are would push or pull with enormous forces: they come near as soft
// ones, whose stiffness then grows. False: something fell or failed, or it was stopped.
bool come_near(const ModelData& model, ChainState& state, const Targets& targets, const Progress& progress,
               SolveReport& report) {
  double weight = 0;
  double stiffest = 0;
  for (const Part& body : model.bodies) weight += body.moves ? body.mass * model.gravity.norm() : 0;
  for (const RodData& rod : model.rods)
    for (const Stiffness& stiffness : rod.stiffness) {
      weight += stiffness.mass_per_length * rod.element * model.gravity.norm();
      stiffest = std::max(stiffest, stiffness.EA);
    }
  for (const PointForce& force : model.scene->forces) weight += force.force.norm();
  // what is drawn about right needs nothing of this
  ChainState tried = state;
  Settling trial(model, targets);
  trial.begin(tried);
  if (!(weight > 0) || (trial.step(tried) && trial.force() < kEnormous * weight)) return true;
  for (double limit = kSoft * weight; limit < stiffest; limit *= kStiffer) {
    Settling soft(model, targets, limit);
    soft.begin(state);
    for (int k = 0; k < kSoftSteps; ++k, ++report.iterations) {
      if (k % kLookUp == 0 && stops(progress, 0, "coming near", report)) return false;
      if (!soft.step(state) || soft.fell(state)) return false;
      soft.slow_down(state);
    }
  }
  return true;
}

// From where the state is until nothing moves any more; what is wrong is told in the report.
void find_rest(const ModelData& model, ChainState& state, const Targets& targets, const Progress& progress,
               SolveReport& report) {
  const ChainState given = state;
  Settling settling(model, targets);
  settling.begin(state);
  report.why.clear();
  for (int k = 0; report.iterations < kMostSteps && !settling.stands(); ++k, ++report.iterations) {
    if (!settling.step(state) || settling.fell(state)) {
      report.why = "the chain runs away: nothing holds a part of it, or its weights are out of balance";
      report.residual = 1;
      state = given;
      return;
    }
    if (settling.residual() < kSettledResidual) {
      // does it stay so from rest?
      settling.stop(state);
      report.converged = settling.step(state) && settling.residual() < kSettledResidual;
      if (report.converged) break;
    }
    settling.slow_down(state);
    const double near = std::clamp(-0.1 * std::log10(std::max(settling.lowest(), kSettledResidual)), 0.0, 1.0);
    if (k % kLookUp == 0 && stops(progress, near, "letting it settle", report)) {
      state = given;
      return;
    }
  }
  // as near as it came
  settling.stop(state);
  if (!report.converged) report.converged = settling.step(state) && settling.residual() < kGoodEnough;
  settling.stop(state);
  report.residual = settling.residual();
  report.why = report.converged ? "it was found by letting the chain settle" : "the chain has not come to rest";
}

}  // namespace

SolveReport settle(const ModelData& model, ChainState& state, const Targets& targets, const Progress& progress) {
  SolveReport report;
  const ChainState given = state;
  if (come_near(model, state, targets, progress, report)) find_rest(model, state, targets, progress, report);
  if (!report.converged && !report.stopped) {
    state = given;
    find_rest(model, state, targets, progress, report);
  }
  if (report.stopped) state = given;
  report.hopeless = !report.converged && !report.stopped;
  // the way there does not count
  state.work = given.work;
  state.dissipated = given.dissipated;
  state.risen = given.risen;
  state.last_step = given.last_step;
  for (std::size_t w = 0; w < state.wheels.size(); ++w) {
    state.wheels[w].slip = given.wheels[w].slip;
    state.wheels[w].lost = 0;
  }
  return report;
}

}  // namespace filum::chain
