// Winches, sheaves and ropes.
#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace filum::scene {
namespace {

constexpr Where kReeving{nullptr, "reeving"};

bool is_start(const ArcPosition& at) {
  return at == ArcPosition{0, 0};
}
bool is_end(const ArcPosition& at) {
  return at == ArcPosition{1, 0};
}

// A point of a body, or of the world, before anything moves.
Vec3 in_world(const Body* body, const Vec3& point) {
  return body ? Vec3(body->position + body->orientation * point) : point;
}

}  // namespace

// All of one list in the file, so no name may stand twice in it, whatever it names.
void Checks::reeving_names() {
  std::unordered_map<std::string_view, const char*> seen;
  const auto add = [&](const auto& things, const char* what) {
    for (const auto& thing : things) {
      report.name(kReeving, thing.name);
      const auto [other, added] = seen.emplace(thing.name, what);
      if (!added)
        report.fail(kReeving.in(thing.name),
                    std::string("double name: there is another ") + other->second + " " + quoted(thing.name));
    }
  };
  add(scene.winches, "winch");
  add(scene.sheaves, "sheave");
  add(scene.ropes, "rope");
}

// A named body, or the world if there is no name.
const Body* Checks::carrier(const Where& where, const std::string& body) {
  const Body* found = names.body(body);
  if (!body.empty() && !found) report.fail(where, "there is no body " + quoted(body));
  return found;
}

void Checks::winch(const Where& where, const Winch& winch) {
  const std::string which = "winch " + quoted(winch.name);
  const Rod* rod = names.rod(winch.rod);
  if (!rod) return report.fail(where.in("rod"), "there is no rod " + quoted(winch.rod));
  if (rod->closed) return report.fail(where.in("rod"), which + " is on rod " + quoted(rod->name) + ", which is closed");
  if (!is_start(winch.at) && !is_end(winch.at))
    return report.fail(where.in("at"), which + " sits at the start or the end of its rod, not in between");
  carrier(where.in("body"), winch.body);
  report.values(where, tables::winch, &winch);
  // its ends of travel
  const double length = lengths.at(rod);
  if (winch.shortest && *winch.shortest > length)
    report.fail(where.in("shortest"), "shortest is " + text(*winch.shortest) + " m, but rod " + quoted(rod->name) +
                                          " begins with " + text(length) + " m");
  if (winch.longest && *winch.longest < length)
    report.fail(where.in("longest"), "longest is " + text(*winch.longest) + " m, but rod " + quoted(rod->name) +
                                         " begins with " + text(length) + " m");
  gear(where, winch);
  winch_alone(where, winch, length);
}

// A geared drum turns as the other one does, which turns by itself.
void Checks::gear(const Where& where, const Winch& winch) {
  if (winch.geared_to.empty()) return;
  const std::string which = "winch " + quoted(winch.name);
  const Winch* master = names.winch(winch.geared_to);
  if (!master) return report.fail(where.in("geared_to"), "there is no winch " + quoted(winch.geared_to));
  if (!master->geared_to.empty() || master == &winch)
    return report.fail(where.in("geared_to"),
                       which + " is geared to winch " + quoted(winch.geared_to) + ", which does not turn by itself");
  if (winch.ratio == 0) report.fail(where.in("ratio"), which + " has a gear of ratio zero");
  if (winch.speed != 0 || winch.max_force)
    report.fail(where.in("geared_to"),
                which + " is geared to winch " + quoted(winch.geared_to) + ": it has no speed or max_force of its own");
}

