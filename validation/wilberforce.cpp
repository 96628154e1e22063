// Wilberforce's pendulum: a body on a coil spring whose spin passes into bounce and back.
//
// The spring couples both motions a little: K = [k c; c κ] of the body's height and turn. With κ/J = k/m both swing at
// one frequency ω, and the energy wanders to and fro in 2π/(ω₊ − ω₋), ω±² being the two eigenvalues. K is read off two
// static solves, the eigenvalues off the natural modes.
#include "validation/cases.hpp"
#include "validation/motion.hpp"

#include "math/rotation.hpp"

#include <Eigen/LU>

#include <fmt/format.h>
#include <array>
#include <cmath>

namespace filum::validation {

namespace wilberforce_case {
namespace {

constexpr double kPi = math::kPi;
constexpr double kCoils = 10;
constexpr double kRadius = 0.02;     // m, of the coil
constexpr double kPitch = 0.004;     // m
constexpr double kWire = 0.75e-3;    // m, radius
constexpr double kYoung = 2e11;      // Pa
constexpr double kMass = 0.5;        // kg
constexpr double kSpin = 4;          // rad/s at first
constexpr double kDuration = 60;     // s
constexpr double kStep = 1.0 / 240;  // s
constexpr double kArea = kPi * kWire * kWire;
constexpr double kBend = kYoung * kArea * kWire * kWire / 4;

// The spring hangs from a clamp, the body's centre on its axis.
Scene pendulum(double inertia) {
  Curve helix;
  helix.kind = CurveKind::Helix;
  helix.axis = -Vec3::UnitZ();
  helix.start = Vec3(kRadius, 0, 0);
  helix.angle = 2 * kPi * kCoils;
  helix.pitch = kPitch;
  Scene scene;
  scene.gravity = Vec3(0, 0, -9.81);
  const Section wire = given_section(kYoung * kArea, Vec2(kBend, kBend), kBend / 1.3, 7800 * kArea);
  Rod& rod = add_rod(scene, "rod", wire, helix, 200);
  rod.rest.kind = RestKind::AsShaped;
  scene.holds = {clamp(kStart), clamp(kEnd)};
  scene.holds[1].body = "weight";
  Body weight;
  weight.name = "weight";
  weight.mass = kMass;
  weight.inertia = Vec3(inertia, inertia, inertia);
  weight.position = Vec3(0, 0, -kPitch * kCoils);
  weight.spin = Vec3(0, 0, kSpin);
  weight.motion = BodyMotion::Free;
  scene.bodies = {weight};
  scene.simulation.start = StartKind::Equilibrium;
  scene.simulation.step = kStep;
  return scene;
}

double turn_of(const BodyPose& body) {
  const Vec3 x = body.orientation * Vec3::UnitX();
  return std::atan2(x[1], x[0]);
}

// Height and turn of the body in equilibrium under a force along the axis and a torque about it.
Vec2 rest_of(Sheet& sheet, const Scene& scene, double force, double torque) {
  Scene loaded = scene;
  loaded.forces.push_back({{}, "weight", Vec3(0, 0, force), false});
  loaded.torques.push_back({{}, "weight", Vec3(0, 0, torque), false});
  const BodyPose body = sheet.solve(loaded).states.back().pose.bodies.front();
  return {body.position[2], turn_of(body)};
}

// The stiffness of height and turn about equilibrium, by central differences.
Eigen::Matrix2d stiffness(Sheet& sheet, const Scene& scene) {
  constexpr double kForce = 1e-2;
  constexpr double kTorque = 1e-4;
  Eigen::Matrix2d compliance;
  compliance.col(0) = (rest_of(sheet, scene, kForce, 0) - rest_of(sheet, scene, -kForce, 0)) / (2 * kForce);
  compliance.col(1) = (rest_of(sheet, scene, 0, kTorque) - rest_of(sheet, scene, 0, -kTorque)) / (2 * kTorque);
  return compliance.inverse();
}

// The two frequencies of the coupled motions: the modes that hardly move the body sideways.
std::array<double, 2> coupled_frequencies(Sheet& sheet, const Scene& scene) {
  std::vector<double> found;
  for (const NaturalMode& mode : modes_of(sheet, scene, 6).modes) {
    if (mode.body_displacement.empty()) continue;
    const Vec3& move = mode.body_displacement.front();
    const double along = std::abs(move[2]) + kRadius * std::abs(mode.body_rotation.front()[2]);
    if (along > 5 * move.head<2>().norm()) found.push_back(std::sqrt(mode.eigenvalue));
  }
  if (found.size() < 2) sheet.fail("the two coupled modes were not found");
  found.resize(2, std::nan(""));
  return {found[0], found[1]};
}

std::vector<double> moving_mean(const std::vector<double>& y, std::size_t width) {
  std::vector<double> mean;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum += y[i] - (i >= width ? y[i - width] : 0);
    if (i + 1 >= width) mean.push_back(sum / static_cast<double>(width));
  }
  return mean;
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  // the body's inertia that tunes spin to bounce
  const Eigen::Matrix2d K = stiffness(sheet, pendulum(kMass * kRadius * kRadius));
  const double inertia = kMass * K(1, 1) / K(0, 0);
  const Scene scene = pendulum(inertia);
  const std::array<double, 2> omega = coupled_frequencies(sheet, scene);
  const double split = (omega[1] * omega[1] - omega[0] * omega[0]) / (omega[1] * omega[1] + omega[0] * omega[0]);

