// What the edits of a scene share: a draft that is taken over only when it is right, and places that refer to a rod.
#pragma once

#include "base/index.hpp"

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <string>
#include <string_view>

namespace filum::edit {

// A copy to work on. A scene that was not right before (a session's, with holds that have let go) is not checked.
class Draft {
 public:
  explicit Draft(Scene& scene) : now(scene), scene_(scene) {}
  Scene now;
  // The draft becomes the scene, or what is wrong with it comes back.
  Status finish();

 private:
  Scene& scene_;
};

// «there is no rod 'x'»
Error no_such(std::string_view what, std::string_view name);
// A number that must be greater than zero.
Status check_positive(std::string_view what, double value);
// A rod must have a shape of some length before it can be worked on.
Status check_drawn(const Rod& rod);

// The rod of that name, or null.
Rod* find_rod(Scene& scene, std::string_view name);
// The arc length of a place, which must lie on the rod.
Result<double> place_on(const Rod& rod, const ArcPosition& at);

// The first of «what 1», «what 2», … that no thing of the list has.
template <class List>
std::string free_name(const List& list, std::string_view what) {
  for (int i = 1;; ++i)
    if (std::string name = std::string(what) + ' ' + std::to_string(i); index_of(list, name) < 0) return name;
}

// The same place written for a rod of another length: the share stays, the metres make up the difference.
ArcPosition rewritten(const ArcPosition& at, double s, double length);

// Visits the places of holds, junctions, point loads, winches, sheaves and probes on the rod: visit(name of the rod,
// place).
template <class Visit>
void for_each_place(Scene& scene, std::string_view rod, const Visit& visit) {
  const auto point = [&](RodPoint& each) {
    if (each.rod == rod) visit(each.rod, each.at);
  };
  for (Hold& hold : scene.holds)
    if (hold.rod == rod) visit(hold.rod, hold.at);
  for (Junction& junction : scene.junctions)
    for (RodPoint& each : junction.rods) point(each);
  for (PointForce& force : scene.forces)
    if (force.body.empty()) point(force.point);
  for (PointTorque& torque : scene.torques)
    if (torque.body.empty()) point(torque.point);
  for (Winch& winch : scene.winches)
    if (winch.rod == rod) visit(winch.rod, winch.at);
  for (Sheave& sheave : scene.sheaves)
    if (sheave.rod == rod) visit(sheave.rod, sheave.at);
  for (Probe& probe : scene.record.probes) point(probe.point);
}

// Takes things out of a scene together with the drivers that move them.
void remove_holds(Scene& scene, std::string_view rod);
void remove_loads(Scene& scene, std::string_view rod);
void remove_reeving(Scene& scene, std::string_view rod);
void remove_driver(Scene& scene, DriverKind kind, std::string_view target);

// The driver of a rod's length, or null.
Driver* length_driver(Scene& scene, std::string_view rod);

// Gives the rod this frame at its start, d3 being its shape's tangent there. A rest curve is turned with it, so that
// `rest_frame` of the curve, at its start, comes to lie in it.
void set_start_frame(Rod& rod, const Mat3& frame, const Mat3& rest_frame);
// The frame from which its rest curve is measured; none without such a curve.
Mat3 rest_start_frame(const Rod& rod);

}  // namespace filum::edit
