#include "sim/live/asked.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace filum::sim {

namespace {

bool same(const std::optional<Quat>& a, const std::optional<Quat>& b) {
  return a.has_value() == b.has_value() && (!a || a->coeffs() == b->coeffs());
}

// Whether two scenes drive a thing along the same path.
bool same_drivers(const Scene& a, const Scene& b, DriverKind kind, const std::string& name) {
  const auto path = [&](const Scene& scene) -> const std::vector<Keyframe>* {
    for (const Driver& driver : scene.drivers)
      if (driver.kind == kind && driver.target == name) return &driver.path;
    return nullptr;
  };
  const auto* before = path(a);
  const auto* after = path(b);
  return before == nullptr || after == nullptr ? before == after : *before == *after;
}

}  // namespace

Asked::Asked(const Scene& scene)
    : holds(scene.holds.size()),
      bodies(scene.bodies.size()),
      rod_length(scene.rods.size()),
      winch_speed(scene.winches.size()),
      rope_length(scene.ropes.size()),
      force_scale(scene.forces.size()),
      torque_scale(scene.torques.size()) {}

void Asked::ask(int hold, const AskedHold& wanted) {
  AskedHold& kept = holds[at(hold)];
  if (wanted.position) kept.position = wanted.position, kept.most = wanted.most;
  if (wanted.orientation) kept.orientation = wanted.orientation;
  if (wanted.turns) kept.turns = wanted.turns;
}

void Asked::ask(int body, const AskedBody& wanted) {
  AskedBody& kept = bodies[at(body)];
  if (wanted.position) kept.position = wanted.position;
  if (wanted.orientation) kept.orientation = wanted.orientation;
}

bool Asked::is_bounded() const {
  return std::any_of(holds.begin(), holds.end(), [](const AskedHold& hold) { return std::isfinite(hold.most); });
}

void Asked::put_into(Targets& targets) const {
  for (std::size_t h = 0; h < holds.size(); ++h) {
    HoldTarget& hold = targets.holds[h];
    if (holds[h].position) hold.position = *holds[h].position;
    if (holds[h].orientation) hold.orientation = *holds[h].orientation;
    if (holds[h].turns) hold.turns = *holds[h].turns;
  }
  for (std::size_t r = 0; r < rod_length.size(); ++r)
    if (rod_length[r]) targets.rod_length[r] = *rod_length[r];
  for (std::size_t w = 0; w < winch_speed.size(); ++w)
    if (winch_speed[w]) targets.winch_speed[w] = *winch_speed[w];
  for (std::size_t r = 0; r < rope_length.size(); ++r)
    if (rope_length[r]) targets.rope_length[r] = *rope_length[r];
  for (std::size_t f = 0; f < force_scale.size(); ++f)
    if (force_scale[f]) targets.force_scale[f] = *force_scale[f];
  for (std::size_t f = 0; f < torque_scale.size(); ++f)
    if (torque_scale[f]) targets.torque_scale[f] = *torque_scale[f];
}

Asked Asked::carried(const Scene& from, const Scene& to) const {
  Asked now(to);
  // what was asked of a hold or body goes with its name
  for (std::size_t h = 0; h < to.holds.size(); ++h) {
    const int was = index_of(from.holds, to.holds[h].name);
    if (was < 0) continue;
    const Hold& before = from.holds[at(was)];
    now.holds[h] = holds[at(was)];
    if (before.position != to.holds[h].position) now.holds[h].position.reset();
    if (!same(before.orientation, to.holds[h].orientation)) now.holds[h].orientation.reset();
    if (!same_drivers(from, to, DriverKind::Hold, before.name)) now.holds[h] = {};
  }
  for (std::size_t b = 0; b < to.bodies.size(); ++b) {
    const int was = index_of(from.bodies, to.bodies[b].name);
    if (was < 0 || to.bodies[b].motion == BodyMotion::Free) continue;
    const Body& before = from.bodies[at(was)];
    now.bodies[b] = bodies[at(was)];
    if (before.position != to.bodies[b].position) now.bodies[b].position.reset();
    if (!same(before.orientation, to.bodies[b].orientation)) now.bodies[b].orientation.reset();
    if (!same_drivers(from, to, DriverKind::Body, before.name)) now.bodies[b] = {};
  }
  // lengths and speeds unless the new scene has others
  const auto carry = [&](const auto& before, const auto& after, auto member, DriverKind kind, const auto& asked,
                         auto& kept) {
    for (std::size_t k = 0; k < after.size(); ++k) {
      const int was = index_of(before, after[k].name);
      if (was >= 0 && before[at(was)].*member == after[k].*member && same_drivers(from, to, kind, after[k].name))
        kept[k] = asked[at(was)];
    }
  };
  carry(from.rods, to.rods, &Rod::length, DriverKind::Rod, rod_length, now.rod_length);
  carry(from.winches, to.winches, &Winch::speed, DriverKind::Winch, winch_speed, now.winch_speed);
  carry(from.ropes, to.ropes, &Rope::length, DriverKind::Rope, rope_length, now.rope_length);
  return now;
}

}  // namespace filum::sim
