// What holds a cable from now on, and what lets go of it: the course of a run is written as keyframes, so that its start
// stays as it was.
#include "serve/editor/editor.hpp"

#include "base/index.hpp"
#include "scene/lookup.hpp"

#include <filum/edit.hpp>

#include <algorithm>
#include <cmath>

namespace filum::serve {

namespace {

bool drives_hold(const Driver& driver, const std::string& hold) {
  return driver.kind == DriverKind::Hold && driver.target == hold;
}

// A keyframe of this time that says what the hold fixes from then on, between those before and after.
void key_fix(Scene& scene, const std::string& hold, double t, const Fix& fix) {
  auto driver = std::find_if(scene.drivers.begin(), scene.drivers.end(),
                             [&](const Driver& each) { return drives_hold(each, hold); });
  if (driver == scene.drivers.end()) {
    driver = scene.drivers.emplace(driver);
    driver->kind = DriverKind::Hold;
    driver->target = hold;
  }
  auto key = std::lower_bound(driver->path.begin(), driver->path.end(), t,
                              [](const Keyframe& a, double time) { return a.t < time; });
  if (key == driver->path.end() || key->t > t) key = driver->path.emplace(key);
  key->t = t;
  key->fix = fix;
}

bool names_nothing(const Keyframe& key) {
  return !key.position && !key.orientation && !key.turns && !key.fix;
}

}  // namespace

bool is_at(const Scene& scene, const Hold& hold, const std::string& rod, double s) {
  if (hold.rod != rod || hold.slide) return false;
  const double length = scene::rod_length(scene.rods[at(index_of(scene.rods, rod))]);
  return std::abs(hold.at.at(length) - s) <= 1e-9 * length;
}

void forget_switches(Scene& scene, const std::string& hold, double since) {
  for (Driver& driver : scene.drivers) {
    if (!drives_hold(driver, hold)) continue;
    for (Keyframe& key : driver.path)
      if (key.t >= since) key.fix.reset();
    std::erase_if(driver.path, names_nothing);
  }
  std::erase_if(scene.drivers, [](const Driver& driver) { return driver.path.empty(); });
}

bool Editor::under_way() const {
  return playing_ || (session_ && scene().simulation.mode == Mode::Dynamics && time() > 0);
}

// A hold of the scene that has let go there takes hold again, from now on.
Result<std::string> Editor::grip_again(Scene& scene, const std::string& hold, const Fix& fix) {
  key_fix(scene, hold, time(), fix);
  if (auto applied = apply(scene); !applied) return applied.error();
  if (auto fixed = session_->fix_hold(hold, fix); !fixed) return fixed.error();
  return hold;
}

// A new hold where the hand is. In a run it holds from now on: at the start nothing was there. What the scene holds there
// later, and to something else, it holds no more.
Result<std::string> Editor::attach_here(const Hand& hand, Scene& scene, const std::string& body) {
  const double length = scene::rod_length(scene.rods[at(index_of(scene.rods, hand.rod))]);
  Hold hold;
  hold.rod = hand.rod;
  hold.body = body;
  hold.at = hand.s <= 0 ? ArcPosition{0, 0} : hand.s >= length ? ArcPosition{1, 0} : ArcPosition{0, hand.s};
  hold.fix.position = {true, true, true};
  if (hand.pose) hold.fix.orientation = {true, true, true};
  if (under_way()) {
    const std::vector<Hold> before = scene.holds;
    for (const Hold& there : before) {
      if (!is_at(scene, there, hand.rod, hold.at.at(length))) continue;
      if (there.body == body && !there.clip) return grip_again(scene, there.name, hold.fix);
      forget_switches(scene, there.name, time());
      // one that would never hold anything
      const bool holds = there.holds_position() || there.holds_orientation() || there.clip;
      const auto drives = [&](const Driver& driver) { return drives_hold(driver, there.name); };
      if (!holds && std::none_of(scene.drivers.begin(), scene.drivers.end(), drives))
        if (auto removed = edit::remove_hold(scene, there.name); !removed) return removed.error();
    }
  }
  grip_where_it_is(scene, hold);
  if (auto added = edit::add_hold(scene, std::move(hold)); !added) return added.error();
  Hold& made = scene.holds.back();
  std::string name = made.name;
  if (!under_way()) return name;
  if (auto applied = apply(scene); !applied) return applied.error();
  key_fix(scene, name, time(), made.fix);
  made.fix = {};
  made.position.reset();
  made.orientation.reset();
  return name;
}

Status Editor::release(const std::string& hold) {
  const std::string label = "release hold '" + hold + "'";
  if (!under_way() || index_of(scene().holds, hold) < 0)
    return change(label, [&](Scene& scene) { return edit::remove_hold(scene, hold); });
  Status released = change(label, [&](Scene& scene) -> Status {
    key_fix(scene, hold, time(), {});
    return Done{};
  });
  if (released) released = session_->fix_hold(hold, {});
  touch();
  return released;
}

}  // namespace filum::serve
