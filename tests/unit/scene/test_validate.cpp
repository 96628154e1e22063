// Scenes made by code are checked as scenes from files are: the path of the first thing that is wrong.
#include "scene/validate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace filum::test_validate {

namespace {

// Two rods that meet, a body, a driven hold, loads: all of it right.
Scene right_scene() {
  Scene scene;
  scene.materials.push_back({"soft", {1e6, 0.4, 1000}});
  Section circle;
  circle.radius = 1e-3;
  scene.sections.push_back({"wire", circle});
  for (const char* name : {"a", "b"}) {
    Rod rod;
    rod.name = name;
    rod.material = "soft";
    rod.section = "wire";
    rod.shape.points = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
    scene.rods.push_back(rod);
  }
  Body body;
  body.name = "box";
  body.motion = BodyMotion::Driven;
  scene.bodies.push_back(body);
  Hold hold;
  hold.name = "left";
  hold.rod = "a";
  hold.fix.position = hold.fix.orientation = kAllAxes;
  scene.holds.push_back(hold);
  scene.junctions.push_back({"joint", {{"a", {1, 0}}, {"b", {0, 0}}}});
  PointForce force;
  force.point = {"b", {1, 0}};
  force.force = Vec3(0, 0, 1);
  scene.forces.push_back(force);
  PointTorque torque;
  torque.point = {"b", {1, 0}};
  torque.torque = Vec3(0, 0, 1);
  scene.torques.push_back(torque);
  scene.distributed.push_back({"a", {}, {1, 0}, Vec3(0, 0, 1)});
  Driver driver;
  driver.kind = DriverKind::Hold;
  driver.target = "left";
  driver.path.resize(2);
  driver.path[1].t = 1;
  driver.path[1].turns = 2;
  scene.drivers.push_back(driver);
  scene.record.probes.push_back({"tip", {"b", {1, 0}}});
  return scene;
}

// The dotted path of the first problem after a change, «fine» if there is none.
std::string path_after(const std::function<void(Scene&)>& change) {
  Scene scene = right_scene();
  change(scene);
  const auto problem = scene::validate(scene);
  if (!problem) return "fine";
  CHECK_FALSE(problem->message.empty());
  const std::string text = problem->error().text();
  return text.substr(0, text.find(':'));
}

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a scene that is right") {
  CHECK(path_after([](Scene&) {}) == "fine");
  CHECK_FALSE(scene::validate(Scene{}));
}

TEST_CASE("numbers must be finite and of a sane size") {
  CHECK(path_after([](Scene& s) { s.gravity.x() = kNan; }) == "gravity");
  CHECK(path_after([](Scene& s) { s.materials[0].material.young = kInf; }) == "materials.soft.young");
  CHECK(path_after([](Scene& s) { s.materials[0].material.poisson = kNan; }) == "materials.soft.poisson");
  CHECK(path_after([](Scene& s) { s.materials[0].material.density = -1; }) == "materials.soft.density");
  CHECK(path_after([](Scene& s) { s.sections[0].section.radius = -1; }) == "sections.wire.radius");
  CHECK(path_after([](Scene& s) { s.rods[0].length = kNan; }) == "rods.a.length");
  CHECK(path_after([](Scene& s) { s.rods[1].shape.points[1].y() = 1e13; }) == "rods.b.shape.line.1");
  CHECK(path_after([](Scene& s) { s.rods[1].twist = kInf; }) == "rods.b.twist");
  CHECK(path_after([](Scene& s) { s.rods[1].limits.max_tension = -1; }) == "rods.b.limits.max_tension");
  CHECK(path_after([](Scene& s) { s.bodies[0].mass = -1; }) == "bodies.box.mass");
  CHECK(path_after([](Scene& s) { s.bodies[0].orientation.w() = 2; }) == "bodies.box.orientation");
  CHECK(path_after([](Scene& s) { s.holds[0].position = Vec3(0, kNan, 0); }) == "holds.0.position");
  CHECK(path_after([](Scene& s) { s.holds[0].orientation = Quat(0, 0, 0, 0); }) == "holds.0.orientation");
  CHECK(path_after([](Scene& s) { s.forces[0].force.z() = kNan; }) == "forces.0.force");
  CHECK(path_after([](Scene& s) { s.torques[0].torque.z() = kInf; }) == "torques.0.torque");
  CHECK(path_after([](Scene& s) { s.distributed[0].force_per_length.z() = kNan; }) == "distributed.0.force_per_length");
  CHECK(path_after([](Scene& s) { s.drivers[0].path[1].turns = kNan; }) == "drivers.0.path.1.turns");
  CHECK(path_after([](Scene& s) { s.simulation.step = 0; }) == "simulation.step");
  CHECK(path_after([](Scene& s) { s.simulation.end = -1; }) == "simulation.end");
  CHECK(path_after([](Scene& s) { s.record.every = kNan; }) == "record.every");
}

