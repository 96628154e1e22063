// A load of a million element masses on a light rope, at the step of a display.
#include "validation/cases.hpp"
#include "validation/motion.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace heavy_load_case {
namespace {

constexpr int kSegments = 50;
constexpr double kRadius = 0.005;
constexpr double kYoung = 1.57e9;
constexpr double kArea = math::kPi * kRadius * kRadius;
constexpr double kRopeMass = 1000 * kArea;  // kg: one metre of rope
constexpr double kLoad = 1e6 * kRopeMass / kSegments;
constexpr double kStep = 1.0 / 60;

// One metre of rope from the origin, `angle` from the vertical, pinned, with the load pinned to its end.
Scene hoist(double angle, double length) {
  const double EI = kYoung * kArea * kRadius * kRadius / 4;
  const Vec3 way(std::sin(angle), 0, -std::cos(angle));
  Scene scene = straight_rod(given_section(kYoung * kArea, Vec2(EI, EI), 0.75 * EI, kRopeMass), Vec3::Zero(),
                             length * way, kSegments);
  scene.rods.front().length = 1;
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.holds = {pin(kStart), pin(kEnd)};
  scene.holds[1].body = "load";
  Body load;
  load.name = "load";
  load.mass = kLoad;
  load.position = length * way;
  load.motion = BodyMotion::Free;
  scene.bodies = {load};
  scene.simulation.step = kStep;
  return scene;
}

// The load on a spring without mass, in the plane: m x'' = m g − k(|x| − 1) x/|x|, by the Runge-Kutta method of fourth
// order. Returns the horizontal position at every kStep.
std::vector<double> swinging_spring(const Vec3& start, double end) {
  constexpr int kParts = 20;
  const double h = kStep / kParts;
  const double stiffness = kYoung * kArea / kLoad;
  auto pull = [&](const Vec3& x) { return Vec3(Vec3(0, 0, -kGravity) - stiffness * (x.norm() - 1) * x.normalized()); };
  Vec3 x = start;
  Vec3 v = Vec3::Zero();
  std::vector<double> list{x[0]};
  const auto steps = static_cast<int>(std::lround(end / kStep));
  for (int k = 0; k < steps * kParts; ++k) {
    const Vec3 a1 = pull(x);
    const Vec3 a2 = pull(x + h / 2 * v);
    const Vec3 a3 = pull(x + h / 2 * v + h * h / 4 * a1);
    const Vec3 a4 = pull(x + h * v + h * h / 2 * a2);
    x += h * v + h * h / 6 * (a1 + a2 + a3);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if ((k + 1) % kParts == 0) list.push_back(x[0]);
  }
  return list;
}

void add_hanging(Sheet& sheet) {
  Scene scene = hoist(0, 1);
  scene.simulation.start = StartKind::Equilibrium;
  Motion motion(sheet, scene);
  double low = 1e9;
  double high = -1e9;
  motion.watch(5, 1, [&](double, const Pose& pose) {
    low = std::min(low, -pose.bodies.front().position[2] - 1);
    high = std::max(high, -pose.bodies.front().position[2] - 1);
  });
  // the rope's own weight stretches it by half of it
  const double reference = (kLoad + kRopeMass / 2) * kGravity / (kYoung * kArea);
  sheet.relative("elongation at rest, least in 5 s, m", low, reference, 1e-3, "exact but for round-off");
  sheet.relative("elongation at rest, largest in 5 s, m", high, reference, 1e-3, "exact but for round-off");
}

// From the length that the rope has under the part of the weight along it.
void add_swinging(Sheet& sheet) {
  constexpr double kAmplitude = math::kPi / 6;
  constexpr double kDuration = 40;
  const double strain = kLoad * kGravity / (kYoung * kArea);
  Scene scene = hoist(kAmplitude, 1 + strain * std::cos(kAmplitude));
  Motion motion(sheet, scene);
  std::vector<double> x;
  double start = 0;
  double worst = 0;
  motion.watch(kDuration, 1, [&](double t, const Pose& pose) {
    x.push_back(pose.bodies.front().position[0]);
    if (t == 0) start = pose.energy.balance();
    worst = std::max(worst, std::abs(pose.energy.balance() - start));
  });
  const std::vector<double> reference = swinging_spring(scene.bodies.front().position, kDuration);
  sheet.relative("period of the swing from 30°, s", mean_period(x, kStep), mean_period(reference, kStep), 1e-3,
                 "(ωh)²/12 of the step is 2e-4; the rope's own mass leaves 1e-5");
  const double energy = kLoad * kGravity * (1 - std::cos(kAmplitude));
  sheet.at_most("largest energy error over the swing's energy, 40 s", worst / energy, 0.01,
                "the load bounces on the rope by a tenth of its length, ωh = 0.15");
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  add_hanging(sheet);
  setting.tell(0.2);
  add_swinging(sheet);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace heavy_load_case

Case heavy_load() {
  return {.name = "heavy-load",
          .shows = "A load of a million element masses hangs and swings on a light rope at steps of 1/60 s",
          .source = "Hooke's law; the swinging spring integrated to all digits",
          .run = heavy_load_case::rows};
}

}  // namespace filum::validation
