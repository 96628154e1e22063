#include "sim/live/hold_switches.hpp"

#include "base/index.hpp"
#include "sim/run/clock.hpp"

#include <cmath>
#include <limits>

namespace filum::sim {

namespace {

// The pose in which a hold that now is at `found` would be if its body were where the scene puts it.
HoldTarget at_rest(const Scene& scene, const Hold& hold, const HoldTarget& found, const Targets& now) {
  if (hold.body.empty()) return found;
  const int body = index_of(scene.bodies, hold.body);
  const Body& rest = scene.bodies[at(body)];
  const Quat back = rest.orientation * now.bodies[at(body)].orientation.conjugate();
  HoldTarget target = found;
  target.position = rest.position + back * (found.position - now.bodies[at(body)].position);
  target.orientation = back * found.orientation;
  return target;
}

}  // namespace

bool gains_any(const FixedAxes& before, const FixedAxes& now) {
  return (now[0] && !before[0]) || (now[1] && !before[1]) || (now[2] && !before[2]);
}

Fix fix_at(const Scene& scene, int hold, double t) {
  Fix fix = scene.holds[at(hold)].fix;
  for (const Driver& driver : scene.drivers) {
    if (driver.kind != DriverKind::Hold || driver.target != scene.holds[at(hold)].name) continue;
    for (const Keyframe& key : driver.path)
      if (key.fix && key.t <= t) fix = *key.fix;
  }
  return fix;
}

Scene as_it_begins(Scene scene) {
  for (std::size_t h = 0; h < scene.holds.size(); ++h)
    scene.holds[h].fix = fix_at(scene, static_cast<int>(h), kSameInstant * scene.simulation.step);
  return scene;
}

double next_switch(const Scene& scene, double now) {
  double next = std::numeric_limits<double>::infinity();
  for (const Driver& driver : scene.drivers)
    for (const Keyframe& key : driver.path)
      if (key.fix && key.t > now) next = std::min(next, key.t);
  return next;
}

std::vector<HoldSwitch> switches_at(const Scene& scene, double t, double same) {
  std::vector<HoldSwitch> list;
  for (const Driver& driver : scene.drivers)
    for (const Keyframe& key : driver.path)
      if (key.fix && std::abs(key.t - t) <= same)
        list.push_back(
            {index_of(scene.holds, driver.target), *key.fix, key.position.has_value(), key.orientation.has_value()});
  return list;
}

void switch_hold(Scene& scene, const HoldSwitch& to, const Targets& last, const Targets& found, double t, Grip& grip,
                 AskedHold& asked) {
  Hold& hold = scene.holds[at(to.hold)];
  const Fix before = hold.fix;
  hold.fix = to.fix;
  const HoldTarget rest = at_rest(scene, hold, found.holds[at(to.hold)], found);
  if (gains_any(before.position, to.fix.position) && !to.names_position) {
    Vec3 position = at_rest(scene, hold, last.holds[at(to.hold)], found).position;
    for (int axis = 0; axis < 3; ++axis)
      if (!before.position[at(axis)]) position[axis] = rest.position[axis];
    hold.position = position;
    grip.position_since = t;
    asked.position.reset();
  }
  if (gains_any(before.orientation, to.fix.orientation) && !to.names_orientation) {
    hold.orientation = rest.orientation;
    grip.orientation_since = t;
    asked.orientation.reset();
  }
  // an open clip waits where it is
  if (!hold.holds_position() && !hold.clip) hold.position.reset();
  if (!hold.holds_orientation()) hold.orientation.reset();
}

EventKind switched_to(const Hold& hold) {
  if (hold.holds_position() && hold.holds_orientation()) return EventKind::FixesPose;
  if (hold.holds_position()) return EventKind::FixesPosition;
  return hold.holds_orientation() ? EventKind::FixesOrientation : EventKind::LetGo;
}

}  // namespace filum::sim
