// A session: edits while a rod moves. Every way of holding two ends, switched live.
#include "unit/live_session.hpp"
#include "unit/rod_rig.hpp"
#include "unit/sim/live_switching.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

namespace filum::test_session {

using test::begun;
using test::must;
using test::scene_of;

namespace {

constexpr double kStep = 1.0 / 240;

Scene hanging() {
  Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 12, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1]}}
holds: [{name: near, rod: a, at: start, fix: [position, orientation]},
        {name: far, rod: a, at: end, fix: [position, orientation]}]
)");
  scene.simulation.step = kStep;
  scene.simulation.end = 1;
  return scene;
}

FixedAxes all(bool yes) {
  return {yes, yes, yes};
}

}  // namespace

TEST_CASE("all sixteen ways of holding two ends switch live, from any to any") {
  Scene scene = hanging();
  // air, so that a rod which falls free half of the time does not run away
  scene.rods[0].damping.air = 0.05;
  // the integrator takes stretch waves out; it adds nothing of its own
  test::switch_all_ways(scene, 0.01);
}

TEST_CASE("fifty turns in, fifty counted, through switches of both ends' positions") {
  Scene scene = hanging();
  scene.gravity.setZero();
  // so soft in twist against bending that it carries a hundred turns straight: 8.98 EI/GJ rad (Greenhill)
  Section soft;
  soft.shape = SectionShape::Given;
  soft.EA = 1e4;
  soft.EI = Vec2(1, 1);
  soft.GJ = 0.01;
  soft.mass_per_length = 0.1;
  soft.radius = 0.005;
  scene.sections[0].section = soft;
  Session session = begun(scene);
  for (int k = 1; k <= 100; ++k) {
    // half a turn a step, which is more than a formulation takes at once
    must(session.twist_hold("far", 0.5 * k));
    REQUIRE(session.step());
    if (k % 20 == 0) must(session.fix_hold("near", {all(k % 40 == 0), all(true)}));
    if (k % 30 == 0) must(session.fix_hold("far", {all(k % 60 == 0), all(true)}));
  }
  CHECK(session.pose().rods[0].turns == doctest::Approx(50).epsilon(1e-6));
  for (int k = 100; k >= 1; --k) {
    must(session.twist_hold("far", 0.5 * (k - 1)));
    REQUIRE(session.step());
  }
  CHECK(std::abs(session.pose().rods[0].turns) < 1e-4);
}

TEST_CASE("a hold goes where it is moved, and goes back to rest") {
  Session session = begun(hanging());
  must(session.move_hold("far", Vec3(0.4, 0.1, 0)));
  REQUIRE(session.step());
  CHECK(session.pose().rods[0].position.back() == Vec3(0.4, 0.1, 0));
  must(session.turn_hold("far", Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ())) * session.pose().rods[0].frame.back()));
  REQUIRE(session.step());
  CHECK(session.time() == 2 * kStep);
  REQUIRE(session.step(0.5 * kStep));
  CHECK(session.time() == 2.5 * kStep);
  REQUIRE(session.step());
  CHECK(session.time() == 3 * kStep);
}

TEST_CASE("what cannot be asked is refused and changes nothing") {
  Session session = begun(hanging());
  CHECK(session.move_hold("nobody", Vec3::Zero()).error().message.find("no hold 'nobody'") != std::string::npos);
  CHECK_FALSE(session.move_hold("far", Vec3(std::nan(""), 0, 0)).ok());
  CHECK_FALSE(session.turn_hold("far", Quat(0, 0, 0, 0)).ok());
  CHECK_FALSE(session.twist_hold("far", 1e300 * 1e300).ok());
  CHECK_FALSE(session.fix_hold("far", {all(true), {true, false, false}}).ok());
  CHECK_FALSE(session.step(-1));
  CHECK_FALSE(session.step(std::nan("")));
  must(session.fix_hold("far", {}));
  CHECK(session.move_hold("far", Vec3::Zero()).error().message.find("does not fix") != std::string::npos);
  Scene bad = session.scene();
  bad.rods[0].segments = -3;
  CHECK_FALSE(session.edit(bad).ok());
  CHECK(session.time() == 0);
  REQUIRE(session.step());
  const std::vector<Event> events = session.take_events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == EventKind::LetGo);
  CHECK(events[0].object == ObjectRef{ObjectKind::Hold, "far"});
  CHECK(session.take_events().empty());
}