TEST_CASE("names and references") {
  CHECK(path_after([](Scene& s) { s.rods[1].name = "a"; }) == "rods.a");
  CHECK(path_after([](Scene& s) { s.rods[1].name = ""; }) == "rods.");
  CHECK(path_after([](Scene& s) { s.rods[1].name = std::string(151, 'x'); }).starts_with("rods.xxx"));
  CHECK(path_after([](Scene& s) { s.materials.push_back(s.materials[0]); }) == "materials.soft");
  CHECK(path_after([](Scene& s) { s.sections.push_back(s.sections[0]); }) == "sections.wire");
  CHECK(path_after([](Scene& s) { s.bodies.push_back(s.bodies[0]); }) == "bodies.box");
  CHECK(path_after([](Scene& s) { s.holds.push_back(s.holds[0]); }) == "holds.1.name");
  CHECK(path_after([](Scene& s) { s.junctions.push_back(s.junctions[0]); }) == "junctions.1.name");
  CHECK(path_after([](Scene& s) { s.record.probes.push_back(s.record.probes[0]); }) == "record.probes.1.name");
  CHECK(path_after([](Scene& s) { s.rods[0].section = "x"; }) == "rods.a.section");
  CHECK(path_after([](Scene& s) { s.rods[0].material = "x"; }) == "rods.a.material");
  CHECK(path_after([](Scene& s) { s.rods[0].material = "steel"; }) == "fine");
  CHECK(path_after([](Scene& s) { s.holds[0].body = "x"; }) == "holds.0.body");
  CHECK(path_after([](Scene& s) { s.junctions[0].rods[1].rod = "x"; }) == "junctions.0.rods.1.rod");
  CHECK(path_after([](Scene& s) { s.drivers[0].target = "x"; }) == "drivers.0.hold");
  CHECK(path_after([](Scene& s) { s.record.probes[0].point.rod = "x"; }) == "record.probes.0.rod");
}

TEST_CASE("rods") {
  CHECK(path_after([](Scene& s) { s.rods[0].segments = 1'000'001; }) == "rods.a.segments");
  CHECK(path_after([](Scene& s) { s.rods[0].shape.points.pop_back(); }) == "rods.a.shape.line");
  CHECK(path_after([](Scene& s) { s.materials[0].material.density = 0; }) == "rods.a.section");
  CHECK(path_after([](Scene& s) { s.rods[0].normal = Vec3(0, 0, 0); }) == "rods.a.normal");
  CHECK(path_after([](Scene& s) { s.rods[0].normal = Vec3(-3, 0, 0); }) == "rods.a.normal");
  CHECK(path_after([](Scene& s) { s.rods[0].stations = {{{0, 2}, "wire", ""}}; }) == "rods.a.stations.0.s");
  CHECK(path_after([](Scene& s) {
          s.rods[0].stations = {{{0, 0.5}, "wire", ""}, {{0, 0.5}, "wire", ""}};
        }) == "rods.a.stations.1.s");
  CHECK(path_after([](Scene& s) { s.rods[0].stations = {{{0, 0.5}, "x", ""}}; }) == "rods.a.stations.0.section");
  CHECK(path_after([](Scene& s) { s.rods[0].rest.kind = RestKind::Curve; }) == "rods.a.rest.line");
  // a given section brings its own mass and needs no material
  const auto given = [](double mass_per_length) {
    return [mass_per_length](Scene& s) {
      Section section;
      section.shape = SectionShape::Given;
      section.EA = section.GJ = 1;
      section.EI = Vec2(1, 1);
      section.mass_per_length = mass_per_length;
      s.sections[0].section = section;
      for (Rod& rod : s.rods) rod.material.clear();
    };
  };
  CHECK(path_after(given(1)) == "fine");
  CHECK(path_after(given(0)) == "rods.a.section");
}

