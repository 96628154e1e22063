// Changes while a scene is in motion: holds that let go and take hold, other scenes.
#include "sim/live/engine.hpp"

#include "base/index.hpp"
#include "sim/formulations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::sim {

namespace {

bool any(const FixedAxes& axes) {
  return axes[0] || axes[1] || axes[2];
}

// The axes that `now` fixes and `before` did not.
FixedAxes gained(const FixedAxes& before, const FixedAxes& now) {
  return {now[0] && !before[0], now[1] && !before[1], now[2] && !before[2]};
}

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

bool same(const std::optional<Quat>& a, const std::optional<Quat>& b) {
  return a.has_value() == b.has_value() && (!a || a->coeffs() == b->coeffs());
}

// Whether two scenes move a hold or body along the same path.
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

std::string told(const Hold& hold) {
  std::string what = "hold '" + hold.name + "' ";
  if (!hold.holds_position() && !hold.holds_orientation()) return what + "let go";
  what += "now fixes the ";
  if (hold.holds_position()) what += "position";
  if (hold.holds_position() && hold.holds_orientation()) what += " and the ";
  if (hold.holds_orientation()) what += "orientation";
  return what;
}

}  // namespace

Fix fix_of(const Hold& hold) {
  return {hold.fix_position, hold.fix_orientation};
}

void set_fix(Hold& hold, const Fix& fix) {
  hold.fix_position = fix.position;
  hold.fix_orientation = fix.orientation;
}

Fix fix_at(const Scene& scene, int hold, double t) {
  Fix fix = fix_of(scene.holds[at(hold)]);
  for (const Driver& driver : scene.drivers) {
    if (driver.kind != DriverKind::Hold || driver.target != scene.holds[at(hold)].name) continue;
    for (const Keyframe& key : driver.path)
      if (key.fix && key.t <= t) fix = *key.fix;
  }
  return fix;
}

// The time of the next keyframe that switches a hold.
double Engine::next_switch() const {
  const double now = t_ + kSameInstant * scene_.simulation.step;
  double next = std::numeric_limits<double>::infinity();
  for (const Driver& driver : scene_.drivers)
    for (const Keyframe& key : driver.path)
      if (key.fix && key.t > now) next = std::min(next, key.t);
  return next;
}

void Engine::apply_switches() {
  const double same = kSameInstant * scene_.simulation.step;
  // a switch replaces the scene, so its drivers are walked by index
  for (std::size_t d = 0; d < scene_.drivers.size(); ++d)
    for (std::size_t k = 0; k < scene_.drivers[d].path.size(); ++k) {
      const Keyframe& key = scene_.drivers[d].path[k];
      if (!key.fix || std::abs(key.t - t_) > same) continue;
      switch_hold(index_of(scene_.holds, scene_.drivers[d].target), *key.fix,
                  {key.position.has_value(), key.orientation.has_value()});
    }
}

void Engine::catch_up(const Scene& scene) {
  const double now = t_ + kSameInstant * scene.simulation.step;
  for (std::size_t h = 0; h < scene.holds.size(); ++h)
    switch_hold(static_cast<int>(h), fix_at(scene, static_cast<int>(h), now), {});
}

void Engine::fix(int hold, const Fix& fix) {
  switch_hold(hold, fix, {});
}

void Engine::switch_hold(int hold, const Fix& fix, Named named) {
  const Fix before = fix_of(scene_.holds[at(hold)]);
  if (before == fix) return;
  const Targets found = model_->where_it_is(*state_, last_);

  Scene scene = scene_;
  std::vector<Grip> grips = grips_;
  std::vector<Asked> asked = asked_;
  Hold& held = scene.holds[at(hold)];
  set_fix(held, fix);
  // what it takes hold of it takes where it is; axes that it held before stay where they were wanted
  const HoldTarget rest = at_rest(scene_, held, found.holds[at(hold)], found);
  if (any(gained(before.position, fix.position)) && !named.position) {
    Vec3 position = at_rest(scene_, held, last_.holds[at(hold)], found).position;
    for (int axis = 0; axis < 3; ++axis)
      if (!before.position[at(axis)]) position[axis] = rest.position[axis];
    held.position = position;
    grips[at(hold)].position_since = t_;
    asked[at(hold)].position.reset();
  }
  if (any(gained(before.orientation, fix.orientation)) && !named.orientation) {
    held.orientation = rest.orientation;
    grips[at(hold)].orientation_since = t_;
    asked[at(hold)].orientation.reset();
  }
  if (!held.holds_position()) held.position.reset();
  if (!held.holds_orientation()) held.orientation.reset();
  events_.push_back({t_, told(held)});
  rebuild(scene, grips, asked, asked_bodies_);
}

