// The flexible pendulum in time: a limp rod on a pin, let go from its first natural shape.
#include "validation/cases.hpp"
#include "validation/motion.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace pendulum_swing_case {
namespace {

constexpr double kPeriod = 1.66767230;  // s, of the continuous rod: tension ρAg(L − s), bending stiffness EI
constexpr double kAmplitude = 1e-3;     // of the tip, share of the length: the period grows by its square
constexpr int kSegments = 50;
constexpr double kDuration = 20;  // s

// One metre of soft round rod, 2 mm in radius, hanging from a pin.
Scene pendulum(double step) {
  constexpr double kRadius = 0.002;
  constexpr double kYoung = 1e7;
  const double area = math::kPi * kRadius * kRadius;
  const double EI = kYoung * area * kRadius * kRadius / 4;
  Scene scene = straight_rod(given_section(kYoung * area, Vec2(EI, EI), 0.75 * EI, 1000 * area), Vec3::Zero(),
                             Vec3(0, 0, -1), kSegments);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.holds = {pin(kStart)};
  scene.simulation.step = step;
  return scene;
}

// The tip's way along the first mode, one value a step.
std::vector<double> swing(Sheet& sheet, double step) {
  const Scene scene = pendulum(step);
  const NaturalMode mode = softest(modes_of(sheet, scene, 3));
  Motion motion = Motion::released(sheet, scene, mode, kAmplitude);
  const std::vector<Vec3>& shape = mode.rods.front().displacement;
  const Vec3 way = shape.empty() ? Vec3::UnitX().eval() : shape.back().normalized();
  std::vector<double> y;
  motion.watch(kDuration, 1,
               [&](double, const Pose& pose) { y.push_back(way.dot(pose.rods.front().position.back())); });
  return y;
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  const double coarse = 1.0 / 30;
  const double fine = 1.0 / 60;
  const std::vector<double> y = swing(sheet, fine);
  const double period = mean_period(y, fine);
  setting.tell(0.6);
  const double longer = mean_period(swing(sheet, coarse), coarse);
  sheet.relative("period, s, N = 50, step 1/60 s", period, kPeriod, 0.004,
                 "second order in mesh and step: (ωh)²/12 is 3e-4");
  sheet.relative("period, s, N = 50, extrapolated to step 0", period + (period - longer) / 3, kPeriod, 0.004,
                 "what the mesh alone leaves");
  sheet.absolute("decay of the swing in 20 s, share of its amplitude", swings(y, fine).decay * kDuration, 0, 1e-3,
                 "nothing damps it; a top is read between steps to 1e-4");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace pendulum_swing_case

Case pendulum_swing() {
  return {.name = "pendulum-swing",
          .shows = "A limp rod on a pin, let go from its first natural shape, swings in its period and does not tire",
          .source = "Hanging chain with bending stiffness, boundary-value problem solved to nine digits",
          .run = pendulum_swing_case::rows};
}

}  // namespace filum::validation