TEST_CASE("closed rods") {
  const auto ring = [](double angle) {
    return [angle](Scene& s) {
      Curve& shape = s.rods[1].shape;
      shape = Curve{};
      shape.kind = CurveKind::Arc;
      shape.start = Vec3(1, 0, 0);
      shape.angle = angle;
      s.rods[1].closed = true;
    };
  };
  CHECK(path_after(ring(2 * M_PI)) == "fine");
  CHECK(path_after(ring(6)) == "rods.b.shape.arc");
  // start and end of a ring are one place
  CHECK(path_after([&](Scene& s) {
          ring(2 * M_PI)(s);
          s.holds[0].rod = "b";
          Hold other = s.holds[0];
          other.name = "other";
          other.at = {1, 0};
          s.holds.push_back(other);
        }) == "holds.1.fix");
}

TEST_CASE("holds that fight, and holds that do not") {
  const auto second = [](ArcPosition at, std::array<bool, 3> position, bool slide) {
    return [=](Scene& s) {
      s.holds[0].fix.position = {true, false, false};
      Hold hold;
      hold.name = "second";
      hold.rod = "a";
      hold.at = at;
      hold.fix.position = position;
      hold.slide = slide;
      s.holds.push_back(hold);
    };
  };
  CHECK(path_after(second({0, 0}, {true, false, false}, false)) == "holds.1.fix");
  CHECK(path_after(second({0, 1e-12}, {true, false, false}, false)) == "holds.1.fix");
  CHECK(path_after(second({0, 0}, {false, true, true}, false)) == "fine");
  CHECK(path_after(second({0, 0.5}, {true, true, true}, false)) == "fine");
  CHECK(path_after(second({0, 0.5}, {true, true, true}, true)) == "fine");
  CHECK(path_after(second({0, 0.5}, {false, false, false}, false)) == "holds.1.fix");
}

TEST_CASE("holds on one junction: its position once, its orientation twice only as drawn") {
  const auto holds = [](bool position, bool posed) {
    return [=](Scene& s) {
      Hold one;
      one.name = "one";
      one.rod = "a";
      one.at = {1, 0};
      one.fix.position = {position, position, position};
      one.fix.orientation = kAllAxes;
      Hold two = one;
      two.name = "two";
      two.rod = "b";
      two.at = {0, 0};
      if (posed) two.orientation = Quat(0, 1, 0, 0);
      s.holds.push_back(one);
      s.holds.push_back(two);
    };
  };
  CHECK(path_after(holds(false, false)) == "fine");
  CHECK(path_after(holds(false, true)) == "junctions.0");
  CHECK(path_after(holds(true, false)) == "junctions.0");
}

