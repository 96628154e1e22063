// Holds, junctions and loads.
#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

namespace filum::scene {
namespace {

bool overlap(const FixedAxes& a, const FixedAxes& b) {
  return (a[0] && b[0]) || (a[1] && b[1]) || (a[2] && b[2]);
}

const Driver* driver_of(const Scene& scene, const Hold& hold) {
  const auto found = std::find_if(scene.drivers.begin(), scene.drivers.end(), [&](const Driver& driver) {
    return driver.kind == DriverKind::Hold && driver.target == hold.name;
  });
  return found == scene.drivers.end() ? nullptr : &*found;
}

// What a hold fixes at a time: its own, then what the keyframes up to then say.
Fix fix_at(const Hold& hold, const Driver* driver, double t) {
  Fix fix = hold.fix;
  if (driver == nullptr) return fix;
  for (const Keyframe& key : driver->path)
    if (key.fix && key.t <= t) fix = *key.fix;
  return fix;
}

struct Clash {
  bool position = false;
  bool orientation = false;
};

// What two holds both fix at one time or another.
Clash clash(const Scene& scene, const Hold& a, const Hold& b) {
  const Driver* driver_a = driver_of(scene, a);
  const Driver* driver_b = driver_of(scene, b);
  Clash found;
  const auto look = [&](double t) {
    const Fix fix_a = fix_at(a, driver_a, t);
    const Fix fix_b = fix_at(b, driver_b, t);
    found.position = found.position || overlap(fix_a.position, fix_b.position);
    found.orientation = found.orientation || overlap(fix_a.orientation, fix_b.orientation);
  };
  look(-1);
  for (const Driver* driver : {driver_a, driver_b})
    for (std::size_t i = 0; driver != nullptr && i < driver->path.size(); ++i)
      if (driver->path[i].fix) look(driver->path[i].t);
  return found;
}

}  // namespace

void Checks::hold(const Where& where, const Hold& hold) {
  place(where, {hold.rod, hold.at});
  // what it fixes, now or later
  const Driver* driver = driver_of(scene, hold);
  const bool later = driver != nullptr && std::any_of(driver->path.begin(), driver->path.end(),
                                                      [](const Keyframe& key) { return key.fix.has_value(); });
  const bool catches = hold.clip && hold.clip->capture;
  if (!hold.holds_position() && !hold.holds_orientation() && !later && !catches)
    report.fail(where.in("fix"), "hold " + quoted(hold.name) + " fixes nothing");
  fixed_axes(where.in("fix"), hold, hold.fix.orientation);
  if (hold.slide && !hold.holds_position())
    report.fail(where.in("slide"), "hold " + quoted(hold.name) + " slides but does not fix the position");
  if (hold.friction > 0 && !hold.slide)
    report.fail(where.in("friction"), "hold " + quoted(hold.name) + " has friction but does not slide");
  if (hold.slide && hold.holds_orientation() && !(fixes_all(hold.fix.position) && fixes_all(hold.fix.orientation)))
    report.fail(where.in("fix"),
                "hold " + quoted(hold.name) + " slides and fixes the orientation: then it must fix both on all axes");
  // where it holds
  const Body* body = names.body(hold.body);
  if (!hold.body.empty() && !body) report.fail(where.in("body"), "there is no body " + quoted(hold.body));
  if (body && body->motion == BodyMotion::Free) free_hold(where, hold);
  report.values(where, tables::hold, &hold);
  if (hold.clip) clip(where, hold, body);
  if (hold.position && !hold.holds_position() && !hold.clip)
    report.fail(where.in("position"), "hold " + quoted(hold.name) + " has a position but does not fix it");
  if (hold.orientation && !hold.holds_orientation())
    report.fail(where.in("orientation"), "hold " + quoted(hold.name) + " has an orientation but does not fix it");
}

// An open clip waits where it is; a free body's clip would have to be looked for every time.
void Checks::clip(const Where& where, const Hold& hold, const Body* body) {
  const Where clip = where.in("clip");  // a place points to the one around it, which must last
  if (hold.clip->insertion_force && !hold.clip->capture)
    report.fail(clip.in("insertion_force"), "hold " + quoted(hold.name) + " catches nothing: 'capture' is missing");
  if (!hold.clip->capture) return;
  const Where capture = clip.in("capture");
  if (!hold.position) report.fail(capture, "hold " + quoted(hold.name) + " is to catch its rod, but has no position");
  if (body && body->motion == BodyMotion::Free)
    report.fail(capture, "hold " + quoted(hold.name) + " is on the free body " + quoted(hold.body) +
                             ": only what stands still or is driven can catch a rod");
  if (hold.slide)
    report.fail(capture, "hold " + quoted(hold.name) + " slides: a rod is caught where it comes near, and kept there");
}

void Checks::fixed_axes(const Where& where, const Hold& hold, const FixedAxes& orientation) {
  if (std::count(orientation.begin(), orientation.end(), true) == 1)
    report.fail(where, "hold " + quoted(hold.name) +
                           " fixes the rotation about one axis only; all, none or two (a hinge) can be fixed");
}

// Some axes of the position are the body's own; a rotation left free nobody has built.
void Checks::free_hold(const Where& where, const Hold& hold) {
  const std::string which = "hold " + quoted(hold.name) + " on the free body " + quoted(hold.body);
  if (fixes_some(hold.fix.orientation))
    report.fail(where.in("fix"), which + " must fix the orientation wholly or not at all");
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
      const Clash both = clash(scene, a, b);
      if (!both.position && !both.orientation) continue;
      const Where list{nullptr, "holds"};
      report.fail(list.in(second).in("fix"), "holds " + quoted(a.name) + " and " + quoted(b.name) + " both fix the " +
                                                 (both.position ? "position" : "orientation") + " of rod " +
                                                 quoted(a.rod) + " at the same place");
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
    return !hold.position && !hold.orientation && hold.body.empty() && driver_of(scene, hold) == nullptr;
  };
  const Hold* first = nullptr;
  for (std::size_t i = 0; i < scene.holds.size(); ++i) {
    const Hold& hold = scene.holds[i];
    if (!on_junction(hold)) continue;
    if (first != nullptr) {
      const auto [position, orientation] = clash(scene, *first, hold);
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

// A place of a rod, or a body that can answer to a load.
void Checks::load_target(const Where& where, const RodPoint& point, const std::string& body, const char* what) {
  if (body.empty()) {
    place(where, point);
    return;
  }
  const Body* found = names.body(body);
  if (!found) return report.fail(where.in("body"), "there is no body " + quoted(body));
  if (found->motion != BodyMotion::Free)
    report.fail(where.in("body"), std::string("a ") + what + " acts on body " + quoted(body) +
                                      ", which is not free: it would do nothing");
}

void Checks::loads() {
  const Where forces{nullptr, "forces"};
  for (std::size_t i = 0; i < scene.forces.size(); ++i) {
    const Where where = forces.in(i);
    load_target(where, scene.forces[i].point, scene.forces[i].body, "force");
    report.values(where, tables::force, &scene.forces[i]);
  }
  const Where torques{nullptr, "torques"};
  for (std::size_t i = 0; i < scene.torques.size(); ++i) {
    const Where where = torques.in(i);
    load_target(where, scene.torques[i].point, scene.torques[i].body, "torque");
    report.values(where, tables::torque, &scene.torques[i]);
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
    report.values(where, tables::distributed, &load);
  }
}

}  // namespace filum::scene