// The end belongs to the drum: no other winch, hold or junction may have it.
void Checks::winch_alone(const Where& where, const Winch& winch, double length) {
  const std::string end = std::string("the ") + (is_start(winch.at) ? "start" : "end") + " of rod " + quoted(winch.rod);
  const auto here = [&](const std::string& rod, const ArcPosition& at) {
    return rod == winch.rod && std::abs(at.at(length) - winch.at.at(length)) <= 1e-9 * length;
  };
  for (const Winch& other : scene.winches) {
    if (&other == &winch) break;
    if (here(other.rod, other.at)) report.fail(where.in("at"), end + " is on winch " + quoted(other.name) + " already");
  }
  for (const Hold& hold : scene.holds)
    if (here(hold.rod, hold.at))
      report.fail(where.in("at"), end + " is held by hold " + quoted(hold.name) + ": a winch needs it for itself");
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods)
      if (here(point.rod, point.at))
        report.fail(where.in("at"), end + " is in junction " + quoted(junction.name) + ": a winch needs it for itself");
}

void Checks::sheave(const Where& where, const Sheave& sheave) {
  const double s = place(where, {sheave.rod, sheave.at});
  if (report.failed()) return;
  const Rod* rod = names.rod(sheave.rod);
  if (rod->closed)
    return report.fail(where.in("rod"),
                       "sheave " + quoted(sheave.name) + " carries rod " + quoted(rod->name) + ", which is closed");
  const double length = lengths.at(rod);
  if (!(s > 1e-9 * length && s < (1 - 1e-9) * length))
    report.fail(where.in("at"), "sheave " + quoted(sheave.name) + " sits at an end of rod " + quoted(rod->name) +
                                    ": the rod must run on at both sides");
  carrier(where.in("body"), sheave.body);
  report.values(where, tables::sheave, &sheave);
  for (const Sheave& other : scene.sheaves) {
    if (&other == &sheave) break;
    if (other.rod == sheave.rod && std::abs(other.at.at(length) - s) <= 1e-9 * length)
      report.fail(where.in("at"), "sheaves " + quoted(other.name) + " and " + quoted(sheave.name) +
                                      " carry the same place of rod " + quoted(rod->name));
  }
}

void Checks::rope_point(const Where& where, const RopePoint& point, bool tied) {
  // the file has another word for the body of a wheel
  carrier(where.in(point.radius > 0 ? "sheave" : "body"), point.body);
  report.values(where, tables::rope_point, &point);
  if (tied && (point.radius != 0 || point.friction != 0))
    report.fail(where, "a rope is tied to its first and its last point: a radius or friction has no meaning there");
  if (point.axis && point.radius == 0) report.fail(where.in("axis"), "an eye has no axis: only a radius makes a wheel");
}

void Checks::rope(const Where& where, const Rope& rope) {
  report.values(where, tables::rope, &rope);
  const Where through = where.in("through");
  if (rope.through.size() < 2)
    return report.fail(through, "rope " + quoted(rope.name) + " runs through " + std::to_string(rope.through.size()) +
                                    " point; it takes two or more");
  double span = 0;
  for (std::size_t i = 0; i < rope.through.size() && !report.failed(); ++i) {
    const RopePoint& point = rope.through[i];
    rope_point(through.in(i), point, i == 0 || i + 1 == rope.through.size());
    if (i == 0) continue;
    const RopePoint& before = rope.through[i - 1];
    const double part =
        (in_world(names.body(point.body), point.point) - in_world(names.body(before.body), before.point)).norm();
    span += part;
    // between two wheels there must be room for both, or the rope would have to go through one
    if (!(part >= point.radius - before.radius && part >= before.radius - point.radius))
      report.fail(through.in(i).in("point"), "this point lies inside the wheel beside it");
  }
  if (!report.failed() && !rope.length && !(span >= kPositive.min))
    report.fail(through, "rope " + quoted(rope.name) + " has no length: all of its points lie at one place");
}

void Checks::reeving() {
  reeving_names();
  for (const Winch& each : scene.winches)
    if (!report.failed()) winch(kReeving.in(each.name), each);
  for (const Sheave& each : scene.sheaves)
    if (!report.failed()) sheave(kReeving.in(each.name), each);
  for (const Rope& each : scene.ropes)
    if (!report.failed()) rope(kReeving.in(each.name), each);
}

}  // namespace filum::scene
