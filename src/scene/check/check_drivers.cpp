// Drivers and their keyframes.
#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace filum::scene {

void Checks::indexed_driver(const Where& where, std::string_view key, int index, std::size_t count) {
  if (index >= 0 && static_cast<std::size_t>(index) < count) return;
  report.fail(where.in(key), "there is no " + std::string(key) + " " + std::to_string(index) + "; the list has " +
                                 std::to_string(count) + ", counted from 0");
}

// Each kind of target takes its own values.
void Checks::keyframe(const Where& where, const Driver& driver, const Keyframe& key) {
  const bool posed = driver.kind == DriverKind::Body || driver.kind == DriverKind::Hold;
  const bool load = driver.kind == DriverKind::Force || driver.kind == DriverKind::Torque;
  const auto refuse_unless = [&](bool allowed, bool given, const char* name) {
    if (given && !allowed) report.fail(where.in(name), std::string("this driver's target has no ") + name);
  };
  refuse_unless(posed, key.position.has_value(), "position");
  refuse_unless(posed, key.orientation.has_value(), "orientation");
  refuse_unless(driver.kind == DriverKind::Hold, key.turns.has_value(), "turns");
  refuse_unless(load || driver.kind == DriverKind::Joint, key.scale.has_value(), "scale");
  refuse_unless(driver.kind == DriverKind::Rod || driver.kind == DriverKind::Rope, key.length.has_value(), "length");
  refuse_unless(driver.kind == DriverKind::Winch, key.speed.has_value(), "speed");
  refuse_unless(driver.kind == DriverKind::Rope, key.tied.has_value(), "tied");
  refuse_unless(driver.kind == DriverKind::Hold, key.fix.has_value(), "fix");
  report.values(where, tables::keyframe, &key);
  if (!report.failed() && driver.kind == DriverKind::Hold) hold_keyframe(where, driver, key);
}

// A hold moves what it fixes, at one time or another.
void Checks::hold_keyframe(const Where& where, const Driver& driver, const Keyframe& key) {
  const Hold& hold = *names.hold(driver.target);
  const std::string which = "hold " + quoted(hold.name);
  const Body* body = names.body(hold.body);
  if (body && body->motion == BodyMotion::Free) return free_hold_keyframe(where, hold, key);
  const auto ever = [&](bool now, FixedAxes Fix::*part) {
    return now || std::any_of(driver.path.begin(), driver.path.end(), [&](const Keyframe& each) {
             return each.fix && (*each.fix).*part != FixedAxes{false, false, false};
           });
  };
  if (key.position && !ever(hold.holds_position(), &Fix::position))
    report.fail(where.in("position"), which + " does not fix the position, so it cannot be driven");
  if ((key.orientation || key.turns) && !ever(hold.holds_orientation(), &Fix::orientation))
    report.fail(where.in(key.turns ? "turns" : "orientation"),
                which + " does not fix the orientation, so it cannot be driven");
  if (key.turns && hold.slide)
    report.fail(where.in("turns"), which + " slides: the rod turns freely in it, so it has no turns");
  // letting go and taking hold again
  if (!key.fix) return;
  fixed_axes(where.in("fix"), hold, key.fix->orientation);
  if (hold.slide) report.fail(where.in("fix"), which + " slides, so what it fixes cannot change");
}

// A hold on a free body may let go and take hold; where it is, the body says.
void Checks::free_hold_keyframe(const Where& where, const Hold& hold, const Keyframe& key) {
  for (const auto& [given, name] :
       {std::pair{key.position.has_value(), "position"}, std::pair{key.orientation.has_value(), "orientation"},
        std::pair{key.turns.has_value(), "turns"}})
    if (given)
      report.fail(where.in(name), "hold " + quoted(hold.name) + " is on the free body " + quoted(hold.body) +
                                      " and moves with it: of such a hold only 'fix' can be driven");
  if (!key.fix) return;
  if (fixes_some(key.fix->position))
    report.fail(where.in("fix"), "hold " + quoted(hold.name) + " on the free body " + quoted(hold.body) +
                                     " can take hold of the whole position only, or let go of it");
  Hold later = hold;
  later.fix = *key.fix;
  free_hold(where, later);
}

