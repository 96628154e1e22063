// Holds, junctions, loads and drivers.
#include "scene/checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

namespace filum::scene {
namespace {

int count(const std::array<bool, 3>& axes) {
  return static_cast<int>(std::count(axes.begin(), axes.end(), true));
}

bool overlap(const std::array<bool, 3>& a, const std::array<bool, 3>& b) {
  return (a[0] && b[0]) || (a[1] && b[1]) || (a[2] && b[2]);
}

}  // namespace

void Checks::hold(const Where& where, const Hold& hold) {
  place(where, {hold.rod, hold.at});
  // what it fixes
  if (!hold.holds_position() && !hold.holds_orientation())
    report.fail(where.in("fix"), "hold " + quoted(hold.name) + " fixes nothing");
  if (count(hold.fix_orientation) == 1)
    report.fail(where.in("fix"),
                "hold " + quoted(hold.name) +
                    " fixes the rotation about one axis only; all, none or two (a hinge) can be fixed");
  if (hold.slide && !hold.holds_position())
    report.fail(where.in("slide"), "hold " + quoted(hold.name) + " slides but does not fix the position");
  // where it holds
  if (!hold.body.empty() && !names.body(hold.body))
    report.fail(where.in("body"), "there is no body " + quoted(hold.body));
  if (hold.position) {
    report.vector(where.in("position"), *hold.position);
    if (!hold.holds_position())
      report.fail(where.in("position"), "hold " + quoted(hold.name) + " has a position but does not fix it");
  }
  if (hold.orientation) {
    report.unit_quaternion(where.in("orientation"), *hold.orientation);
    if (!hold.holds_orientation())
      report.fail(where.in("orientation"), "hold " + quoted(hold.name) + " has an orientation but does not fix it");
  }
}

// Two holds at one place of a rod that fix the same thing: either they agree and one is too many, or they fight.
void Checks::doubly_held() {
  struct Held {
    const Rod* rod;
    double s;
    std::size_t index;
  };
  // by rod and place; the start of a ring is its end
  std::vector<Held> held;
  for (std::size_t i = 0; i < scene.holds.size(); ++i) {
    const Rod* rod = names.rod(scene.holds[i].rod);
    const double length = lengths.at(rod);
    const double s = scene.holds[i].at.at(length);
    if (!scene.holds[i].slide) held.push_back({rod, rod->closed && s > length * (1 - 1e-9) ? 0 : s, i});
  }
  std::sort(held.begin(), held.end(),
            [](const Held& a, const Held& b) { return std::tie(a.rod, a.s, a.index) < std::tie(b.rod, b.s, b.index); });
  // those that share a place are neighbours now
  for (std::size_t i = 0; i < held.size(); ++i) {
    const double reach = 1e-9 * lengths.at(held[i].rod);
    for (std::size_t j = i + 1; j < held.size(); ++j) {
      if (held[j].rod != held[i].rod || held[j].s - held[i].s > reach || report.failed()) break;
      const std::size_t second = std::max(held[i].index, held[j].index);
      const Hold& a = scene.holds[std::min(held[i].index, held[j].index)];
      const Hold& b = scene.holds[second];
      const bool position = overlap(a.fix_position, b.fix_position);
      if (!position && !overlap(a.fix_orientation, b.fix_orientation)) continue;
      const Where list{nullptr, "holds"};
      report.fail(list.in(second).in("fix"), "holds " + quoted(a.name) + " and " + quoted(b.name) + " both fix the " +
                                                 (position ? "position" : "orientation") + " of rod " + quoted(a.rod) +
                                                 " at the same place");
    }
  }
}

void Checks::holds() {
  const Where around{nullptr, "holds"};
  for (std::size_t i = 0; i < scene.holds.size(); ++i) hold(around.in(i), scene.holds[i]);
  if (!report.failed()) doubly_held();
}

// Two holds on places that a junction joins, fixing the same thing. Where the shapes put them they agree; a hold that
// is posed, driven or on a body may not, and the junction cannot be in two places.
void Checks::jointly_held(const Where& where, const Junction& junction) {
  auto on_junction = [&](const Hold& hold) {
    const double s = hold.at.at(lengths.at(names.rod(hold.rod)));
    return !hold.slide && std::any_of(junction.rods.begin(), junction.rods.end(), [&](const RodPoint& point) {
      const double length = lengths.at(names.rod(point.rod));
      return point.rod == hold.rod && std::abs(point.at.at(length) - s) <= 1e-9 * length;
    });
  };
  auto as_drawn = [&](const Hold& hold) {
    return !hold.position && !hold.orientation && hold.body.empty() &&
           std::none_of(scene.drivers.begin(), scene.drivers.end(), [&](const Driver& driver) {
             return driver.kind == DriverKind::Hold && driver.target == hold.name;
           });
  };
  const Hold* first = nullptr;
  for (const Hold& hold : scene.holds) {
    if (!on_junction(hold)) continue;
    if (first != nullptr) {
      const bool position = overlap(first->fix_position, hold.fix_position);
      const bool orientation = overlap(first->fix_orientation, hold.fix_orientation);
      if (position || (orientation && !(as_drawn(*first) && as_drawn(hold))))
        report.fail(where, "holds " + quoted(first->name) + " and " + quoted(hold.name) + " both fix the " +
                               (position ? "position" : "orientation") + " of junction " + quoted(junction.name) +
                               "; one of them is enough");
    }
    if (first == nullptr) first = &hold;
  }
}

void Checks::junctions() {
  const Where around{nullptr, "junctions"};
  for (std::size_t i = 0; i < scene.junctions.size(); ++i) {
    const Junction& junction = scene.junctions[i];
    const Where where = around.in(i);
    const Where rods = where.in("rods");
    if (junction.rods.size() < 2)
      report.fail(rods, "junction " + quoted(junction.name) + " joins " + std::to_string(junction.rods.size()) +
                            " rod; it takes two or more");
    // each place once
    std::set<std::pair<std::string_view, double>> seen;
    for (std::size_t j = 0; j < junction.rods.size(); ++j) {
      const double s = place(rods.in(j), junction.rods[j]);
      if (!seen.emplace(junction.rods[j].rod, s).second)
        report.fail(rods.in(j), "junction " + quoted(junction.name) + " joins a place of rod " +
                                    quoted(junction.rods[j].rod) + " to itself");
    }
    if (!report.failed()) jointly_held(where, junction);
  }
}

void Checks::loads() {
  const Where forces{nullptr, "forces"};
  for (std::size_t i = 0; i < scene.forces.size(); ++i) {
    const Where where = forces.in(i);
    place(where, scene.forces[i].point);
    report.vector(where.in("force"), scene.forces[i].force);
  }
  const Where torques{nullptr, "torques"};
  for (std::size_t i = 0; i < scene.torques.size(); ++i) {
    const Where where = torques.in(i);
    place(where, scene.torques[i].point);
    report.vector(where.in("torque"), scene.torques[i].torque);
  }
  const Where distributed{nullptr, "distributed"};
  for (std::size_t i = 0; i < scene.distributed.size(); ++i) {
    const DistributedForce& load = scene.distributed[i];
    const Where where = distributed.in(i);
    const double from = place(where, {load.rod, load.from});
    if (report.failed()) return;
    const double to = place(where, "to", *names.rod(load.rod), load.to);
    if (!(to > from))
      report.fail(where.in("to"), "to (" + text(to) + " m) must lie beyond from (" + text(from) + " m)");
    report.vector(where.in("force_per_length"), load.force_per_length);
  }
}

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
  report.number(where.in("t"), key.t, kNotNegative);
  refuse_unless(posed, key.position.has_value(), "position");
  refuse_unless(posed, key.orientation.has_value(), "orientation");
  refuse_unless(driver.kind == DriverKind::Hold, key.turns.has_value(), "turns");
  refuse_unless(load, key.scale.has_value(), "scale");
  refuse_unless(driver.kind == DriverKind::Rod, key.length.has_value(), "length");
  if (key.position) report.vector(where.in("position"), *key.position);
  if (key.orientation) report.unit_quaternion(where.in("orientation"), *key.orientation);
  if (key.turns) report.number(where.in("turns"), *key.turns, kAny);
  if (key.scale) report.number(where.in("scale"), *key.scale, kAny);
  if (key.length) report.number(where.in("length"), *key.length, kPositive);
  if (report.failed() || driver.kind != DriverKind::Hold) return;
  // a hold moves what it fixes
  const Hold& hold = *names.hold(driver.target);
  const std::string which = "hold " + quoted(hold.name);
  if (key.position && !hold.holds_position())
    report.fail(where.in("position"), which + " does not fix the position, so it cannot be driven");
  if ((key.orientation || key.turns) && !hold.holds_orientation())
    report.fail(where.in(key.turns ? "turns" : "orientation"),
                which + " does not fix the orientation, so it cannot be driven");
}

void Checks::driver(const Where& where, const Driver& driver) {
  switch (driver.kind) {
    case DriverKind::Body: {
      const Body* body = names.body(driver.target);
      if (!body) report.fail(where.in("body"), "there is no body " + quoted(driver.target));
      if (body && body->motion != BodyMotion::Driven)
        report.fail(where.in("body"), "body " + quoted(driver.target) + " has a driver but not 'motion: driven'");
      break;
    }
    case DriverKind::Hold:
      if (!names.hold(driver.target)) report.fail(where.in("hold"), "there is no hold " + quoted(driver.target));
      break;
    case DriverKind::Rod:
      if (!names.rod(driver.target)) report.fail(where.in("rod"), "there is no rod " + quoted(driver.target));
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