TEST_CASE("drivers") {
  CHECK(path_after([](Scene& s) { s.drivers[0].path.clear(); }) == "drivers.0.path");
  CHECK(path_after([](Scene& s) { s.drivers[0].path[1].t = 0; }) == "drivers.0.path.1.t");
  CHECK(path_after([](Scene& s) { s.drivers[0].path[0].t = -1; }) == "drivers.0.path.0.t");
  CHECK(path_after([](Scene& s) { s.drivers[0].path[0].length = 1; }) == "drivers.0.path.0.length");
  CHECK(path_after([](Scene& s) { s.drivers.push_back(s.drivers[0]); }) == "drivers.1");
  CHECK(path_after([](Scene& s) { s.holds[0].fix.orientation = {false, false, false}; }) == "drivers.0.path.1.turns");
  const auto retarget = [](DriverKind kind, const char* target, int index) {
    return [=](Scene& s) { s.drivers[0] = {kind, target, index, {Keyframe{}}}; };
  };
  CHECK(path_after(retarget(DriverKind::Body, "box", 0)) == "fine");
  CHECK(path_after(retarget(DriverKind::Body, "x", 0)) == "drivers.0.body");
  CHECK(path_after(retarget(DriverKind::Rod, "x", 0)) == "drivers.0.rod");
  CHECK(path_after(retarget(DriverKind::Force, "", 0)) == "fine");
  CHECK(path_after(retarget(DriverKind::Force, "", 1)) == "drivers.0.force");
  CHECK(path_after(retarget(DriverKind::Torque, "", -1)) == "drivers.0.torque");
}

namespace {

// A free body that hangs on the end of rod b, which no junction holds.
void hang_free_body(Scene& s) {
  s.bodies[0].motion = BodyMotion::Free;
  s.bodies[0].mass = 1;
  Hold hold;
  hold.name = "eye";
  hold.rod = "b";
  hold.at = {1, 0};
  hold.body = "box";
  hold.fix.position = kAllAxes;
  s.holds.push_back(hold);
}

std::string free_path_after(const std::function<void(Scene&)>& change) {
  return path_after([&](Scene& s) {
    hang_free_body(s);
    change(s);
  });
}

}  // namespace

TEST_CASE("free bodies") {
  CHECK(free_path_after([](Scene&) {}) == "fine");
  CHECK(free_path_after([](Scene& s) { s.bodies[0].mass = 0; }) == "bodies.box.mass");
  CHECK(free_path_after([](Scene& s) { s.bodies[0].velocity.x() = kNan; }) == "bodies.box.velocity");
  CHECK(free_path_after([](Scene& s) { s.bodies[0].spin.y() = kInf; }) == "bodies.box.spin");
  CHECK(free_path_after([](Scene& s) { s.bodies[0].velocity = s.bodies[0].spin = Vec3(1, 2, 3); }) == "fine");
  CHECK(path_after([](Scene& s) { s.bodies[0].velocity.x() = 1; }) == "bodies.box.velocity");
  CHECK(path_after([](Scene& s) { s.bodies[0].spin.x() = 1; }) == "bodies.box.spin");
  // inertia: none, of a thin rod, of a plate up to rounding, of no body
  const auto with_inertia = [](const Vec3& inertia) {
    return free_path_after([&](Scene& s) { s.bodies[0].inertia = inertia; });
  };
  CHECK(with_inertia(Vec3(0, 0, 0)) == "fine");
  CHECK(with_inertia(Vec3(0, 0.1, 0.1)) == "fine");
  CHECK(with_inertia(Vec3(0.1, 0.2, std::nextafter(0.1 + 0.2, 1))) == "fine");
  CHECK(with_inertia(Vec3(0.1, 0.2, 0.3001)) == "bodies.box.inertia");
  CHECK(with_inertia(Vec3(0.3001, 0.2, 0.1)) == "bodies.box.inertia");
  CHECK(with_inertia(Vec3(-1, 1, 1)) == "bodies.box.inertia");
  CHECK(with_inertia(Vec3(kNan, 1, 1)) == "bodies.box.inertia");
  // a driver cannot move it
  CHECK(free_path_after([](Scene& s) {
          s.drivers[0] = {DriverKind::Body, "box", 0, {Keyframe{}}};
        }) == "drivers.0.body");
}