void Checks::rod_driver(const Where& where, const std::string& target) {
  if (!names.rod(target)) report.fail(where, "there is no rod " + quoted(target));
  for (const Winch& winch : scene.winches)
    if (winch.rod == target)
      report.fail(where, "rod " + quoted(target) + " is on winch " + quoted(winch.name) +
                             ", whose speed may be driven instead of the rod's length");
}

void Checks::winch_driver(const Where& where, const std::string& target) {
  const Winch* winch = names.winch(target);
  if (!winch) return report.fail(where, "there is no winch " + quoted(target));
  if (!winch->geared_to.empty())
    report.fail(where, "winch " + quoted(target) + " is geared to winch " + quoted(winch->geared_to) +
                           ", whose speed may be driven instead");
}

void Checks::rope_driver(const Where& where, const Driver& driver) {
  const Rope* rope = names.rope(driver.target);
  if (!rope) return report.fail(where.in("rope"), "there is no rope " + quoted(driver.target));
  // from a length that is not told nothing can be interpolated
  const Where path = where.in("path");
  const auto any = [&](auto Keyframe::*value) {
    return std::any_of(driver.path.begin(), driver.path.end(),
                       [&](const Keyframe& key) { return (key.*value).has_value(); });
  };
  const bool only_ties = any(&Keyframe::tied) && !any(&Keyframe::length);
  if (!only_ties && !rope->length && !driver.path.empty() && !driver.path.front().length)
    report.fail(path.in(std::size_t{0}),
                "the first keyframe needs a length, for rope " + quoted(driver.target) + " has none");
}

void Checks::driver(const Where& where, const Driver& driver) {
  switch (driver.kind) {
    case DriverKind::Body: {
      const Body* body = names.body(driver.target);
      if (!body) report.fail(where.in("body"), "there is no body " + quoted(driver.target));
      if (body && body->motion == BodyMotion::Free)
        report.fail(where.in("body"), "body " + quoted(driver.target) + " is free: forces move it, a driver cannot");
      if (body && body->motion == BodyMotion::Fixed)
        report.fail(where.in("body"), "body " + quoted(driver.target) + " has a driver but not 'motion: driven'");
      break;
    }
    case DriverKind::Hold:
      if (!names.hold(driver.target)) report.fail(where.in("hold"), "there is no hold " + quoted(driver.target));
      break;
    case DriverKind::Rod:
      rod_driver(where.in("rod"), driver.target);
      break;
    case DriverKind::Winch:
      winch_driver(where.in("winch"), driver.target);
      break;
    case DriverKind::Rope:
      rope_driver(where, driver);
      break;
    case DriverKind::Joint:
      if (!names.joint(driver.target)) report.fail(where.in("joint"), "there is no joint " + quoted(driver.target));
      break;
    case DriverKind::Force:
      indexed_driver(where, "force", driver.index, scene.forces.size());
      break;
    case DriverKind::Torque:
      indexed_driver(where, "torque", driver.index, scene.torques.size());
      break;
  }
  // its path
  const Where path = where.in("path");
  if (driver.path.empty()) report.fail(path, "a path needs at least one keyframe {t: …}");
  for (std::size_t i = 0; i < driver.path.size() && !report.failed(); ++i) {
    const Where item = path.in(i);
    keyframe(item, driver, driver.path[i]);
    if (i > 0 && !(driver.path[i].t > driver.path[i - 1].t))
      report.fail(item.in("t"),
                  "times must increase: " + text(driver.path[i].t) + " s after " + text(driver.path[i - 1].t) + " s");
  }
}

void Checks::drivers() {
  const Where around{nullptr, "drivers"};
  std::set<std::tuple<DriverKind, std::string_view, int>> seen;
  for (std::size_t i = 0; i < scene.drivers.size() && !report.failed(); ++i) {
    const Driver& each = scene.drivers[i];
    driver(around.in(i), each);
    if (!seen.emplace(each.kind, each.target, each.index).second)
      report.fail(around.in(i), "a second driver for the same target");
  }
}

}  // namespace filum::scene
