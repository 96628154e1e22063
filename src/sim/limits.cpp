#include "sim/limits.hpp"

#include "rod/pose_at.hpp"
#include "sim/clearance.hpp"
#include "sim/clips.hpp"
#include "sim/contact_load.hpp"
#include "sim/rupture.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {

namespace {

Check tension_check(CheckKind kind, const std::string& rod, const RodPose& pose, double limit, double t) {
  Check check{kind, {ObjectKind::Rod, rod}, 0, limit, 0, t, false, {}};
  for (std::size_t i = 0; i < pose.s.size(); ++i)
    if (i == 0 || pose.axial_force[i] > check.value) {
      check.value = pose.axial_force[i];
      check.s = pose.s[i];
    }
  if (pose.peak_tension.value > check.value) {
    check.value = pose.peak_tension.value;
    check.s = pose.peak_tension.s;
  }
  check.violated = check.value > limit;
  return check;
}

// Of a massless rope; one that broke has been beyond its limit, whatever is left of its tension.
Check rope_tension(const Rope& rope, const RopePose& pose, double t) {
  const double tension = std::max(largest_tension(pose), pose.peak_tension);
  return {CheckKind::Tension,
          {ObjectKind::Rope, rope.name},
          tension,
          *rope.breaking_tension,
          0,
          t,
          pose.broken || tension > *rope.breaking_tension,
          {}};
}

// How far a rod that may yield is or has been strained: bent, twisted or stretched beyond it stays so.
Check yield_check(const std::string& rod, const RodPose& pose, double t) {
  Check check{CheckKind::Yield, {ObjectKind::Rod, rod}, 0, 1, 0, t, false, {}};
  const auto worst = std::max_element(pose.yield.begin(), pose.yield.end());
  check.value = *worst;
  check.s = pose.s[static_cast<std::size_t>(worst - pose.yield.begin())];
  check.violated = check.value > check.limit;
  return check;
}

// The place that uses up most of what is allowed: a limit in diameters changes along a rod as its section does.
Check bend_check(const Rod& rod, const RodPose& pose, double t, bool moves) {
  const BendLimit& limit = *rod.limits.min_bend_radius;
  const bool inside = limit.measured == BendLine::Inside;
  Check worst;
  double most = -1;
  const auto look = [&](double radius, double s, double half_way) {
    const double allowed = limit.centre_radius(half_way, moves);
    if (!(allowed / radius > most * (1 + 1e-12))) return;
    most = allowed / radius;
    const double less = inside ? half_way : 0;
    worst = {inside ? CheckKind::InsideBendRadius : CheckKind::BendRadius,
             {ObjectKind::Rod, rod.name},
             radius - less,
             allowed - less,
             s,
             t,
             radius < allowed,
             inside ? radius : radius - half_way};
  };
  const auto half = [&](std::size_t i) {
    return i < pose.outline.size() && i < pose.curvature.size() ? half_width(pose.outline[i], pose.curvature[i]) : 0;
  };
  // the tightest place first, so that a straight rod has its radius too
  std::size_t tightest = 0;
  while (tightest + 1 < pose.s.size() && pose.s[tightest] < pose.min_bend_radius.s) ++tightest;
  look(pose.min_bend_radius.value, pose.min_bend_radius.s, half(tightest));
  for (std::size_t i = 0; i < pose.s.size() && i < pose.curvature.size(); ++i)
    if (const double bent = pose.curvature[i].norm(); bent > 0) look(1 / bent, pose.s[i], half(i));
  return worst;
}

// Forces on every hold of a rod, whole, along and square to it.
void check_holds(const Scene& scene, const Pose& pose, std::size_t r, double t, std::vector<Check>& checks) {
  const Rod& rod = scene.rods[r];
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    if (scene.holds[h].rod != rod.name) continue;
    const HoldPose& held = pose.holds[h];
    const auto compare = [&](CheckKind kind, double force, double limit) {
      checks.push_back({kind, {ObjectKind::Hold, scene.holds[h].name}, force, limit, held.s, t, force > limit, {}});
    };
    for (const ClipLoad& load : clip_loads(scene, pose, h)) compare(load.part, load.load, load.strength);
    if (rod.limits.max_hold_force) compare(CheckKind::HoldForce, held.force.norm(), *rod.limits.max_hold_force);
    // by the direction of the rod there, where that is asked for
    const Hold& hold = scene.holds[h];
    if (!rod.limits.max_transverse_force && !hold.max_pull && !hold.max_shear) continue;
    const Vec3 tangent = rod::tangent_at(pose.rods[r], held.s);
    const double across = held.force.cross(tangent).norm();
    if (rod.limits.max_transverse_force) compare(CheckKind::TransverseForce, across, *rod.limits.max_transverse_force);
    if (hold.max_pull) compare(CheckKind::HoldPull, std::abs(held.force.dot(tangent)), *hold.max_pull);
    if (hold.max_shear) compare(CheckKind::HoldShear, across, *hold.max_shear);
  }
}

