#include "formulations/chain/relaxation.hpp"

#include "base/index.hpp"
#include "formulations/chain/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::chain {

namespace {

constexpr double kTolerance = 1e-10;  // of the residual
constexpr double kGoodEnough = 1e-8;  // where round-off lets it fall no further
constexpr int kMostSteps = 300000;
constexpr double kStep = 1.0 / 60;      // s
constexpr double kStretch = 4;          // of time over which the residual is compared, in 1/α
constexpr int kLongest = 1500;          // and in steps, at most
constexpr int kLeastSteps = 20;         // likewise
constexpr int kMostIdle = 50;           // such stretches without a lower residual
constexpr double kMostGrowth = 1.5;     // of α, from one to the next
constexpr double kLeastSlowing = 0.02;  // 1/s
constexpr double kFarAway = 100;        // in sizes of the scene: what has come so far falls

// Nothing breaks, slips or is wound on the way.
ModelData calm(const ModelData& model) {
  ModelData made = model;
  for (Rod& rod : made.scene.rods) rod.limits.breaking_tension.reset();
  for (Rope& rope : made.scene.ropes) rope.breaking_tension.reset();
  for (Winch& winch : made.scene.winches) winch.max_force.reset();
  made.scene.simulation.chain.plain = false;
  made.scene.simulation.chain.sweeps = 0;
  made.scene.simulation.chain.detail = 0;
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
  Settling(const ModelData& model, const Targets& targets)
      : model_(calm(model)), targets_(held(targets)), stepper_(model_), dt_(model.scene.simulation.step) {
    // only on planes does the balance depend on the step: parts sink in by so much
    if (model.scene.planes.empty()) dt_ = std::max(dt_, kStep);
  }

  void begin(ChainState& state) {
    stepper_.renumber(state);
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
  double lowest_ = std::numeric_limits<double>::infinity();
  double most_ = 0;         // residual in this stretch of time
  double most_before_ = 0;  // and in the last one
  int steps_ = 0;           // in this one
  int idle_ = 0;
  std::vector<Vec6> before_;  // velocities at the start of the step
};

void Settling::scale_of_scene(const ChainState& state) {
  const Mechanism& mechanism = stepper_.mechanism(state);
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;
  // of the rods and bodies
  for (std::size_t p = 0; p < at(mechanism.first_hold); ++p) {
    low = low.cwiseMin(state.parts[p].position);
    high = high.cwiseMax(state.parts[p].position);
  }
  centre_ = 0.5 * (low + high);
  size_ = std::max({model_.size, (high - low).norm(), 1e-3});
}

double Settling::largest_force(const Mechanism& mechanism, const ChainState& state) const {
  double most = 0;
  for (const Part& part : mechanism.parts)
    if (part.moves) most = std::max(most, (targets_.load * (part.mass * model_.scene.gravity + part.load)).norm());
  for (const LinkState& link : state.links) most = std::max(most, link.force.head<3>().norm());
  for (const RopeState& rope : state.ropes) most = std::max(most, rope.tension);
  for (const WheelState& wheel : state.wheels) most = std::max(most, wheel.tension);
  return most;
}

bool Settling::fell(const ChainState& state) const {
  const std::size_t count = state.elements.size() + model_.bodies.size();
  return std::any_of(state.parts.begin(), state.parts.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const PartState& part) { return (part.position - centre_).norm() > kFarAway * size_; });
}

// What a step sets in motion is what is out of balance.
bool Settling::step(ChainState& state) {
  const int structure = state.structure;
  before_.resize(state.parts.size());
  for (std::size_t p = 0; p < state.parts.size(); ++p) before_[p] << state.parts[p].velocity, state.parts[p].spin;
  if (!stepper_.step(state, targets_, dt_).usable) return false;
  // elements that were cut anew cannot be compared
  residual_ = 1;
  if (state.structure != structure) return true;
  const Mechanism& mechanism = stepper_.mechanism(state);
  double worst = 0;
  for (std::size_t p = 0; p < state.parts.size(); ++p) {
    const Part& part = mechanism.parts[p];
    const PartState& now = state.parts[p];
    if (!part.moves) continue;
    const double inertia = part.inertia.maxCoeff() + dt_ * dt_ * now.stiffness;
    worst = std::max({worst, part.mass * (now.velocity - before_[p].head<3>()).norm() / dt_,
                      inertia * (now.spin - before_[p].tail<3>()).norm() / (dt_ * size_)});
  }
  const double most = largest_force(mechanism, state);
  residual_ = most > 0 ? worst / most : 0;
  return true;
}

void Settling::slow_down(ChainState& state) {
  most_ = std::max(most_, residual_);
  ++steps_;
  if (steps_ > kLeastSteps && (steps_ * dt_ * slowness_ > kStretch || steps_ > kLongest)) adapt();
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

}  // namespace

SolveReport settle(const ModelData& model, ChainState& state, const Targets& targets, const Progress& progress) {
  SolveReport report;
  const ChainState given = state;
  Settling settling(model, targets);
  settling.begin(state);
  for (; report.iterations < kMostSteps && !settling.stands(); ++report.iterations) {
    const bool stepped = settling.step(state);
    if (!stepped) state = given;
    if (!stepped || settling.fell(state)) {
      report.why = "the chain runs away: nothing holds a part of it, or its weights are out of balance";
      break;
    }
    if (settling.residual() < kTolerance) {
      // does it stay so from rest?
      settling.stop(state);
      report.converged = settling.step(state) && settling.residual() < kTolerance;
      if (report.converged) break;
    }
    settling.slow_down(state);
    if (progress && report.iterations % 200 == 0)
      progress(std::clamp(-0.1 * std::log10(std::max(settling.lowest(), kTolerance)), 0.0, 1.0), "letting it settle");
  }
  // as near as round-off lets it come
  settling.stop(state);
  if (!report.converged && report.why.empty())
    report.converged = settling.step(state) && settling.residual() < kGoodEnough;
  settling.stop(state);
  report.residual = settling.residual();
  if (report.converged)
    report.why = "it was found by letting the chain settle";
  else if (report.why.empty())
    report.why = "the chain has not come to rest";
  report.hopeless = !report.converged;
  // the way there does not count
  state.work = given.work;
  state.dissipated = given.dissipated;
  state.risen = given.risen;
  for (std::size_t w = 0; w < state.wheels.size(); ++w) {
    state.wheels[w].slip = given.wheels[w].slip;
    state.wheels[w].lost = 0;
  }
  return report;
}

}  // namespace filum::chain
