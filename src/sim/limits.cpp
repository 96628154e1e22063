#include "sim/limits.hpp"

#include "rod/pose_at.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {

namespace {

Check tension_check(CheckKind kind, const std::string& rod, const RodPose& pose, double limit, double t) {
  Check check{kind, {ObjectKind::Rod, rod}, 0, limit, 0, t, false};
  for (std::size_t i = 0; i < pose.s.size(); ++i)
    if (i == 0 || pose.axial_force[i] > check.value) {
      check.value = pose.axial_force[i];
      check.s = pose.s[i];
    }
  check.violated = check.value > limit;
  return check;
}

// Of a massless rope; one that broke has been beyond its limit, whatever is left of its tension.
Check rope_tension(const Rope& rope, const RopePose& pose, double t) {
  const double tension = largest_tension(pose);
  return {CheckKind::Tension,
          {ObjectKind::Rope, rope.name},
          tension,
          *rope.breaking_tension,
          0,
          t,
          pose.broken || tension > *rope.breaking_tension};
}

// Forces on every hold of a rod, whole and square to it.
void check_holds(const Scene& scene, const Pose& pose, std::size_t r, double t, std::vector<Check>& checks) {
  const Rod& rod = scene.rods[r];
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    if (scene.holds[h].rod != rod.name) continue;
    const HoldPose& held = pose.holds[h];
    const auto compare = [&](CheckKind kind, double force, double limit) {
      checks.push_back({kind, {ObjectKind::Hold, scene.holds[h].name}, force, limit, held.s, t, force > limit});
    };
    if (rod.limits.max_hold_force) compare(CheckKind::HoldForce, held.force.norm(), *rod.limits.max_hold_force);
    if (rod.limits.max_transverse_force)
      compare(CheckKind::TransverseForce, held.force.cross(rod::tangent_at(pose.rods[r], held.s)).norm(),
              *rod.limits.max_transverse_force);
  }
}

// How much of its limit a check uses up: > 1 is a violation.
double use(const Check& check) {
  if (check.kind == CheckKind::BendRadius) return check.value > 0 ? check.limit / check.value : 1e300;
  return check.value / check.limit;
}

}  // namespace

double largest_tension(const RopePose& rope) {
  return rope.tension.empty() ? 0 : *std::max_element(rope.tension.begin(), rope.tension.end());
}

std::vector<Check> check_limits(const Scene& scene, const Pose& pose, double t) {
  std::vector<Check> checks;
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const Rod& rod = scene.rods[r];
    if (rod.limits.min_bend_radius) {
      const BendRadius& radius = pose.rods[r].min_bend_radius;
      const double limit = *rod.limits.min_bend_radius;
      checks.push_back(
          {CheckKind::BendRadius, {ObjectKind::Rod, rod.name}, radius.value, limit, radius.s, t, radius.value < limit});
    }
    const auto compare_tension = [&](CheckKind kind, const std::optional<double>& limit) {
      if (limit) checks.push_back(tension_check(kind, rod.name, pose.rods[r], *limit, t));
    };
    compare_tension(CheckKind::Tension, rod.limits.max_tension);
    compare_tension(CheckKind::BreakingTension, rod.limits.breaking_tension);
    check_holds(scene, pose, r, t, checks);
  }
  for (std::size_t k = 0; k < scene.ropes.size(); ++k)
    if (scene.ropes[k].breaking_tension) checks.push_back(rope_tension(scene.ropes[k], pose.ropes[k], t));
  return checks;
}

std::vector<Check> worst_of(const std::vector<std::vector<Check>>& lists) {
  if (lists.empty()) return {};
  std::vector<Check> worst = lists.front();
  for (const std::vector<Check>& list : lists)
    for (std::size_t k = 0; k < worst.size() && k < list.size(); ++k) {
      // what broke stays so
      const bool violated = worst[k].violated || list[k].violated;
      if (use(list[k]) > use(worst[k])) worst[k] = list[k];
      worst[k].violated = violated;
    }
  return worst;
}

}  // namespace filum::sim
