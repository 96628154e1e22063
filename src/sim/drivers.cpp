#include "sim/drivers.hpp"

#include "base/index.hpp"
#include "scene/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace filum::sim {

namespace {

double mix(double a, double b, double share) {
  return a + share * (b - a);
}
Vec3 mix(const Vec3& a, const Vec3& b, double share) {
  return a + share * (b - a);
}
Quat mix(const Quat& a, const Quat& b, double share) {
  return a.slerp(share, b);
}

// The length of a rope that the scene gives none.
constexpr double kAsItLies = -1;

constexpr double kAlways = -std::numeric_limits<double>::infinity();

// One quantity along a path: its value at t, or `base` if no keyframe names it. Keyframes before `since` do not count:
// `base` is the value at that time.
template <class T>
T along(const std::vector<Keyframe>& path, std::optional<T> Keyframe::*member, const T& base, double t,
        double since = kAlways) {
  // the knots on either side of t; the path's first keyframe is one whether it names a value or not
  struct Knot {
    double t = 0;
    const T* value = nullptr;
  };
  Knot before;
  Knot after;
  if (since > kAlways) before = {since, &base};
  for (const Keyframe& key : path) {
    if (key.t < since) continue;
    const bool first = &key == &path.front() && before.value == nullptr;
    if (!(key.*member) && !first) continue;
    const Knot knot{key.t, key.*member ? &*(key.*member) : &base};
    if (knot.t <= t || (before.value == nullptr && since == kAlways)) {
      before = knot;
    } else {
      after = knot;
      break;
    }
  }
  if (before.value == nullptr) return base;
  if (after.value == nullptr || t <= before.t) return *before.value;
  return mix(*before.value, *after.value, (t - before.t) / (after.t - before.t));
}

// Holds on bodies move with them.
void carry_holds(const Scene& scene, const Targets& resting, Targets& targets) {
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    if (scene.holds[h].body.empty()) continue;
    const int body = index_of(scene.bodies, scene.holds[h].body);
    const BodyPose& was = resting.bodies[at(body)];
    const BodyPose& now = targets.bodies[at(body)];
    const Quat turn = now.orientation * was.orientation.conjugate();
    targets.holds[h].position = now.position + turn * (resting.holds[h].position - was.position);
    targets.holds[h].orientation = turn * resting.holds[h].orientation;
  }
}

}  // namespace

Targets resting_targets(const Scene& scene) {
  Targets targets;
  for (const Rod& rod : scene.rods) targets.rod_length.push_back(scene::RodLayout(rod).length());
  for (const Body& body : scene.bodies) targets.bodies.push_back({body.position, body.orientation});
  for (const Hold& hold : scene.holds) {
    const int rod = index_of(scene.rods, hold.rod);
    const scene::RodLayout layout(scene.rods[at(rod)]);
    const scene::Placement place = layout.at(hold.at.at(layout.length()));
    targets.holds.push_back({hold.position.value_or(place.position), hold.orientation.value_or(Quat(place.frame)), 0});
  }
  targets.force_scale.assign(scene.forces.size(), 1);
  targets.torque_scale.assign(scene.torques.size(), 1);
  for (const Winch& winch : scene.winches) targets.winch_speed.push_back(winch.speed);
  targets.joint_scale.assign(scene.joints.size(), 1);
  for (const Rope& rope : scene.ropes) targets.rope_tied.push_back(rope.tied ? 1 : 0);
  for (const Rope& rope : scene.ropes) targets.rope_length.push_back(rope.length.value_or(kAsItLies));
  return targets;
}

