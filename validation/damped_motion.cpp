// Damping: the decay of the first cantilever mode, the terminal speed in air, and a ledger that closes.
#include "validation/cases.hpp"
#include "validation/motion.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace damped_motion_case {
namespace {

constexpr int kSegments = 40;
constexpr double kAmplitude = 1e-3;  // of the tip, share of the length

// A cantilever of length, mass per length and EI 1, without gravity.
Scene cantilever() {
  Scene scene = straight_rod(given_section(1e5, Vec2::Ones(), 1, 1), Vec3::Zero(), Vec3::UnitX(), kSegments);
  scene.holds = {clamp(kStart)};
  return scene;
}

// Rayleigh: a force −αMv gives ζ = α/2ω, a stress β times the rate of the strain ζ = βω/2.
void add_decay(Sheet& sheet, const char* name, const Damping& damping, const std::function<double(double)>& ratio) {
  Scene scene = cantilever();
  const NaturalMode mode = softest(modes_of(sheet, scene, 2));
  const double omega = std::sqrt(mode.eigenvalue);
  const double period = 2 * math::kPi / omega;
  scene.simulation.step = period / 200;
  scene.rods.front().damping = damping;
  Motion motion = Motion::released(sheet, scene, mode, kAmplitude);
  std::vector<double> y;
  double start = 0;
  double worst = 0;
  double lost = 0;
  const std::vector<Vec3>& shape = mode.rods.front().displacement;
  const Vec3 way = shape.empty() ? Vec3::UnitY().eval() : shape.back().normalized();
  motion.watch(10 * period, 1, [&](double t, const Pose& pose) {
    y.push_back(way.dot(pose.rods.front().position.back() - Vec3::UnitX()));
    if (t == 0) start = pose.energy.balance();
    worst = std::max(worst, std::abs(pose.energy.balance() - start));
    lost = pose.energy.dissipated;
  });
  const double expected = ratio(omega);
  const Swings found = swings(y, scene.simulation.step);
  sheet.relative(fmt::format("share of critical damping, {}", name),
                 found.decay / std::hypot(found.decay, 2 * math::kPi / found.period), expected, 0.005,
                 "second order in mesh and step");
  sheet.at_most(fmt::format("largest error of the ledger over what was dissipated, {}", name), worst / lost, 0.01,
                "second order in the step");
}

// A straight rod that falls broadside through air: terminal speed √(mg/k).
void add_fall(Sheet& sheet) {
  constexpr double kAir = 0.02;
  constexpr double kMass = 0.1;  // kg/m
  Scene scene = straight_rod(given_section(1e4, Vec2::Ones(), 1, kMass), Vec3::Zero(), Vec3::UnitX(), 10);
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.rods.front().damping.air = kAir;
  scene.simulation.step = 1.0 / 60;
  Motion motion(sheet, scene);
  const double terminal = std::sqrt(kMass * kGravity / kAir);
  const double time = terminal / kGravity;  // v = v∞ tanh(t/time)
  double start = 0;
  double worst = 0;
  double early = 0;
  double at = 0;
  motion.watch(10 * time, 1, [&](double t, const Pose& pose) {
    if (t == 0) start = pose.energy.balance();
    worst = std::max(worst, std::abs(pose.energy.balance() - start));
    if (t <= time) early = -pose.rods.front().velocity.front()[2], at = t;
  });
  if (!motion.fine()) return;
  const Pose end = motion.pose();
  sheet.relative("speed after the first second of falling in air, m/s", early, terminal * std::tanh(at / time), 1e-3,
                 "second order in the step");
  sheet.relative("terminal speed in air, √(mg/k), m/s", -end.rods.front().velocity.front()[2], terminal, 1e-6,
                 "a steady state: the step plays no part");
  sheet.at_most("largest error of the ledger over what was dissipated, air", worst / end.energy.dissipated, 1e-4,
                "second order in the step");
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  Damping mass;
  mass.mass = 0.2;
  add_decay(sheet, "Rayleigh's α", mass, [&](double omega) { return mass.mass / (2 * omega); });
  setting.tell(0.4);
  Damping stiffness;
  stiffness.stiffness = 0.01;
  add_decay(sheet, "Rayleigh's β", stiffness, [&](double omega) { return stiffness.stiffness * omega / 2; });
  setting.tell(0.7);
  // EI = 1: a moment per rate of curvature is β itself, since the mode only bends
  Damping bend;
  bend.bend = 0.01;
  add_decay(sheet, "viscous bending", bend, [&](double omega) { return bend.bend * omega / 2; });
  setting.tell(0.9);
  add_fall(sheet);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace damped_motion_case

Case damped_motion() {
  return {.name = "damped-motion",
          .shows = "Rayleigh damping, viscous bending and air drag take what theory says, and the ledger closes",
          .source = "Textbook: ζ = α/2ω, ζ = βω/2; v = √(mg/k) tanh(t√(gk/m))",
          .run = damped_motion_case::rows};
}

}  // namespace filum::validation
