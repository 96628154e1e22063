#include "sim/checks.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {

namespace {

Check largest_tension(const std::string& rod, const RodPose& pose, double limit, double t) {
  Check check{"tension", "rod '" + rod + "'", 0, limit, 0, t, false};
  for (std::size_t i = 0; i < pose.s.size(); ++i)
    if (i == 0 || pose.axial_force[i] > check.value) {
      check.value = pose.axial_force[i];
      check.s = pose.s[i];
    }
  check.violated = check.value > limit;
  return check;
}

// How much of its limit a check uses up: > 1 is a violation.
double use(const Check& check) {
  if (check.name == "bend radius") return check.value > 0 ? check.limit / check.value : 1e300;
  return check.value / check.limit;
}

}  // namespace

std::vector<Check> check_limits(const Scene& scene, const Pose& pose, double t) {
  std::vector<Check> checks;
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const Rod& rod = scene.rods[r];
    if (rod.limits.min_bend_radius) {
      const BendRadius& radius = pose.rods[r].min_bend_radius;
      const double limit = *rod.limits.min_bend_radius;
      checks.push_back(
          {"bend radius", "rod '" + rod.name + "'", radius.value, limit, radius.s, t, radius.value < limit});
    }
    if (rod.limits.max_tension) checks.push_back(largest_tension(rod.name, pose.rods[r], *rod.limits.max_tension, t));
    if (!rod.limits.max_hold_force) continue;
    for (std::size_t h = 0; h < scene.holds.size(); ++h) {
      if (scene.holds[h].rod != rod.name) continue;
      const double force = pose.holds[h].force.norm();
      const double limit = *rod.limits.max_hold_force;
      checks.push_back(
          {"hold force", "hold '" + scene.holds[h].name + "'", force, limit, pose.holds[h].s, t, force > limit});
    }
  }
  return checks;
}

std::vector<Check> worst_of(const std::vector<std::vector<Check>>& lists) {
  if (lists.empty()) return {};
  std::vector<Check> worst = lists.front();
  for (const std::vector<Check>& list : lists)
    for (std::size_t k = 0; k < worst.size() && k < list.size(); ++k)
      if (use(list[k]) > use(worst[k])) worst[k] = list[k];
  return worst;
}

}  // namespace filum::sim
