// Laid ropes: the torque of a pull, how far a free hook turns, and how a hook on two falls cables up.
//
// Held, the torque is k d T. Free, the rope turns by k d T L/(GJ − (k d)² EA). On two falls, L long and 2 R apart at both ends,
// a load W that has turned by θ is lifted: the falls turn it back by W R² sin θ/h, h the height. What is left of their torque
// at a twist of −θ/L drives it, with T the pull of each:
//
//   2 [k d T − (GJ − (k d)² EA) θ/L] = W R² sin θ/h.
//
// Without the stiffness of twist there is no such θ once k d L > R²: the falls wind round each other. [Feyrer2015]
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"

#include <cmath>

namespace filum::validation {

namespace rope_lay_case {
namespace {

constexpr double kEA = 2e6;      // N
constexpr double kGJ = 4;        // N·m²
constexpr double kThick = 8e-3;  // m
constexpr double kLength = 5;    // m
constexpr double kLoad = 2000;   // kg
constexpr double kWeight = kLoad * kGravity;

Section rope_section() {
  // light and slack in bending, as the closed forms are
  Section section = given_section(kEA, Vec2(0.02, 0.02), kGJ, 1e-3);
  section.radius = kThick / 2;
  return section;
}

Body hook() {
  Body body;
  body.name = "hook";
  body.mass = kLoad;
  body.inertia = Vec3(20, 20, 20);
  body.position = Vec3(0, 0, -kLength);
  body.motion = BodyMotion::Free;
  return body;
}

Scene one_fall(double torque_factor) {
  Scene scene = straight_rod(rope_section(), Vec3::Zero(), Vec3(0, 0, -kLength), 20);
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.rods[0].lay.torque_factor = torque_factor;
  scene.holds = {clamp(kStart), clamp(kEnd)};
  scene.holds[1].body = "hook";
  scene.bodies = {hook()};
  return scene;
}

Scene two_falls(double torque_factor, double apart) {
  const double r = apart / 2;
  Scene scene = straight_rod(rope_section(), Vec3(r, 0, 0), Vec3(r, 0, -kLength), 60);
  scene.gravity = Vec3(0, 0, -kGravity);
  add_rod(scene, "second", rope_section(), line(Vec3(-r, 0, 0), Vec3(-r, 0, -kLength)), 60);
  for (Rod& rod : scene.rods) rod.lay.torque_factor = torque_factor;
  scene.holds = {clamp(kStart), clamp(kEnd), clamp(kStart, "second"), clamp(kEnd, "second")};
  for (const std::size_t h : {std::size_t{1}, std::size_t{3}}) scene.holds[h].body = "hook";
  scene.bodies = {hook()};
  return scene;
}

// By which the hook has turned about the vertical, rad, within half a turn.
double turned(const Pose& pose) {
  const Vec3 x = pose.bodies[0].orientation * Vec3::UnitX();
  return std::abs(std::atan2(x.y(), x.x()));
}

// The angle at which the falls hold the hook: by bisection of the balance above.
double balance(double torque_factor, double apart) {
  const double lever = torque_factor * kThick;
  const double r = apart / 2;
  const double torsion = kGJ - lever * lever * kEA;
  const auto left = [&](double theta) {
    double pull = kWeight / 2;
    double height = kLength;
    // the falls stretch, lean and so pull harder
    for (int round = 0; round < 50; ++round) {
      const double fall = kLength * (1 + pull / kEA + lever * theta / kLength);
      height = std::sqrt(fall * fall - std::pow(2 * r * std::sin(theta / 2), 2));
      pull = kWeight / 2 * fall / height;
    }
    return 2 * (lever * pull - torsion * theta / kLength) - kWeight * r * r * std::sin(theta) / height;
  };
  double low = 0;
  double high = math::kPi / 2;
  for (int round = 0; round < 60; ++round) (left(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  return low;
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  for (const double k : {0.08, 0.02}) {
    const double lever = k * kThick;
    const std::string rope = k > 0.05 ? "common rope" : "rotation-resistant rope";
    const Outcome hung = sheet.solve(one_fall(k));
    const double turns = lever * kWeight * kLength / (kGJ - lever * lever * kEA) / (2 * math::kPi);
    sheet.relative(rope + ": turns of a free hook", std::abs(hung.states.back().pose.rods[0].turns), turns, 1e-5,
                   "the rope's own weight, 2e-6 of the load");
    Scene held = one_fall(k);
    held.bodies.clear();
    held.holds[1] = clamp(kEnd);
    held.holds[1].fix.position = {};
    held.forces = {PointForce{.point = {"rod", kEnd}, .body = {}, .force = Vec3(0, 0, -kWeight), .follow = false}};
    const Outcome kept = sheet.solve(held);
    sheet.relative(rope + ": torque when held, over tension times diameter",
                   std::abs(kept.states.back().pose.holds[1].moment.z()) / (kWeight * kThick), k, 1e-5, "the same");
    setting.tell(k > 0.05 ? 0.3 : 0.6);
  }
  // the falls may be 2 √(k d L) = 113 mm apart and no less
  const Outcome safe = sheet.solve(two_falls(0.08, 0.16));
  sheet.relative("two falls 160 mm apart: hook turned, rad", turned(safe.states.back().pose), balance(0.08, 0.16), 0.01,
                 "falls that lean twist by less than the hook turns, and bend at their ends");
  const Outcome cabled = sheet.solve(two_falls(0.08, 0.08));
  sheet.at_least("two falls 80 mm apart: hook turned, rad", turned(cabled.states.back().pose), math::kPi / 2,
                 "below 113 mm they cable up");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace rope_lay_case

Case rope_lay() {
  return {.name = "rope-lay",
          .shows = "A pull makes a laid rope turn: torque, turns of a free hook, falls that cable up",
          .source = "linear theory of laid ropes [Feyrer2015]",
          .run = rope_lay_case::rows};
}

}  // namespace filum::validation
