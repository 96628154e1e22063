// Winches, sheaves, ropes and planes: the first thing that is wrong, and where; what edits do to them.
#include "scene/parts.hpp"
#include "scene/validate.hpp"

#include <filum/edit.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

namespace filum::test_check_reeving {

namespace {

// A rod on a winch that runs over a sheave to a load, a hook block on a rope, a floor.
Scene crane() {
  Scene scene;
  Section circle;
  circle.radius = 5e-3;
  scene.sections.push_back({"rope", circle});
  Rod rod;
  rod.name = "hoist rope";
  rod.material = "steel";
  rod.section = "rope";
  rod.shape.kind = CurveKind::Points;
  rod.shape.points = {Vec3(-4, 0, 10), Vec3(0, 0, 10.2), Vec3(0.2, 0, 4.21)};
  rod.length = 10;
  scene.rods.push_back(rod);
  for (const char* name : {"trolley", "block"}) {
    Body body;
    body.name = name;
    body.mass = 100;
    body.motion = BodyMotion::Free;
    body.position = Vec3(0, 0, name[0] == 't' ? 10 : 6);
    scene.bodies.push_back(body);
  }
  Hold hold;
  hold.name = "hook";
  hold.rod = "hoist rope";
  hold.at = {1, 0};
  hold.fix.position = kAllAxes;
  hold.body = "block";
  scene.holds.push_back(hold);
  Winch winch;
  winch.name = "hoist";
  winch.rod = "hoist rope";
  winch.drum_radius = 0.2;
  winch.shortest = 2;
  winch.longest = 40;
  scene.winches.push_back(winch);
  Sheave sheave;
  sheave.name = "head";
  sheave.rod = "hoist rope";
  sheave.at = {0, 4};
  sheave.body = "trolley";
  sheave.radius = 0.2;
  scene.sheaves.push_back(sheave);
  Rope rope;
  rope.name = "r1";
  rope.through = {{"trolley", Vec3(-0.5, 0, 0), 0, {}, 0},
                  {"block", Vec3::Zero(), 0.15, Vec3(0, 1, 0), 0.1},
                  {"trolley", Vec3(0.5, 0, 0), 0, {}, 0}};
  scene.ropes.push_back(rope);
  Obstacle& floor = scene.obstacles.emplace_back();
  floor.name = "floor";
  floor.friction = 0.4;
  scene.simulation.formulation = "chain";
  return scene;
}

std::string text_after(const std::function<void(Scene&)>& change) {
  Scene scene = crane();
  change(scene);
  const auto problem = scene::validate(scene);
  return problem ? problem->error().text() : "fine";
}

// Where it is wrong, and a part of what is said.
void check(const char* path, const char* words, const std::function<void(Scene&)>& change) {
  const std::string found = text_after(change);
  CAPTURE(found);
  CHECK(found.substr(0, found.find(':')) == path);
  CHECK(found.find(words) != std::string::npos);
}

Driver driver(DriverKind kind, const char* target) {
  Driver made;
  made.kind = kind;
  made.target = target;
  made.path.resize(2);
  made.path[1].t = 1;
  return made;
}

const double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a crane that is right") {
  CHECK(text_after([](Scene&) {}) == "fine");
  CHECK(text_after([](Scene& s) { s.winches[0].at = {1, 0}, s.holds.clear(); }) == "fine");
  CHECK(text_after([](Scene& s) { s.ropes[0].through[1] = {"", Vec3(0, 0, 5), 0, {}, 0.2}; }) == "fine");
}

TEST_CASE("no two things of the reeving share a name") {
  check("reeving.hoist", "there is another winch 'hoist'", [](Scene& s) { s.ropes[0].name = "hoist"; });
  check("reeving.head", "there is another sheave 'head'", [](Scene& s) { s.sheaves.push_back(s.sheaves[0]); });
  check("reeving", "must not be empty", [](Scene& s) { s.winches[0].name.clear(); });
  check("obstacles.1.name", "there is another obstacle 'floor'",
        [](Scene& s) { s.obstacles.push_back(s.obstacles[0]); });
}

TEST_CASE("a winch has an end of an open rod for itself") {
  check("reeving.hoist.rod", "there is no rod 'x'", [](Scene& s) { s.winches[0].rod = "x"; });
  check("reeving.hoist.at", "at the start or the end of its rod", [](Scene& s) { s.winches[0].at = {0.5, 0}; });
  check("reeving.hoist.at", "at the start or the end of its rod", [](Scene& s) { s.winches[0].at = {1, -0.1}; });
  check("reeving.hoist.at", "the end of rod 'hoist rope' is held by hold 'hook'", [](Scene& s) {
    s.winches[0].at = {1, 0};
  });
  check("reeving.second.at", "the start of rod 'hoist rope' is on winch 'hoist' already", [](Scene& s) {
    s.winches.push_back(s.winches[0]);
    s.winches[1].name = "second";
  });
  check("reeving.hoist.at", "is in junction 'y'", [](Scene& s) {
    s.rods.push_back(s.rods[0]);
    s.rods[1].name = "other";
    s.junctions.push_back({"y", {{"hoist rope", {0, 0}}, {"other", {1, 0}}}});
  });
  check("reeving.hoist.rod", "which is closed", [](Scene& s) {
    s.rods[0].closed = true;
    s.holds.clear();
  });
}

TEST_CASE("the numbers of a winch") {
  check("reeving.hoist.body", "there is no body 'x'", [](Scene& s) { s.winches[0].body = "x"; });
  check("reeving.hoist.point", "point must be", [](Scene& s) { s.winches[0].point = Vec3(0, kNan, 0); });
  check("reeving.hoist.drum_radius", "zero or more, found -1", [](Scene& s) { s.winches[0].drum_radius = -1; });
  check("reeving.hoist.speed", "speed must be", [](Scene& s) { s.winches[0].speed = kNan; });
  check("reeving.hoist.max_force", "greater than zero, found 0", [](Scene& s) { s.winches[0].max_force = 0; });
  check("reeving.hoist.shortest", "begins with 10 m", [](Scene& s) { s.winches[0].shortest = 11; });
  check("reeving.hoist.longest", "begins with 10 m", [](Scene& s) { s.winches[0].longest = 9; });
}

TEST_CASE("a sheave carries a place between the ends of an open rod") {
  check("reeving.head.rod", "there is no rod 'x'", [](Scene& s) { s.sheaves[0].rod = "x"; });
  check("reeving.head.at", "outside", [](Scene& s) { s.sheaves[0].at = {0, 11}; });
  check("reeving.head.at", "at an end of rod 'hoist rope'", [](Scene& s) { s.sheaves[0].at = {1, 0}; });
  check("reeving.head.body", "there is no body 'x'", [](Scene& s) { s.sheaves[0].body = "x"; });
  check("reeving.head.axis", "must not be zero", [](Scene& s) { s.sheaves[0].axis = Vec3::Zero(); });
  check("reeving.head.radius", "greater than zero, found 0", [](Scene& s) { s.sheaves[0].radius = 0; });
  check("reeving.head.friction", "zero or more", [](Scene& s) { s.sheaves[0].friction = -0.1; });
  check("reeving.head.inertia", "zero or more", [](Scene& s) { s.sheaves[0].inertia = -1; });
  check("reeving.tail.at", "sheaves 'head' and 'tail' carry the same place", [](Scene& s) {
    s.sheaves.push_back(s.sheaves[0]);
    s.sheaves[1].name = "tail";
  });
}

TEST_CASE("a rope runs through two points or more and is tied to its ends") {
  check("reeving.r1.through", "runs through 1 point", [](Scene& s) { s.ropes[0].through.resize(1); });
  check("reeving.r1.stiffness", "zero or more", [](Scene& s) { s.ropes[0].stiffness = -1; });
  check("reeving.r1.stiffness", "must be zero or more, found inf",
        [](Scene& s) { s.ropes[0].stiffness = std::numeric_limits<double>::infinity(); });
  check("reeving.r1.length", "greater than zero", [](Scene& s) { s.ropes[0].length = 0; });
  check("reeving.r1.breaking_tension", "greater than zero", [](Scene& s) { s.ropes[0].breaking_tension = -1; });
  check("reeving.r1.through.1.sheave", "there is no body 'x'", [](Scene& s) { s.ropes[0].through[1].body = "x"; });
  check("reeving.r1.through.0.body", "there is no body 'x'", [](Scene& s) { s.ropes[0].through[0].body = "x"; });
  check("reeving.r1.through.2", "tied to its first and its last", [](Scene& s) { s.ropes[0].through[2].radius = 0.1; });
  check("reeving.r1.through.0", "tied to its first and its last",
        [](Scene& s) { s.ropes[0].through[0].friction = 0.1; });
  check("reeving.r1.through.1.axis", "must not be zero", [](Scene& s) { s.ropes[0].through[1].axis = Vec3::Zero(); });
  check("reeving.r1.through.1.axis", "an eye has no axis", [](Scene& s) { s.ropes[0].through[1].radius = 0; });
  check("reeving.r1.through.1.point", "inside the wheel beside it", [](Scene& s) { s.ropes[0].through[1].radius = 5; });
  check("reeving.r1.through", "has no length", [](Scene& s) {
    s.ropes[0].through = {{"", Vec3(1, 2, 3), 0, {}, 0}, {"", Vec3(1, 2, 3), 0, {}, 0}};
  });
}

TEST_CASE("planes and breaking") {
  check("obstacles.0.plane.normal", "must not be zero", [](Scene& s) { s.obstacles[0].normal = Vec3::Zero(); });
  check("obstacles.0.plane.point", "must be", [](Scene& s) { s.obstacles[0].point = Vec3(kNan, 0, 0); });
  check("obstacles.0.friction", "zero or more", [](Scene& s) { s.obstacles[0].friction = -1; });
  check("rods.hoist rope.limits.breaking_tension", "greater than zero",
        [](Scene& s) { s.rods[0].limits.breaking_tension = 0; });
}

TEST_CASE("drivers of winches and ropes") {
  check("drivers.0.winch", "there is no winch 'x'",
        [](Scene& s) { s.drivers.push_back(driver(DriverKind::Winch, "x")); });
  check("drivers.0.rope", "there is no rope 'x'", [](Scene& s) { s.drivers.push_back(driver(DriverKind::Rope, "x")); });
  check("drivers.0.path.0", "needs a length", [](Scene& s) { s.drivers.push_back(driver(DriverKind::Rope, "r1")); });
  check("drivers.0.path.1.speed", "has no speed", [](Scene& s) {
    s.ropes[0].length = 9;
    s.drivers.push_back(driver(DriverKind::Rope, "r1"));
    s.drivers[0].path[1].speed = 1;
  });
  check("drivers.0.path.1.length", "has no length", [](Scene& s) {
    s.drivers.push_back(driver(DriverKind::Winch, "hoist"));
    s.drivers[0].path[1].length = 1;
  });
  check("drivers.0.path.1.speed", "must be", [](Scene& s) {
    s.drivers.push_back(driver(DriverKind::Winch, "hoist"));
    s.drivers[0].path[1].speed = kNan;
  });
  check("drivers.0.rod", "is on winch 'hoist'",
        [](Scene& s) { s.drivers.push_back(driver(DriverKind::Rod, "hoist rope")); });
  check("routing.0.rod", "is on a winch", [](Scene& s) {
    s.routing.push_back({});
    s.routing[0].rod = "hoist rope";
    s.routing[0].pull = 1;
  });
}

TEST_CASE("what hangs on a winch or a rope is held") {
  Scene scene = crane();
  CHECK(warnings(scene).empty());
  scene.bodies[0].motion = BodyMotion::Fixed;
  CHECK(warnings(scene).empty());
  // without the rod and the rope the block falls
  scene.winches.clear();
  scene.sheaves.clear();
  scene.ropes.clear();
  const std::vector<std::string> found = warnings(scene);
  REQUIRE(found.size() == 2);
  CHECK(found[0] == "nothing holds rod 'hoist rope'");
  CHECK(found[1] == "nothing holds body 'block'");
}

TEST_CASE("edits of a rod take its winch and its sheaves along") {
  Scene scene = crane();
  scene.drivers.push_back(driver(DriverKind::Winch, "hoist"));
  // scaled with the rod
  REQUIRE(edit::set_length(scene, "hoist rope", 20));
  CHECK(scene.sheaves[0].at.at(20) == doctest::Approx(8));
  CHECK(scene.winches[0].at == ArcPosition{0, 0});
  // cut: the sheave lies beyond, the winch before
  REQUIRE(edit::split(scene, "hoist rope", {0, 5}, "tail"));
  CHECK(scene.winches[0].rod == "hoist rope");
  CHECK(scene.sheaves[0].rod == "tail");
  CHECK(scene.sheaves[0].at.at(15) == doctest::Approx(3));
  // new material beyond the drum would leave the winch in the middle
  const Status longer = edit::prolong(scene, "hoist rope", 1, edit::RodEnd::Start);
  REQUIRE_FALSE(longer);
  CHECK(longer.error().text().find("at the start or the end of its rod") != std::string::npos);
  // gone with the rod, and its driver too
  REQUIRE(edit::remove_rod(scene, "hoist rope"));
  CHECK(scene.winches.empty());
  CHECK(scene.drivers.empty());
  CHECK(scene.sheaves.size() == 1);
  REQUIRE(edit::remove_rod(scene, "tail"));
  CHECK(scene.sheaves.empty());
}

TEST_CASE("a winch is one of the places that fix a rod") {
  const Scene scene = crane();
  const std::vector<scene::Part> parts = scene::held_parts(scene, scene.rods[0]);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].length() == 10);
  CHECK(scene::place_at(scene, scene.rods[0], 0) == RodPlace{PlaceKind::Winch, "hoist"});
}

}  // namespace filum::test_check_reeving
