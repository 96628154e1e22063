// Lengths: even growth, material beyond an end, material between two places.
//
// A rod of length L is drawn along a shape of length l, both in proportion. New material is drawn in the same
// proportion, so that what was there stays where it was. Rest curves are lengthened alike.
#include <filum/edit.hpp>

#include "math/rotation.hpp"
#include "scene/check/fault_list.hpp"
#include "scene/edit/curve_edits.hpp"
#include "scene/edit/edit_kit.hpp"
#include "scene/layout.hpp"
#include "scene/lookup.hpp"
#include "scene/parts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace filum::edit {
namespace {

using scene::quoted;

// Writes every place on a rod anew for its new length.
void move_places(Scene& scene, Rod& rod, double old_length, double new_length,
                 const std::function<double(double)>& moved_to) {
  const auto move = [&](ArcPosition& at) { at = rewritten(at, moved_to(at.at(old_length)), new_length); };
  for_each_place(scene, rod.name, [&](const std::string&, ArcPosition& at) { move(at); });
  for (DistributedForce& load : scene.distributed) {
    if (load.rod != rod.name) continue;
    move(load.from);
    move(load.to);
  }
  for (Routing& routing : scene.routing) {
    if (routing.rod != rod.name) continue;
    move(routing.from);
    move(routing.to);
  }
  for (Station& station : rod.stations) move(station.s);
}

// More material: its share of segments and twist, and as much more of a driven length.
void grow(Scene& scene, Rod& rod, double old_length, double by) {
  const double ratio = 1 + by / old_length;
  if (rod.length) rod.length = old_length + by;
  rod.segments = std::max(rod.segments, static_cast<int>(std::lround(rod.segments * ratio)));
  if (Driver* driver = length_driver(scene, rod.name))
    for (Keyframe& key : driver->path)
      if (key.length) *key.length += by;
}

// The rod at the start of an edit that needs one that is open and an amount of new material.
Result<Rod*> rod_to_lengthen(Draft& draft, std::string_view name, double by) {
  Rod* rod = find_rod(draft.now, name);
  if (!rod) return no_such("rod", name);
  if (rod->closed) return bad_input("rod " + quoted(name) + " is closed: set its length instead");
  if (const Status right = check_positive("the length to add", by); !right) return right.error();
  if (const Status drawn = check_drawn(*rod); !drawn) return drawn.error();
  // beyond this it is a slip of the pen, and its curve would overflow
  constexpr double kMost = 1e6;
  if (by > kMost * scene::rod_length(*rod))
    return bad_input("the length to add must be at most a million times that of rod " + quoted(name) + ", found " +
                     scene::text(by));
  return rod;
}

// A frame carried along a curve arrives as `there`; this one, turned about its tangent, arrives as `wanted`.
Mat3 led_back(const Mat3& frame, const Mat3& there, const Mat3& wanted) {
  const double missing = math::signed_angle(there.col(0), wanted.col(0), wanted.col(2));
  return frame * math::exp_so3(Vec3(0, 0, missing));
}

// Holds keep the orientation that the shape gives them now.
void pin_orientations(Scene& scene, const Rod& rod) {
  const scene::RodLayout layout(rod);
  for (Hold& hold : scene.holds)
    if (hold.rod == rod.name && hold.holds_orientation() && !hold.orientation)
      hold.orientation = Quat(layout.at(hold.at.at(layout.length())).frame);
}

// Holds keep the place and orientation that the shape gives them now.
void pin_holds(Scene& scene, const Rod& rod) {
  const scene::RodLayout layout(rod);
  for (Hold& hold : scene.holds)
    if (hold.rod == rod.name && hold.holds_position() && !hold.position)
      hold.position = layout.at(hold.at.at(layout.length())).position;
  pin_orientations(scene, rod);
}

// Places inside (from, to) that must stay in space, with both ends, in order.
std::vector<double> kept_places(const Scene& scene, const Rod& rod, double length, double from, double to) {
  std::vector<double> places{from, to};
  const auto keep = [&](const std::string& name, const ArcPosition& at) {
    const double s = at.at(length);
    if (name == rod.name && s > from && s < to) places.push_back(s);
  };
  for (const Hold& hold : scene.holds) keep(hold.rod, hold.at);
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods) keep(point.rod, point.at);
  for (const Sheave& sheave : scene.sheaves) keep(sheave.rod, sheave.at);
  std::sort(places.begin(), places.end());
  // those that rounding alone tells apart are one
  const auto same = [&](double a, double b) { return b - a < 1e-9 * length; };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  if (places.size() > 1) places.back() = to;
  return places;
}

}  // namespace

Status set_length(Scene& scene, std::string_view rod, double length) {
  Draft draft(scene);
  Rod* changed = find_rod(draft.now, rod);
  if (!changed) return no_such("rod", rod);
  if (Status right = check_positive("a length", length); !right) return right;
  const double old_length = scene::rod_length(*changed);
  const double ratio = length / old_length;
  move_places(draft.now, *changed, old_length, length, [&](double s) { return s * ratio; });
  changed->length = length;
  if (Driver* driver = length_driver(draft.now, rod))
    for (Keyframe& key : driver->path)
      if (key.length) *key.length *= ratio;
  return draft.finish();
}

