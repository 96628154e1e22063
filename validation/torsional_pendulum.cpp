// The torsional pendulum: a heavy body on a wire, turned about it and let go.
#include "validation/cases.hpp"
#include "validation/motion.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace torsional_pendulum_case {
namespace {

constexpr double kInertia = 1e-3;  // kg·m², about the wire
constexpr double kRadius = 1e-3;   // m
constexpr double kTorsion = 2e11 / 2.6 * math::kPi / 2 * kRadius * kRadius * kRadius * kRadius;  // GJ of steel, N·m²
constexpr double kSpin = 1;                                                                      // rad/s at first

Scene pendulum(double step) {
  const double area = math::kPi * kRadius * kRadius;
  const double EI = 1.3 * kTorsion;
  Scene scene =
      straight_rod(given_section(2e11 * area, Vec2(EI, EI), kTorsion, 7800 * area), Vec3::Zero(), Vec3(0, 0, -1), 20);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.holds = {clamp(kStart), clamp(kEnd)};
  scene.holds[1].body = "disc";
  Body disc;
  disc.name = "disc";
  disc.mass = 1;
  disc.inertia = Vec3(0.5, 0.5, 1) * kInertia;
  disc.position = Vec3(0, 0, -1);
  disc.spin = Vec3(0, 0, kSpin);
  disc.motion = BodyMotion::Free;
  scene.bodies = {disc};
  scene.simulation.step = step;
  scene.simulation.start = StartKind::Equilibrium;
  return scene;
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  const double reference = 2 * math::kPi * std::sqrt(kInertia / kTorsion);
  const double step = reference / 200;
  Motion motion(sheet, pendulum(step));
  std::vector<double> spin;
  double start = 0;
  double worst = 0;
  motion.watch(20 * reference, 1, [&](double t, const Pose& pose) {
    spin.push_back(pose.bodies.front().spin[2]);
    if (t == 0) start = pose.energy.balance();
    worst = std::max(worst, std::abs(pose.energy.balance() - start));
  });
  setting.tell(1);
  sheet.relative("period, s, 200 steps each", mean_period(spin, step), reference, 0.001,
                 "(ωh)²/12 of the step is 8e-5; twist is exact on any mesh");
  sheet.absolute("decay of the swing in 20 periods, share of its amplitude", swings(spin, step).decay * 20 * reference,
                 0, 1e-3, "nothing damps it");
  sheet.at_most("largest energy error over the swing's energy", worst / (0.5 * kInertia * kSpin * kSpin), 1e-4,
                "second order in the step, no trend");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace torsional_pendulum_case

Case torsional_pendulum() {
  return {.name = "torsional-pendulum",
          .shows = "A body on a wire turns to and fro in 2π√(J L/GJ) and does not tire",
          .source = "Saint-Venant: T = 2π√(J L/GJ)",
          .run = torsional_pendulum_case::rows};
}

}  // namespace filum::validation