TEST_CASE("holds on free bodies") {
  CHECK(free_path_after([](Scene& s) { s.holds[1].fix.orientation = kAllAxes; }) == "fine");
  // along some axes of the body: a slot; which formulation has that is not the scene's business
  CHECK(free_path_after([](Scene& s) { s.holds[1].fix.position[1] = false; }) == "fine");
  CHECK(free_path_after([](Scene& s) { s.holds[1].fix.orientation = {true, true, false}; }) == "holds.1.fix");
  CHECK(free_path_after([](Scene& s) { s.holds[1].slide = true; }) == "fine");
  CHECK(free_path_after([](Scene& s) { s.holds[1].at = {0, 0}; }) == "fine");
  // it may let go and take hold, wholly, and nothing else
  const auto keyed = [](const std::function<void(Keyframe&)>& change) {
    return free_path_after([&](Scene& s) {
      s.drivers[0] = {DriverKind::Hold, "eye", 0, {Keyframe{}}};
      change(s.drivers[0].path[0]);
    });
  };
  CHECK(keyed([](Keyframe&) {}) == "fine");
  CHECK(keyed([](Keyframe& key) { key.fix = Fix{}; }) == "fine");
  CHECK(keyed([](Keyframe& key) { key.fix = Fix{{true, true, true}, {true, true, true}}; }) == "fine");
  CHECK(keyed([](Keyframe& key) {
          key.fix = Fix{{true, false, true}, {false, false, false}};
        }) == "drivers.0.path.0.fix");
  CHECK(keyed([](Keyframe& key) { key.position = Vec3::Zero(); }) == "drivers.0.path.0.position");
  CHECK(keyed([](Keyframe& key) { key.orientation = Quat::Identity(); }) == "drivers.0.path.0.orientation");
  CHECK(keyed([](Keyframe& key) { key.turns = 1; }) == "drivers.0.path.0.turns");
}

TEST_CASE("loads on bodies") {
  const auto push = [](const char* body, double size) {
    return [=](Scene& s) {
      s.forces[0].body = body;
      s.forces[0].force.x() = size;
    };
  };
  CHECK(free_path_after(push("box", 1)) == "fine");
  CHECK(free_path_after(push("box", kNan)) == "forces.0.force");
  CHECK(free_path_after([](Scene& s) { s.torques[0].body = "box"; }) == "fine");
  // only what is free answers to a load
  CHECK(path_after(push("box", 1)) == "forces.0.body");
  CHECK(path_after([](Scene& s) { s.torques[0].body = "x"; }) == "torques.0.body");
}

TEST_CASE("holds that let go and take hold again") {
  const Fix nothing;
  const Fix position{{true, true, true}, {false, false, false}};
  const auto with_fix = [&](const Fix& fix) { return path_after([&](Scene& s) { s.drivers[0].path[0].fix = fix; }); };
  CHECK(with_fix(nothing) == "fine");
  CHECK(with_fix(position) == "fine");
  CHECK(with_fix({{false, true, false}, {true, true, false}}) == "fine");
  CHECK(with_fix({{false, true, false}, {true, false, false}}) == "drivers.0.path.0.fix");
  CHECK(path_after([&](Scene& s) {
          s.drivers[0] = {DriverKind::Body, "box", 0, {Keyframe{}}};
          s.drivers[0].path[0].fix = position;
        }) == "drivers.0.path.0.fix");
  CHECK(path_after([&](Scene& s) {
          s.holds[0].slide = true;
          s.drivers[0].path[0].fix = position;
        }) == "drivers.0.path.0.fix");
  // a hold may begin with nothing, if it takes hold later; what it is driven by must be fixed at one time
  CHECK(path_after([&](Scene& s) {
          s.holds[0].fix.position = s.holds[0].fix.orientation = {false, false, false};
          s.drivers[0].path[0].fix = Fix{{true, true, true}, {true, true, true}};
        }) == "fine");
  CHECK(path_after([&](Scene& s) {
          s.holds[0].fix.position = s.holds[0].fix.orientation = {false, false, false};
          s.drivers[0].path[0].fix = position;
        }) == "drivers.0.path.1.turns");
  // two holds at one place may take turns, but not overlap
  const auto hand_over = [&](double released, double gripped) {
    return path_after([&](Scene& s) {
      Hold other = s.holds[0];
      other.name = "other";
      other.fix.position = other.fix.orientation = {false, false, false};
      s.holds.push_back(other);
      s.drivers[0].path = {Keyframe{}, Keyframe{}};
      s.drivers[0].path[1].t = released;
      s.drivers[0].path[1].fix = nothing;
      Driver second = s.drivers[0];
      second.target = "other";
      second.path[1].t = gripped;
      second.path[1].fix = position;
      s.drivers.push_back(second);
    });
  };
  CHECK(hand_over(2, 2) == "fine");
  CHECK(hand_over(2, 3) == "fine");
  CHECK(hand_over(3, 2) == "holds.1.fix");
}