// Clearance where a limit asks for it; what passes through, whether one asks or not.
void check_clearance(const Scene& scene, const Pose& pose, double t, std::vector<Check>& checks) {
  std::vector<double> reach(scene.rods.size(), 0);
  for (std::size_t r = 0; r < scene.rods.size(); ++r)
    if (scene.rods[r].limits.min_clearance) reach[r] = geometry::kFarAway;
  const std::vector<Clearance> found = clearances(scene, pose, reach);
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const Clearance& near = found[r];
    const auto add = [&](CheckKind kind, double limit) {
      Check& check = checks.emplace_back();
      check.kind = kind;
      check.object = {ObjectKind::Rod, scene.rods[r].name};
      check.value = near.value;
      check.limit = limit;
      check.s = near.s;
      check.t = t;
      check.violated = near.value < limit;
      check.near = near.other;
      check.near_s = near.other_s;
    };
    if (scene.rods[r].limits.min_clearance) add(CheckKind::Clearance, *scene.rods[r].limits.min_clearance);
    if (passes_through(near)) add(CheckKind::PassesThrough, 0);
  }
}

// What it touches presses and rubs.
void check_contact(const Scene& scene, const Pose& pose, std::size_t r, double t, std::vector<Check>& checks) {
  const Limits& limits = scene.rods[r].limits;
  if (!limits.max_contact_force && !limits.max_contact_pressure && !limits.max_chafing) return;
  const ContactLoad load = contact_load(scene, pose, static_cast<int>(r));
  const auto add = [&](CheckKind kind, double value, const std::optional<double>& limit, double s) {
    if (!limit) return;
    checks.push_back({kind, {ObjectKind::Rod, scene.rods[r].name}, value, *limit, s, t, value > *limit});
  };
  add(CheckKind::ContactForce, load.force, limits.max_contact_force, load.force_s);
  add(CheckKind::ContactPressure, load.pressure, limits.max_contact_pressure, load.pressure_s);
  add(CheckKind::Chafing, load.chafing, limits.max_chafing, load.chafing_s);
}

// Nearer to its limit, or further beyond it.
bool is_worse(const Check& check, const Check& than) {
  if (!is_least(check.kind)) return check.value / check.limit > than.value / than.limit;
  if (!(check.value > 0 && than.value > 0)) return check.value < than.value;
  return check.limit / check.value > than.limit / than.value;
}

}  // namespace

double largest_tension(const RopePose& rope) {
  return rope.tension.empty() ? 0 : *std::max_element(rope.tension.begin(), rope.tension.end());
}

std::vector<Check> check_limits(const Scene& scene, const Pose& pose, double t, bool driven) {
  std::vector<Check> checks;
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const Rod& rod = scene.rods[r];
    const bool moves = driven || rod::moves(pose.rods[r]);
    if (rod.limits.min_bend_radius) checks.push_back(bend_check(rod, pose.rods[r], t, moves));
    const auto compare_tension = [&](CheckKind kind, const std::optional<double>& limit) {
      if (limit) checks.push_back(tension_check(kind, rod.name, pose.rods[r], *limit, t));
    };
    compare_tension(CheckKind::Tension, rod.limits.max_tension);
    compare_tension(CheckKind::BreakingTension, rod.limits.breaking_tension);
    for (const BreakUse& use : strain_uses(scene, pose, r))
      checks.push_back({use.kind, {ObjectKind::Rod, rod.name}, use.value, use.limit, use.s, t, use.use() > 1, {}});
    if (rod.limits.max_length) {
      const double length = pose.rods[r].s.back();
      const double limit = *rod.limits.max_length;
      checks.push_back({CheckKind::Length, {ObjectKind::Rod, rod.name}, length, limit, length, t, length > limit});
    }
    if (!pose.rods[r].yield.empty()) checks.push_back(yield_check(rod.name, pose.rods[r], t));
    check_holds(scene, pose, r, t, checks);
    check_contact(scene, pose, r, t, checks);
  }
  for (std::size_t k = 0; k < scene.ropes.size(); ++k)
    if (scene.ropes[k].breaking_tension) checks.push_back(rope_tension(scene.ropes[k], pose.ropes[k], t));
  check_clearance(scene, pose, t, checks);
  return checks;
}

std::vector<Check> worst_of(const std::vector<std::vector<Check>>& lists) {
  std::vector<Check> worst;
  for (const std::vector<Check>& list : lists)
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Check& check = list[k];
      const auto same = [&](const Check& other) { return other.kind == check.kind && other.object == check.object; };
      // most lists are alike
      auto found = k < worst.size() && same(worst[k]) ? worst.begin() + static_cast<std::ptrdiff_t>(k)
                                                      : std::find_if(worst.begin(), worst.end(), same);
      if (found == worst.end()) {
        worst.push_back(check);
        continue;
      }
      // what broke stays so
      const bool violated = found->violated || check.violated;
      if (is_worse(check, *found)) *found = check;
      found->violated = violated;
    }
  return worst;
}

}  // namespace filum::sim
