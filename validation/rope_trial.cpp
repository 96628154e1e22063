#include "validation/rope_trial.hpp"

#include "formulations/chain/chain.hpp"
#include "math/rotation.hpp"
#include "sim/drivers.hpp"
#include "sim/run/march.hpp"
#include "validation/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace filum::validation {

namespace {

constexpr double kSteelDensity = 7850;  // kg/m³
constexpr double kStrength = 1.8e9;     // Pa
constexpr double kStep = 1.0 / 60;
constexpr double kDisturbed = 4;  // s: by then every disturbance is over
constexpr int kPoseEvery = 15;    // steps

double start_angle(Disturbance disturbance) {
  switch (disturbance) {
    case Disturbance::Swing30:
      return math::kPi / 6;
    case Disturbance::Swing60:
      return math::kPi / 3;
    case Disturbance::Drop90:
      return math::kPi / 2;
    default:
      return 0;
  }
}

bool swings(Disturbance disturbance) {
  return disturbance == Disturbance::Swing30 || disturbance == Disturbance::Swing60;
}

Vec3 anchor(Disturbance disturbance, double t) {
  if (disturbance == Disturbance::Jump && t > 0.999) return {0.5, 0, 0};
  if (disturbance == Disturbance::Hoist) return {0, 0, 0.5 * std::clamp(t - 1, 0.0, 2.0)};
  if (disturbance == Disturbance::SlackAndSnap) return {0, 0, -0.5 * std::clamp((t - 1) / 0.2, 0.0, 1.0)};
  return Vec3::Zero();
}

double weight(const SteelRope& rope) {
  return (rope.load + rope.mass() / 2) * kGravity;
}
double stiffness(const SteelRope& rope) {
  return rope.young() * rope.area() / rope.length;
}

Scene scene_of(const SteelRope& rope, double angle, double stretch) {
  const double second = rope.area() * rope.diameter * rope.diameter / 16;
  const double EI = rope.bend_share * rope.young() * second;
  const Vec3 end = (rope.length + stretch) * Vec3(std::sin(angle), 0, -std::cos(angle));
  Scene scene =
      straight_rod(given_section(rope.young() * rope.area(), Vec2(EI, EI), EI / 1.3, rope.mass() / rope.length),
                   Vec3::Zero(), end, rope.elements);
  scene.sections.front().section.radius = rope.diameter / 2;
  scene.rods.front().length = rope.length;
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.holds = {pin(kStart), pin(kEnd)};
  scene.holds[1].body = "load";
  Body load;
  load.name = "load";
  load.mass = rope.load;
  load.box = Vec3::Constant(std::cbrt(rope.load / kSteelDensity));
  load.position = end;
  load.motion = BodyMotion::Free;
  scene.bodies = {load};
  scene.simulation.formulation = "chain";
  return scene;
}

// The elastic pendulum from rest at its stretched length: the period of its swing.
double pendulum_period(const SteelRope& rope, double angle) {
  const double inertia = rope.load + rope.mass() / 3;
  const double pull = weight(rope);
  const double k = stiffness(rope);
  using State = Eigen::Vector4d;  // length, angle, and their rates
  auto rate = [&](const State& q) {
    return State(q[2], q[3], q[0] * q[3] * q[3] + (pull * std::cos(q[1]) - k * (q[0] - rope.length)) / inertia,
                 (-2 * q[2] * q[3] - pull / inertia * std::sin(q[1])) / q[0]);
  };
  const double h = std::min(1e-3, 0.02 / std::sqrt(k / inertia));
  State q(rope.length + pull * std::cos(angle) / k, angle, 0, 0);
  std::vector<double> crossings;
  for (double t = 0; crossings.size() < 4; t += h) {
    const double before = q[1];
    const State k1 = rate(q);
    const State k2 = rate(q + h / 2 * k1);
    const State k3 = rate(q + h / 2 * k2);
    const State k4 = rate(q + h * k3);
    q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    if (before > 0 && q[1] <= 0) crossings.push_back(t + h * before / (before - q[1]));
  }
  return (crossings[3] - crossings[0]) / 3;
}

// What a swing could lose: its height, or, of a rope that was set swinging by its anchor, that of the jump.
double swing_energy(const SteelRope& rope, Disturbance disturbance) {
  const double angle = start_angle(disturbance);
  if (angle > 0) return weight(rope) * rope.length * (1 - std::cos(angle));
  return weight(rope) * 0.5 * 0.5 / (2 * rope.length);
}

struct Mean {
  void add(double value) { sum += value, ++count; }
  [[nodiscard]] double value() const { return count > 0 ? sum / count : 0; }
  double sum = 0;
  int count = 0;
};

}  // namespace