TEST_CASE("motion and stepping") {
  CHECK(path_after([](Scene& s) { s.rods[0].velocity.x() = kNan; }) == "rods.a.velocity");
  CHECK(path_after([](Scene& s) { s.rods[0].spin.x() = kInf; }) == "rods.a.spin");
  CHECK(path_after([](Scene& s) { s.rods[0].damping.mass = -1; }) == "rods.a.damping.rayleigh");
  CHECK(path_after([](Scene& s) { s.rods[0].damping.stiffness = kNan; }) == "rods.a.damping.rayleigh");
  CHECK(path_after([](Scene& s) { s.rods[0].damping.bend = -1; }) == "rods.a.damping.bend");
  CHECK(path_after([](Scene& s) { s.rods[0].damping.twist = -1; }) == "rods.a.damping.twist");
  CHECK(path_after([](Scene& s) { s.rods[0].damping.stretch = -1; }) == "rods.a.damping.stretch");
  CHECK(path_after([](Scene& s) { s.rods[0].damping.air = -1; }) == "rods.a.damping.air");
  CHECK(path_after([](Scene& s) { s.simulation.tolerance = 0; }) == "simulation.tolerance");
  CHECK(path_after([](Scene& s) { s.simulation.iterations = -1; }) == "simulation.iterations");
  CHECK(path_after([](Scene& s) { s.simulation.start = StartKind::Result; }) == "simulation.start");
}

TEST_CASE("keys of yield, slip, friction and push that say nothing without each other") {
  CHECK(path_after([](Scene& s) { s.materials[0].material.yield = 1e4; }) == "fine");
  CHECK(path_after([](Scene& s) { s.materials[0].material.yield = -1; }) == "materials.soft.yield");
  CHECK(path_after([](Scene& s) { s.materials[0].material.hardening = 1e5; }) == "materials.soft.hardening");
  CHECK(path_after([](Scene& s) { s.materials[0].material.isotropic = 0.5; }) == "materials.soft.isotropic");
  const auto given = [](const std::function<void(Section&)>& change) {
    return path_after([&](Scene& s) {
      Section& section = s.sections[0].section;
      section = {};
      section.shape = SectionShape::Given;
      section.EA = 1e3;
      section.EI = {1, 1};
      section.GJ = section.mass_per_length = 1;
      change(section);
    });
  };
  CHECK(given([](Section&) {}) == "fine");
  CHECK(given([](Section& s) { s.yield_moment = Vec2(1, 2); }) == "fine");
  CHECK(given([](Section& s) { s.yield_moment = Vec2(1, 0); }) == "sections.wire.yield_moment");
  CHECK(given([](Section& s) { s.hardening = 0.1; }) == "sections.wire.hardening");
  CHECK(given([](Section& s) { s.yield_force = 1, s.hardening = 1; }) == "sections.wire.hardening");
  CHECK(given([](Section& s) { s.slipping = 0.1; }) == "sections.wire.slipping");
  CHECK(given([](Section& s) { s.slip_curvature = 1, s.slipping = 0.1; }) == "fine");
  CHECK(given([](Section& s) { s.slip_curvature = 1, s.yield_torque = 1; }) == "sections.wire.slip_curvature");
  // what slides may rub; what catches may ask for a push
  CHECK(path_after([](Scene& s) { s.holds[0].friction = 1; }) == "holds.0.friction");
  CHECK(path_after([](Scene& s) {
          s.holds[0].clip.emplace();
          s.holds[0].clip->insertion_force = 1;
        }) == "holds.0.clip.insertion_force");
}

}  // namespace filum::test_validate