TEST_CASE("undo: a scene and a saved state bring everything back, to the last bit") {
  Session session = begun(hanging());
  for (int k = 0; k < 5; ++k) REQUIRE(session.step());
  must(session.fix_hold("far", {all(true), all(false)}));
  REQUIRE(session.step());
  const Scene scene = session.scene();
  const SavedState saved = session.save();
  for (int k = 0; k < 5; ++k) REQUIRE(session.step());
  const SavedState ahead = session.save();

  // other ways of holding it, other meshes, then back
  must(session.fix_hold("far", {}));
  must(session.fix_hold("near", {all(false), all(true)}));
  Scene other = session.scene();
  other.rods[0].segments = 17;
  must(session.edit(other));
  for (int k = 0; k < 5; ++k) REQUIRE(session.step());
  CHECK_FALSE(session.load(saved).ok());
  must(session.edit(scene));
  must(session.load(saved));
  CHECK(session.time() == 6 * kStep);
  for (int k = 0; k < 5; ++k) REQUIRE(session.step());
  CHECK(session.save().values == ahead.values);
}

TEST_CASE(
    "a body goes where it is moved and takes along what is held to it; an edit that says nothing of it leaves it") {
  Scene scene = hanging();
  scene.bodies.push_back({});
  scene.bodies[0].name = "block";
  scene.bodies[0].position = Vec3(1, 0, 0);
  scene.holds[1].body = "block";
  Session session = begun(scene);
  const Vec3 before = session.hold_places()[1].position;
  must(session.move_body("block", Vec3(0.9, 0.1, 0.02)));
  REQUIRE(session.step());
  CHECK((session.hold_places()[1].position - before - Vec3(-0.1, 0.1, 0.02)).norm() < 1e-15);
  CHECK(session.pose().bodies[0].position == Vec3(0.9, 0.1, 0.02));

  // undo: what was asked of the body is part of the state
  const SavedState saved = session.save();
  REQUIRE(session.step());
  const SavedState ahead = session.save();
  must(session.move_body("block", Vec3(1, 0, 0)));
  REQUIRE(session.step());
  must(session.load(saved));
  REQUIRE(session.step());
  CHECK(session.save().values == ahead.values);

  // another number of segments leaves it there, another position of its own does not
  Scene finer = session.scene();
  finer.rods[0].segments += 5;
  must(session.edit(finer));
  REQUIRE(session.step());
  CHECK(session.pose().bodies[0].position == Vec3(0.9, 0.1, 0.02));
  Scene moved = session.scene();
  moved.bodies[0].position = Vec3(0.95, 0.05, 0.01);
  must(session.edit(moved));
  REQUIRE(session.step());
  CHECK(session.pose().bodies[0].position == Vec3(0.95, 0.05, 0.01));
  CHECK(session.move_body("nobody", Vec3::Zero()).error().message == "there is no body 'nobody'");
}

TEST_CASE("what was asked of a hold ends when the scene says where it is") {
  Session session = begun(hanging());
  must(session.move_hold("far", Vec3(0.45, 0.05, 0)));
  REQUIRE(session.step());
  Scene scene = session.scene();
  scene.rods[0].segments += 3;
  must(session.edit(scene));
  REQUIRE(session.step());
  CHECK(session.hold_places()[1].position == Vec3(0.45, 0.05, 0));
  scene.holds[1].position = Vec3(0.46, 0, 0.01);
  must(session.edit(scene));
  REQUIRE(session.step());
  CHECK(session.hold_places()[1].position == Vec3(0.46, 0, 0.01));
}

TEST_CASE("a run that is stopped and gone on with is the run at one go, to the last bit") {
  Scene scene = hanging();
  scene.simulation.end = 60 * kStep;
  Keyframe start, release, grip, end;
  release.t = 13.4 * kStep;
  release.fix = Fix{};
  grip.t = 31.2 * kStep;
  grip.fix = Fix{all(true), all(true)};
  end.t = 70 * kStep;
  end.position = Vec3(0.4, 0, 0.1);
  end.turns = 3;
  scene.drivers.push_back({DriverKind::Hold, "far", 0, {start, release, grip, end}});
  SavedState whole, middle, parts;
  RunOptions options;
  options.save = &whole;
  const Result<Outcome> at_once = run(scene, options);
  REQUIRE(at_once.ok());
  REQUIRE_MESSAGE(at_once->run->completed, at_once->run->why);
  for (const int stop : {5, 20, 40}) {
    options = {};
    options.save = &middle;
    options.frame = [&](const Snapshot& snapshot) { return snapshot.t < stop * kStep; };
    REQUIRE(run(scene, options).ok());
    options = {};
    options.resume = &middle;
    options.save = &parts;
    const Result<Outcome> rest = run(scene, options);
    REQUIRE(rest.ok());
    CHECK(rest->run->start >= stop * kStep);
    CHECK(parts.values == whole.values);
    CHECK(rest->states.back().pose.rods[0].position == at_once->states.back().pose.rods[0].position);
  }
}

}  // namespace filum::test_session