Status change_length(Scene& scene, std::string_view rod, double by, Change change) {
  const int index = index_of(scene.rods, rod);
  if (index < 0) return no_such("rod", rod);
  const double length = scene::rod_length(scene.rods[at(index)]);
  return set_length(scene, rod, change == Change::Absolute ? length + by : length * (1 + by));
}

Status set_length_between(Scene& scene, std::string_view rod, const ArcPosition& from, const ArcPosition& to,
                          double length) {
  Draft draft(scene);
  Rod* changed = find_rod(draft.now, rod);
  if (!changed) return no_such("rod", rod);
  if (Status right = check_positive("a length", length); !right) return right;
  const Result<double> first = place_on(*changed, from);
  if (!first) return first.error();
  const Result<double> last = place_on(*changed, to);
  if (!last) return last.error();
  const double old_length = scene::rod_length(*changed);
  const double part = *last - *first;
  if (!(part > 1e-6 * old_length))
    return bad_input("the places between which rod " + quoted(rod) + " gets another length must follow each other");
  if (scene::is_whole(*changed, {*first, *last})) return set_length(scene, rod, length);
  if (changed->closed) return bad_input("rod " + quoted(rod) + " is closed: set its length as a whole");
  if (length_driver(draft.now, rod)) return bad_input("rod " + quoted(rod) + " has a driven length");
  if (const auto why = scene::fixed_along(scene, *changed)) return bad_input(*why);

  // the shape stays as drawn, so that places move along it: holds keep theirs in space
  pin_holds(draft.now, *changed);
  const double by = length - part;
  move_places(draft.now, *changed, old_length, old_length + by, [&](double s) {
    return s < *first ? s : s > *last ? s + by : *first + (s - *first) * length / part;
  });
  changed->length = old_length + by;
  return draft.finish();
}

Status prolong(Scene& scene, std::string_view rod, double by, RodEnd end) {
  Draft draft(scene);
  const Result<Rod*> found = rod_to_lengthen(draft, rod, by);
  if (!found) return found.error();
  Rod& longer = **found;
  const scene::RodLayout before(longer);
  const Mat3 old_rest_start = rest_start_frame(longer);
  const double length = before.length();
  const double shift = end == RodEnd::Start ? by : 0;
  move_places(draft.now, longer, length, length + by, [&](double s) { return s + shift; });
  // shape and rest curve go on in their own proportions
  const auto lengthen = [&](Curve& curve) {
    const double more = curve_length(curve) * by / length;
    curve = end == RodEnd::Start ? prolonged_start(curve, more) : prolonged_end(curve, more);
  };
  lengthen(longer.shape);
  if (longer.rest.kind == RestKind::Curve) lengthen(longer.rest.curve);
  longer.twist *= 1 + by / length;
  grow(draft.now, longer, length, by);
  if (end == RodEnd::End) return draft.finish();

  // the new start has the frames that come to the old start as the old ones did
  const scene::RodLayout after(longer);
  const Mat3 start = led_back(after.at(0).frame, after.at(by).frame, before.at(0).frame);
  Mat3 rest_start = rest_start_frame(longer);
  if (longer.rest.kind == RestKind::Curve) {
    const std::vector<double> old_start{by};
    const auto there = scene::place_along(CurvePath(longer.rest.curve), length + by, rest_start, old_start);
    rest_start = led_back(rest_start, there[0].frame, old_rest_start);
  }
  set_start_frame(longer, start, rest_start);
  return draft.finish();
}

Status lengthen_between(Scene& scene, std::string_view rod, const ArcPosition& from, const ArcPosition& to, double by) {
  Draft draft(scene);
  const Result<Rod*> found = rod_to_lengthen(draft, rod, by);
  if (!found) return found.error();
  Rod& longer = **found;
  const Result<double> first = place_on(longer, from);
  if (!first) return first.error();
  const Result<double> last = place_on(longer, to);
  if (!last) return last.error();
  const double length = scene::rod_length(longer);
  const double span = *last - *first;
  if (!(span > 1e-6 * length))
    return bad_input("the places between which rod " + quoted(rod) + " gets longer must follow each other along it");

  // initial twist is spread anew over the whole rod, which a junction cannot follow
  if (longer.twist != 0) {
    for (const Junction& junction : draft.now.junctions)
      if (std::any_of(junction.rods.begin(), junction.rods.end(),
                      [&](const RodPoint& point) { return point.rod == rod; }))
        return bad_input("rod " + quoted(rod) +
                         " has an initial twist and cannot get longer between two places while junction " +
                         quoted(junction.name) + " joins it");
    pin_orientations(draft.now, longer);
  }

  // from hold to hold, in the proportion in which the rod is drawn
  const double drawn = curve_length(longer.shape) / length;
  std::vector<double> places = kept_places(draft.now, longer, length, *first, *last);
  for (double& s : places) s *= drawn;
  const Vec3 down = draft.now.gravity.norm() > 0 ? draft.now.gravity : Vec3(0, 0, -1);
  longer.shape = bulged(longer.shape, places, by * drawn, down);
  if (longer.rest.kind == RestKind::Curve) {
    const double rest = curve_length(longer.rest.curve) / length;
    longer.rest.curve = scaled_between(longer.rest.curve, *first * rest, *last * rest, by * rest);
  }
  // what lies between moves in proportion
  move_places(draft.now, longer, length, length + by,
              [&](double s) { return s + by * std::clamp((s - *first) / span, 0.0, 1.0); });
  grow(draft.now, longer, length, by);
  return draft.finish();
}

}  // namespace filum::edit