  Motion motion(sheet, scene);
  if (!motion.fine()) return std::move(sheet).result();
  const double height = motion.pose().bodies.front().position[2];
  const double turn = turn_of(motion.pose().bodies.front());
  std::vector<double> share;
  double start = 0;
  double worst = 0;
  motion.watch(kDuration, 1, [&](double t, const Pose& pose) {
    const BodyPose& body = pose.bodies.front();
    const double bounce = kMass * std::pow(body.velocity[2], 2) + K(0, 0) * std::pow(body.position[2] - height, 2);
    const double spin = inertia * std::pow(body.spin[2], 2) + K(1, 1) * std::pow(turn_of(body) - turn, 2);
    share.push_back(bounce / (bounce + spin));
    if (t == 0) start = pose.energy.balance();
    worst = std::max(worst, std::abs(pose.energy.balance() - start));
    setting.tell(t / kDuration);
  });

  // the mean share over a swing wanders from 0 to nearly 1 and back
  const auto swing = static_cast<std::size_t>(std::lround(4 * kPi / (omega[0] + omega[1]) / kStep));
  share = moving_mean(share, swing);
  std::vector<double> wave;
  for (const double value : share) wave.push_back(value - 0.5);
  const double exchange = mean_period(wave, kStep);
  const auto passed = std::max_element(share.begin(), share.end());
  sheet.relative("split of the squared frequencies against c/√(kκ)", split,
                 std::abs(K(0, 1)) / std::sqrt(K(0, 0) * K(1, 1)), 0.05, "the spring's own mass detunes a little");
  sheet.relative("time from spin to bounce and back, s", exchange, 2 * kPi / (omega[1] - omega[0]), 0.03,
                 "the natural modes' own difference; amplitudes are finite");
  sheet.at_least("largest share of the energy that bounces", passed == share.end() ? 0 : *passed, 0.9,
                 "tuned: nearly all of it passes over");
  sheet.at_most("smallest share after the first passage",
                passed == share.end() ? 1 : *std::min_element(passed, share.end()), 0.1,
                "and nearly all of it comes back");
  sheet.at_most("largest energy error over the spin's energy, 60 s", worst / (0.5 * inertia * kSpin * kSpin), 0.01,
                "the ledger is closed");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace wilberforce_case

Case wilberforce() {
  return {.name = "wilberforce",
          .shows = "A body on a coil spring passes its spin into bounce and back, for a minute",
          .source = "Wilberforce 1894; two coupled oscillators",
          .takes_long = true,
          .run = wilberforce_case::rows};
}

}  // namespace filum::validation