double SteelRope::area() const {
  return math::kPi * diameter * diameter / 4;
}
double SteelRope::young() const {
  return bend_share == 1 ? 2e11 : 1e11;
}
double SteelRope::mass() const {
  return kSteelDensity * area() * length;
}
double SteelRope::breaking_load() const {
  return kStrength * area() / kGravity - mass();
}

std::string name_of(Disturbance disturbance) {
  static const std::array<std::string, 7> names = {"rest",        "swing 30°", "swing 60°",     "drop from 90°",
                                                   "anchor jump", "hoisting",  "slack and snap"};
  return names[static_cast<std::size_t>(disturbance)];
}

Trial try_rope(const SteelRope& rope, Disturbance disturbance, double seconds, bool plain) {
  const double angle = start_angle(disturbance);
  const double stretch =
      swings(disturbance) || disturbance == Disturbance::Rest ? weight(rope) * std::cos(angle) / stiffness(rope) : 0;
  const Scene scene = scene_of(rope, angle, stretch);
  const std::unique_ptr<Model> model = chain::ChainFormulation({.plain = plain}).compile(scene);
  const std::unique_ptr<Workspace> workspace = model->workspace();
  Targets targets = sim::resting_targets(scene);
  const std::unique_ptr<State> state = model->start(targets);
  sim::Marcher marcher(*model, *workspace, *state, targets);
  RunReport counts;
  Targets before = targets;

  Trial trial;
  std::vector<double> aside;
  Mean length;
  // energies over a swing's period each: the step's own error ripples with the swing
  const double period = 2 * math::kPi * std::sqrt(rope.length / kGravity);
  const double from = swings(disturbance) || angle > 0 ? 1 : kDisturbed;
  Mean early;
  Mean late;
  std::vector<Mean> swings_of;  // one after the other
  const int steps = static_cast<int>(std::lround(seconds / kStep));
  for (int i = 1; i <= steps; ++i) {
    const double t = i * kStep;
    targets.holds[0].position = anchor(disturbance, t);
    // as runs and the page do: a step that finds itself too long for what whips is taken back and halved
    if (!marcher.march(*state, before, targets, kStep, counts).done) return trial;
    before = targets;
    const Vec3 load = model->where_it_is(*state, targets).bodies[0].position;
    aside.push_back(load[0]);
    if (t > seconds - 10) length.add((load - targets.holds[0].position).norm());
    if (i % kPoseEvery != 0) continue;
    const Pose pose = model->sample(*workspace, *state, targets);
    // the loss that the ledger knows of is the one that is asked for
    const double energy = pose.energy.balance() - pose.energy.dissipated;
    if (t >= from && t < from + period) early.add(energy);
    if (t >= from + 15 && t < from + 15 + period) late.add(energy);
    if (t >= from) {
      const auto swing = static_cast<std::size_t>((t - from) / period);
      if (swings_of.size() <= swing) swings_of.resize(swing + 1);
      swings_of[swing].add(energy);
    }
    const double pull = pose.holds[0].force.norm() / ((rope.load + rope.mass()) * kGravity);
    if (t > seconds - 10) trial.tension = std::max(trial.tension, pull);
    if (!std::isfinite(energy)) return trial;
  }
  trial.finite = true;
  const double scale = swing_energy(rope, disturbance);
  // the last one is not whole
  for (std::size_t k = 1; k + 1 < swings_of.size(); ++k)
    trial.growth = std::max(trial.growth, (swings_of[k].value() - early.value()) / scale);
  trial.loss = (early.value() - late.value()) / scale;
  if (swings(disturbance)) {
    // over the swings that the reference has, before what is lost makes them shorter
    const double expected = pendulum_period(rope, angle);
    aside.resize(std::min(aside.size(), static_cast<std::size_t>(3.4 * expected / kStep)));
    trial.period = mean_period(aside, kStep) / expected - 1;
  }
  if (disturbance == Disturbance::Rest)
    trial.elongation = (length.value() - rope.length) / (weight(rope) / stiffness(rope)) - 1;
  return trial;
}

}  // namespace filum::validation