void fill_targets(const Scene& scene, const Targets& resting, const std::vector<Grip>& grips,
                  const std::vector<AskedBody>& asked, double t, Targets& targets) {
  targets = resting;
  for (const Driver& driver : scene.drivers) {
    if (driver.kind != DriverKind::Body) continue;
    BodyPose& body = targets.bodies[at(index_of(scene.bodies, driver.target))];
    body.position = along(driver.path, &Keyframe::position, Vec3(body.position), t);
    body.orientation = along(driver.path, &Keyframe::orientation, Quat(body.orientation), t);
  }
  for (std::size_t b = 0; b < asked.size(); ++b) {
    if (asked[b].position) targets.bodies[b].position = *asked[b].position;
    if (asked[b].orientation) targets.bodies[b].orientation = *asked[b].orientation;
  }
  carry_holds(scene, resting, targets);
  for (const Driver& driver : scene.drivers) {
    if (driver.kind == DriverKind::Hold) {
      const auto h = at(index_of(scene.holds, driver.target));
      const Grip grip = grips.empty() ? Grip{} : grips[h];
      HoldTarget& hold = targets.holds[h];
      hold.position = along(driver.path, &Keyframe::position, Vec3(hold.position), t, grip.position_since);
      hold.orientation = along(driver.path, &Keyframe::orientation, Quat(hold.orientation), t, grip.orientation_since);
      hold.turns = along(driver.path, &Keyframe::turns, 0.0, t);
    } else if (driver.kind == DriverKind::Force) {
      targets.force_scale[at(driver.index)] = along(driver.path, &Keyframe::scale, 1.0, t);
    } else if (driver.kind == DriverKind::Torque) {
      targets.torque_scale[at(driver.index)] = along(driver.path, &Keyframe::scale, 1.0, t);
    } else if (driver.kind == DriverKind::Rod) {
      double& length = targets.rod_length[at(index_of(scene.rods, driver.target))];
      length = along(driver.path, &Keyframe::length, double(length), t);
    } else if (driver.kind == DriverKind::Winch) {
      double& speed = targets.winch_speed[at(index_of(scene.winches, driver.target))];
      speed = along(driver.path, &Keyframe::speed, double(speed), t);
    } else if (driver.kind == DriverKind::Rope) {
      double& length = targets.rope_length[at(index_of(scene.ropes, driver.target))];
      length = along(driver.path, &Keyframe::length, double(length), t);
      double& tied = targets.rope_tied[at(index_of(scene.ropes, driver.target))];
      for (const Keyframe& key : driver.path)
        if (key.tied && key.t <= t) tied = *key.tied ? 1 : 0;
    } else if (driver.kind == DriverKind::Joint) {
      targets.joint_scale[at(index_of(scene.joints, driver.target))] = along(driver.path, &Keyframe::scale, 1.0, t);
    }
  }
}

Targets targets_at(const Scene& scene, const Targets& resting, double t) {
  Targets targets;
  fill_targets(scene, resting, {}, {}, t, targets);
  return targets;
}

double last_time(const Scene& scene) {
  double last = scene.simulation.end;
  for (const Driver& driver : scene.drivers)
    if (!driver.path.empty()) last = std::max(last, driver.path.back().t);
  return last;
}

void blend(const Targets& from, const Targets& to, double share, Targets& mixed) {
  mixed = to;
  mixed.load = mix(from.load, to.load, share);
  for (std::size_t h = 0; h < to.holds.size(); ++h) {
    mixed.holds[h].position = mix(from.holds[h].position, to.holds[h].position, share);
    mixed.holds[h].orientation = mix(from.holds[h].orientation, to.holds[h].orientation, share);
    mixed.holds[h].turns = mix(from.holds[h].turns, to.holds[h].turns, share);
  }
  for (std::size_t b = 0; b < to.bodies.size(); ++b) {
    mixed.bodies[b].position = mix(from.bodies[b].position, to.bodies[b].position, share);
    mixed.bodies[b].orientation = mix(from.bodies[b].orientation, to.bodies[b].orientation, share);
  }
  for (std::size_t k = 0; k < to.force_scale.size(); ++k)
    mixed.force_scale[k] = mix(from.force_scale[k], to.force_scale[k], share);
  for (std::size_t k = 0; k < to.torque_scale.size(); ++k)
    mixed.torque_scale[k] = mix(from.torque_scale[k], to.torque_scale[k], share);
  for (std::size_t r = 0; r < to.rod_length.size(); ++r)
    mixed.rod_length[r] = mix(from.rod_length[r], to.rod_length[r], share);
  for (std::size_t k = 0; k < to.joint_scale.size(); ++k)
    mixed.joint_scale[k] = mix(from.joint_scale[k], to.joint_scale[k], share);
  for (std::size_t w = 0; w < to.winch_speed.size(); ++w)
    mixed.winch_speed[w] = mix(from.winch_speed[w], to.winch_speed[w], share);
  // a length that has only now been told is there at once: there is nothing to come from
  for (std::size_t k = 0; k < to.rope_length.size(); ++k)
    if (from.rope_length[k] >= 0 && to.rope_length[k] >= 0)
      mixed.rope_length[k] = mix(from.rope_length[k], to.rope_length[k], share);
}

Targets blend(const Targets& from, const Targets& to, double share) {
  Targets mixed;
  blend(from, to, share, mixed);
  return mixed;
}

}  // namespace filum::sim
