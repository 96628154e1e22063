// Scenes to edit, and what must hold of them afterwards.
#pragma once

#include "math/rotation.hpp"
#include "scene/layout.hpp"
#include "scene/lookup.hpp"
#include "scene/validate.hpp"

#include <filum/edit.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace filum::edit_samples {

using math::kPi;
using scene::Placement;
using scene::rod_length;
using scene::RodLayout;

inline constexpr FixedAxes kAll{true, true, true};

inline Rod rod_along(const std::string& name, const Curve& shape) {
  Rod rod;
  rod.name = name;
  rod.material = "steel";
  rod.section = "wire";
  rod.segments = 40;
  rod.shape = shape;
  return rod;
}

inline Curve line(const Vec3& a, const Vec3& b) {
  Curve curve;
  curve.points = {a, b};
  return curve;
}

// Every kind of shape, none of them in a plane if it can help it.
inline std::vector<Curve> shapes() {
  Curve points;
  points.kind = CurveKind::Points;
  points.points = {{0, 0, 0}, {0.4, 0, 0.1}, {0.7, 0.3, 0.1}, {0.9, 0.4, -0.2}};
  Curve spline = points;
  spline.kind = CurveKind::Spline;
  Curve helix;
  helix.kind = CurveKind::Helix;
  helix.centre = {0, 0.2, 0};
  helix.axis = {0.1, 0, 1};
  helix.start = {0.3, 0, 0};
  helix.angle = 5;
  helix.pitch = 0.4;
  Curve arc = helix;
  arc.kind = CurveKind::Arc;
  arc.angle = -3;
  return {line({0, 0, 0}, {1, 0.2, 0}), points, spline, helix, arc};
}

// One rod of length 1.2 with all that can refer to it, and a bystander.
inline Scene full_scene(const Curve& shape) {
  Scene scene;
  Section wire;
  wire.radius = 1e-3;
  scene.sections.push_back({"wire", wire});
  wire.radius = 2e-3;
  scene.sections.push_back({"thick", wire});
  scene.rods.push_back(rod_along("hose", shape));
  scene.rods.back().length = 1.2;
  scene.rods.back().stations = {{{0.25, 0}, "thick", ""}, {{0, 0.8}, "wire", "copper"}};
  scene.rods.push_back(rod_along("other", line({0, 1, 0}, {1, 1, 0})));
  const auto hold = [&](const char* name, const char* rod, const ArcPosition& at) {
    Hold made;
    made.name = name;
    made.rod = rod;
    made.at = at;
    made.fix.position = made.fix.orientation = kAll;
    scene.holds.push_back(made);
  };
  hold("left", "hose", {0, 0});
  hold("clip", "hose", {0.5, 0.05});
  hold("right", "hose", {1, 0});
  hold("apart", "other", {0, 0});
  scene.junctions.push_back({"tee", {{"hose", {0, 0.3}}, {"other", {1, 0}}}});
  for (const char* rod : {"other", "hose", "other"}) {
    PointForce force;
    force.point = {rod, {0.75, 0}};
    force.force = Vec3(0, 0, 1);
    scene.forces.push_back(force);
  }
  PointTorque torque;
  torque.point = {"hose", {1, -0.1}};
  torque.torque = Vec3(0, 0, 1);
  scene.torques.push_back(torque);
  scene.distributed.push_back({"hose", {0.2, 0}, {0.9, 0}, Vec3(0, 0, -1)});
  scene.record.probes.push_back({"tip", {"hose", {1, 0}}});
  scene.record.probes.push_back({"early", {"hose", {0, 0.1}}});
  const auto drive = [&](DriverKind kind, const char* target, int index) {
    Driver driver;
    driver.kind = kind;
    driver.target = target;
    driver.index = index;
    driver.path.resize(1);
    scene.drivers.push_back(driver);
    return &scene.drivers.back().path[0];
  };
  drive(DriverKind::Hold, "right", 0)->turns = 1;
  drive(DriverKind::Force, "", 1)->scale = 1;
  drive(DriverKind::Force, "", 2)->scale = 2;
  drive(DriverKind::Torque, "", 0)->scale = 3;
  return scene;
}

// A ring.
inline Rod ring_rod() {
  Curve circle;
  circle.kind = CurveKind::Arc;
  circle.start = {1, 0, 0};
  circle.angle = 2 * kPi;
  Rod ring = rod_along("ring", circle);
  ring.closed = true;
  return ring;
}

inline void check_valid(const Scene& scene) {
  const auto problem = scene::validate(scene);
  INFO((problem ? problem->error().message : std::string()));
  CHECK(!problem);
}

inline Placement placed(const Scene& scene, const std::string& rod, const ArcPosition& at) {
  const RodLayout layout(*scene::Names(scene).rod(rod));
  return layout.at(at.at(layout.length()));
}

inline double distance(const Placement& a, const Placement& b) {
  return (a.position - b.position).norm() + (a.frame - b.frame).norm();
}

// Where the shapes put all holds and the ends of junctions. Splines are sampled anew: some 1e-7 of their size.
inline void check_same_places(const Scene& before, const Scene& after, double tolerance) {
  REQUIRE(before.holds.size() == after.holds.size());
  for (std::size_t i = 0; i < before.holds.size(); ++i) {
    CAPTURE(before.holds[i].name);
    CHECK(distance(placed(before, before.holds[i].rod, before.holds[i].at),
                   placed(after, after.holds[i].rod, after.holds[i].at)) < tolerance);
  }
  for (std::size_t i = 0; i < before.junctions.size(); ++i)
    for (std::size_t j = 0; j < before.junctions[i].rods.size(); ++j) {
      const RodPoint& was = before.junctions[i].rods[j];
      const RodPoint& is = after.junctions[i].rods[j];
      CHECK(distance(placed(before, was.rod, was.at), placed(after, is.rod, is.at)) < tolerance);
    }
}

// The error of an edit that must fail and leave no trace.
inline std::string refused(const Scene& scene, const std::function<Status(Scene&)>& edit) {
  Scene changed = scene;
  const Status status = edit(changed);
  CHECK(changed == scene);
  return status ? "fine" : status.error().message;
}

inline void require_ok(const Status& status) {
  INFO((status ? std::string() : status.error().message));
  REQUIRE(status.ok());
}

inline const Scene& sample() {
  static const Scene scene = full_scene(line({0, 0, 0}, {1.2, 0, 0}));
  return scene;
}

}  // namespace filum::edit_samples
