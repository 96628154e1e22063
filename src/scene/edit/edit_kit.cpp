#include "scene/edit/edit_kit.hpp"

#include "math/frame.hpp"
#include "scene/edit/curve_edits.hpp"
#include "scene/lookup.hpp"
#include "scene/check/fault_list.hpp"
#include "scene/validate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace filum::edit {

using scene::quoted;
using scene::text;

Status Draft::finish() {
  if (const auto problem = scene::validate(now); problem && !scene::validate(scene_)) return problem->error();
  scene_ = std::move(now);
  return Done{};
}

Error no_such(std::string_view what, std::string_view name) {
  return bad_input("there is no " + std::string(what) + " " + quoted(name));
}

Status check_positive(std::string_view what, double value) {
  if (value > 0 && std::isfinite(value)) return Done{};
  return bad_input(std::string(what) + " must be greater than zero, found " + text(value));
}

Status check_drawn(const Rod& rod) {
  const bool round = rod.shape.kind == CurveKind::Arc || rod.shape.kind == CurveKind::Helix;
  if (!rod.shape.rolls.empty() || !rod.rest.curve.rolls.empty())
    return bad_input("rod " + quoted(rod.name) + " is drawn by control points that roll: its roll would be lost");
  if ((round || rod.shape.points.size() >= 2) && curve_length(rod.shape, rod.closed) > 0) return Done{};
  return bad_input("rod " + quoted(rod.name) + " has a shape without length");
}

Rod* find_rod(Scene& scene, std::string_view name) {
  const int index = index_of(scene.rods, name);
  return index < 0 ? nullptr : &scene.rods[at(index)];
}

Result<double> place_on(const Rod& rod, const ArcPosition& at) {
  const double length = scene::rod_length(rod);
  const double s = at.at(length);
  // a place at the end, written as a number, may miss it by rounding
  const double slack = 1e-9 * length;
  if (s >= -slack && s <= length + slack) return std::clamp(s, 0.0, length);
  return bad_input("s = " + text(s) + " m is outside rod " + quoted(rod.name) + ", which is " + text(length) +
                   " m long");
}

ArcPosition rewritten(const ArcPosition& at, double s, double length) {
  const double offset = s - at.fraction * length;
  // what rounding left of none
  return {at.fraction, std::abs(offset) < 1e-13 * length ? 0 : offset};
}

void remove_driver(Scene& scene, DriverKind kind, std::string_view target) {
  std::erase_if(scene.drivers, [&](const Driver& driver) { return driver.kind == kind && driver.target == target; });
}

Driver* length_driver(Scene& scene, std::string_view rod) {
  const auto found = std::find_if(scene.drivers.begin(), scene.drivers.end(), [&](const Driver& driver) {
    return driver.kind == DriverKind::Rod && driver.target == rod;
  });
  return found == scene.drivers.end() ? nullptr : &*found;
}

void remove_holds(Scene& scene, std::string_view rod) {
  for (const Hold& hold : scene.holds)
    if (hold.rod == rod) remove_driver(scene, DriverKind::Hold, hold.name);
  std::erase_if(scene.holds, [&](const Hold& hold) { return hold.rod == rod; });
}

namespace {

// Drivers tell forces and torques by their place in the list, so those behind one that goes move up.
template <class Loads>
void remove_indexed(Scene& scene, Loads& loads, DriverKind kind, std::string_view rod) {
  for (std::size_t i = loads.size(); i-- > 0;) {
    if (!loads[i].body.empty() || loads[i].point.rod != rod) continue;
    const int index = static_cast<int>(i);
    loads.erase(loads.begin() + index);
    std::erase_if(scene.drivers, [&](const Driver& driver) { return driver.kind == kind && driver.index == index; });
    for (Driver& driver : scene.drivers)
      if (driver.kind == kind && driver.index > index) --driver.index;
  }
}

}  // namespace

void remove_loads(Scene& scene, std::string_view rod) {
  remove_indexed(scene, scene.forces, DriverKind::Force, rod);
  remove_indexed(scene, scene.torques, DriverKind::Torque, rod);
  std::erase_if(scene.distributed, [&](const DistributedForce& load) { return load.rod == rod; });
}

void remove_reeving(Scene& scene, std::string_view rod) {
  for (const Winch& winch : scene.winches)
    if (winch.rod == rod) remove_driver(scene, DriverKind::Winch, winch.name);
  std::erase_if(scene.winches, [&](const Winch& winch) { return winch.rod == rod; });
  std::erase_if(scene.sheaves, [&](const Sheave& sheave) { return sheave.rod == rod; });
}

Mat3 rest_start_frame(const Rod& rod) {
  if (rod.rest.kind != RestKind::Curve) return Mat3::Identity();
  const Vec3 tangent = CurvePath(rod.rest.curve).at(0).tangent;
  return math::frame_from(tangent, rod.normal.value_or(math::any_perpendicular(tangent)));
}

void set_start_frame(Rod& rod, const Mat3& frame, const Mat3& rest_frame) {
  if (rod.rest.kind == RestKind::Curve)
    rod.rest.curve = moved(rod.rest.curve, frame * rest_frame.transpose(), Vec3::Zero());
  rod.normal = frame.col(0);
}

}  // namespace filum::edit
