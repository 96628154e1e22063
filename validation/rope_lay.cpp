// Laid ropes: the torque of a pull, and how far a free hook turns.
//
// Held, the torque is k d T. Free, the rope turns by k d T L/(GJ − (k d)² EA), T the mean pull. [Feyrer2015]
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
constexpr double kLength = 2;    // m
constexpr int kSegments = 20;
constexpr double kLoad = 200;   // kg
constexpr double kRope = 0.25;  // kg/m
constexpr double kWeight = kLoad * kGravity;
constexpr double kPull = kWeight + kRope * kLength / 2 * kGravity;  // the mean, N

Section rope_section() {
  Section section = given_section(kEA, Vec2(0.5, 0.5), kGJ, kRope);
  section.radius = kThick / 2;
  return section;
}

Body hook() {
  Body body;
  body.name = "hook";
  body.mass = kLoad;
  body.inertia = Vec3(2, 2, 2);
  body.position = Vec3(0, 0, -kLength);
  body.motion = BodyMotion::Free;
  return body;
}

Scene one_fall(double torque_factor) {
  Scene scene = straight_rod(rope_section(), Vec3::Zero(), Vec3(0, 0, -kLength), kSegments);
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.rods[0].lay.torque_factor = torque_factor;
  scene.holds = {clamp(kStart), clamp(kEnd)};
  scene.holds[1].body = "hook";
  scene.bodies = {hook()};
  return scene;
}

// One rope by one formulation.
void compare(double k, const std::string& formulation, Sheet& sheet) {
  const double lever = k * kThick;
  const std::string rope = (k > 0.05 ? "common rope, " : "rotation-resistant rope, ") + formulation;
  const Outcome hung = sheet.solve(one_fall(k));
  const double turns = lever * kPull * kLength / (kGJ - lever * lever * kEA) / (2 * math::kPi);
  sheet.relative(rope + ": turns of a free hook", std::abs(hung.states.back().pose.rods[0].turns), turns, 1e-6,
                 "exact on any mesh");
  Scene held = one_fall(k);
  held.bodies.clear();
  held.holds[1] = clamp(kEnd);
  held.holds[1].fix.position = {};
  held.forces = {PointForce{.point = {"rod", kEnd}, .body = {}, .force = Vec3(0, 0, -kWeight), .follow = false}};
  const Outcome kept = sheet.solve(held);
  sheet.relative(rope + ": torque when held, over tension times diameter",
                 std::abs(kept.states.back().pose.holds[1].moment.z()) / (kPull * kThick), k, 1e-6,
                 "exact on any mesh");
}

Result<std::vector<Row>> rows(const Setting& setting) {
  std::vector<Row> all;
  for (const char* formulation : {"kirchhoff", "cosserat", "spline", "chain"}) {
    Setting with = setting;
    with.formulation = formulation;
    Sheet sheet(with);
    for (const double k : {0.08, 0.02}) compare(k, formulation, sheet);
    Result<std::vector<Row>> found = std::move(sheet).result();
    if (!found) return found;
    all.insert(all.end(), found->begin(), found->end());
  }
  return all;
}

}  // namespace
}  // namespace rope_lay_case

Case rope_lay() {
  return {.name = "rope-lay",
          .shows = "A pull makes a laid rope turn: its torque when held, and the turns of a free hook",
          .source = "linear theory of laid ropes [Feyrer2015]",
          .run = rope_lay_case::rows};
}

}  // namespace filum::validation