void Engine::edit(const Scene& scene) {
  // what belongs to a hold goes with its name
  std::vector<Grip> grips(scene.holds.size());
  std::vector<Asked> asked(scene.holds.size());
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const int was = index_of(scene_.holds, scene.holds[h].name);
    if (was < 0) continue;
    const Hold& before = scene_.holds[at(was)];
    grips[h] = grips_[at(was)];
    asked[h] = asked_[at(was)];
    if (before.position != scene.holds[h].position) asked[h].position.reset();
    if (!same(before.orientation, scene.holds[h].orientation)) asked[h].orientation.reset();
    if (!same_drivers(scene_, scene, DriverKind::Hold, before.name)) asked[h] = {};
  }
  // and what was asked of a body with the body's
  std::vector<AskedBody> asked_bodies(scene.bodies.size());
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const int was = index_of(scene_.bodies, scene.bodies[b].name);
    if (was < 0 || scene.bodies[b].motion == BodyMotion::Free) continue;
    const Body& before = scene_.bodies[at(was)];
    asked_bodies[b] = asked_bodies_[at(was)];
    if (before.position != scene.bodies[b].position) asked_bodies[b].position.reset();
    if (!same(before.orientation, scene.bodies[b].orientation)) asked_bodies[b].orientation.reset();
    if (!same_drivers(scene_, scene, DriverKind::Body, before.name)) asked_bodies[b] = {};
  }
  keep_asked_drives(scene);
  if (scene.simulation.formulation != scene_.simulation.formulation)
    formulation_ = make_formulation(scene.simulation.formulation);
  rebuild(scene, grips, asked, asked_bodies);
}

// What was asked of the lengths of rods and ropes and of winches' speeds goes on, unless the new scene says something
// new of it.
void Engine::keep_asked_drives(const Scene& scene) {
  std::vector<std::optional<double>> lengths(scene.rods.size());
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const std::string& name = scene.rods[r].name;
    const int was = index_of(scene_.rods, name);
    if (was >= 0 && scene_.rods[at(was)].length == scene.rods[r].length &&
        same_drivers(scene_, scene, DriverKind::Rod, name))
      lengths[r] = asked_lengths_[at(was)];
  }
  std::vector<std::optional<double>> speeds(scene.winches.size());
  for (std::size_t w = 0; w < scene.winches.size(); ++w) {
    const std::string& name = scene.winches[w].name;
    const int was = index_of(scene_.winches, name);
    if (was >= 0 && scene_.winches[at(was)].speed == scene.winches[w].speed &&
        same_drivers(scene_, scene, DriverKind::Winch, name))
      speeds[w] = asked_speeds_[at(was)];
  }
  std::vector<std::optional<double>> ropes(scene.ropes.size());
  for (std::size_t r = 0; r < scene.ropes.size(); ++r) {
    const std::string& name = scene.ropes[r].name;
    const int was = index_of(scene_.ropes, name);
    if (was >= 0 && scene_.ropes[at(was)].length == scene.ropes[r].length &&
        same_drivers(scene_, scene, DriverKind::Rope, name))
      ropes[r] = asked_ropes_[at(was)];
  }
  asked_lengths_ = std::move(lengths);
  asked_speeds_ = std::move(speeds);
  asked_ropes_ = std::move(ropes);
}

// Compiles `scene` and carries the state over.
void Engine::rebuild(const Scene& scene, const std::vector<Grip>& grips, const std::vector<Asked>& asked,
                     const std::vector<AskedBody>& asked_bodies) {
  const double before = pose().energy.balance();
  last_.bodies = model_->where_it_is(*state_, last_).bodies;
  const Scene old_scene = std::exchange(scene_, scene);
  const std::unique_ptr<Model> old_model = std::move(model_);
  const Targets old_last = std::move(last_);
  grips_ = grips;
  asked_ = asked;
  asked_bodies_ = asked_bodies;
  compile(scene_);

  // holds that were there are where they were; others are found where the carried state has them
  next_ = resting_;
  fill_next(t_);
  last_ = now_held(old_scene, old_last, next_);
  std::unique_ptr<State> carried = model_->carry_over(*old_model, *state_, last_);
  state_ = carried ? std::move(carried) : model_->start(last_);
  last_ = now_held(old_scene, old_last, model_->where_it_is(*state_, last_));
  trial_ = std::min(trial_, scene_.simulation.step);
  make_ready();
  router_.begin(scene_);
  turns_.begin(scene_, pose(), last_);
  edited_work_ += pose().energy.balance() - before;
}

// `found`, but for holds, bodies and lengths that the old scene had: those are where `last` has them.
Targets Engine::now_held(const Scene& old, const Targets& last, const Targets& found) const {
  Targets now = found;
  now.load = last.load;
  for (std::size_t r = 0; r < scene_.rods.size(); ++r)
    if (const int was = index_of(old.rods, scene_.rods[r].name);
        was >= 0 && scene_.rods[r].length == old.rods[at(was)].length)
      now.rod_length[r] = last.rod_length[at(was)];
  for (std::size_t k = 0; k < scene_.ropes.size(); ++k)
    if (const int was = index_of(old.ropes, scene_.ropes[k].name);
        was >= 0 && scene_.ropes[k].length == old.ropes[at(was)].length)
      now.rope_length[k] = last.rope_length[at(was)];
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
    if (const int was = index_of(old.bodies, scene_.bodies[b].name); was >= 0) now.bodies[b] = last.bodies[at(was)];
  for (std::size_t h = 0; h < scene_.holds.size(); ++h) {
    const int was = index_of(old.holds, scene_.holds[h].name);
    if (was < 0) continue;
    const Hold& before = old.holds[at(was)];
    const Hold& after = scene_.holds[h];
    if (before.rod != after.rod || before.at != after.at || before.body != after.body) continue;
    const HoldTarget& held = last.holds[at(was)];
    for (int axis = 0; axis < 3; ++axis)
      if (before.fix_position[at(axis)]) now.holds[h].position[axis] = held.position[axis];
    if (before.holds_orientation() && !any(gained(before.fix_orientation, after.fix_orientation))) {
      now.holds[h].orientation = held.orientation;
      now.holds[h].turns = held.turns;
    }
  }
  return now;
}

}  // namespace filum::sim
