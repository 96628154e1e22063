// Cables that are too short: how far they let a unit go, and what is missing.
#include <filum/edit.hpp>
#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace filum::test_reach {

namespace {

const std::string kSections =
    "sections: {w: {shape: given, EA: 1e5, EI: [0.002, 0.002], GJ: 0.0015, mass_per_length: 0.02, radius: 3 mm}}\n";

Scene parsed(const std::string& text) {
  const Result<Scene> scene = parse_scene("filum: 1\n" + kSections + text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

// A unit on a cable of 0.5 m, 0.3 m from where the cable is held.
Scene unit_scene(const std::string& formulation = "cosserat") {
  return parsed(R"(
rods: {c: {section: w, length: 0.5, segments: 50, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
bodies: {unit: {box: [0.1, 0.1, 0.1], position: [0.35, 0, 0], motion: driven}}
holds:
  - {name: wall, rod: c, at: start, fix: [position]}
  - {name: plug, rod: c, at: end, fix: [position], body: unit}
simulation: {formulation: )" +
                formulation + "}\n");
}

ReachReport moved(Session& session, const Vec3& to) {
  const Result<ReachReport> report = session.move_body_within_reach("unit", to, Quat::Identity());
  REQUIRE(report.ok());
  return *report;
}

}  // namespace

TEST_CASE("a taut cable stops the unit where its plug has come as far as the cable reaches") {
  for (const char* formulation : {"cosserat", "kirchhoff"}) {
    CAPTURE(formulation);
    Result<Session> session = Session::begin(unit_scene(formulation));
    REQUIRE(session.ok());
    REQUIRE(session->settle().converged);
    const ReachReport report = moved(*session, Vec3(0.65, 0, 0));
    CHECK(report.stopped);
    // the plug goes from 0.3 towards 0.6 m and is stopped at 0.5 m and a thousandth of it
    CHECK(report.fraction == doctest::Approx((0.5 * 1.001 - 0.3) / 0.3).epsilon(1e-3));
    CHECK(session->pose().bodies[0].position.x() == doctest::Approx(0.35 + 0.3 * report.fraction));
    CHECK(session->pose().holds[1].position.x() == doctest::Approx(0.3 + 0.3 * report.fraction));
    REQUIRE(report.shortages.size() == 1);
    CHECK(report.shortages[0].rod == "c");
    CHECK(report.shortages[0].from == RodPlace{PlaceKind::Hold, "wall"});
    CHECK(report.shortages[0].to == RodPlace{PlaceKind::Hold, "plug"});
    // at 0.6 m it would do with 0.6 m less a thousandth
    CHECK(report.shortages[0].missing == doctest::Approx(0.6 / 1.001 - 0.5).epsilon(1e-4));
    CHECK(report.event.kind == EventKind::BodyStopped);
    CHECK(report.event.object == ObjectRef{ObjectKind::Body, "unit"});
    CHECK(report.event.rod == "c");
    CHECK(report.event.from == report.shortages[0].from);
    CHECK(report.event.to == report.shortages[0].to);
    CHECK(report.event.value == doctest::Approx(0.0994).epsilon(1e-3));
    CHECK(session->take_events().back() == report.event);

    // with so much more the unit goes all the way
    Scene longer = unit_scene(formulation);
    REQUIRE(edit::change_length(longer, "c", report.shortages[0].missing, edit::Change::Absolute).ok());
    Result<Session> again = Session::begin(longer);
    REQUIRE(again.ok());
    REQUIRE(again->settle().converged);
    const ReachReport whole = moved(*again, Vec3(0.65, 0, 0));
    CHECK_FALSE(whole.stopped);
    CHECK(whole.fraction == 1);
    CHECK(whole.shortages.empty());
  }
}

TEST_CASE("what is missing is that of the farthest point on the way, which may not be its end") {
  // the unit swings its plug round, far away in between
  Result<Session> session = Session::begin(parsed(R"(
rods: {c: {section: w, length: 0.5, segments: 50, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
bodies: {unit: {position: [0.4, 0, 0], motion: driven}}
holds:
  - {name: wall, rod: c, at: start, fix: [position]}
  - {name: plug, rod: c, at: end, fix: [position], body: unit}
simulation: {formulation: cosserat}
)"));
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  // the plug is 0.1 m from the unit's centre: half a turn takes it from 0.3 to 0.5 m, within reach; the centre moves by
  // 0.15 m too
  const Quat turned(Eigen::AngleAxisd(3.0, Vec3::UnitZ()));
  const Result<ReachReport> report = session->move_body_within_reach("unit", Vec3(0.55, 0, 0), turned);
  REQUIRE(report.ok());
  CHECK(report->stopped);
  REQUIRE(report->shortages.size() == 1);
  CHECK(report->shortages[0].missing > 0.1);
  CHECK(report->fraction < 1);
}

TEST_CASE("a rod's own limit of tension counts, and a unit that is already held back may return") {
  Scene scene = unit_scene();
  scene.rods[0].limits.max_tension = 5;
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  const ReachReport report = moved(*session, Vec3(1.05, 0, 0));
  CHECK(report.stopped);
  double most = 0;
  const Pose stopped = session->pose();
  for (const double n : stopped.rods[0].axial_force) most = std::max(most, n);
  CHECK(most <= 5);
  // it stopped where the cable begins to bear: a tenth of a thousandth of the way makes far more than 5 N
  CHECK(most > 0.1);
  REQUIRE(session->move_body("unit", Vec3(0.9, 0, 0)).ok());
  REQUIRE(session->settle().converged);
  CHECK(moved(*session, Vec3(1.05, 0, 0)).fraction < 0.01);
  CHECK_FALSE(moved(*session, Vec3(0.4, 0.1, 0)).stopped);
}

TEST_CASE("in a harness the branch and the trunk that lead to the unit hold it back") {
  const Scene scene = parsed(R"(
rods:
  trunk: {section: w, length: 0.3, segments: 30, shape: {line: [[0, 0, 0], [0.28, 0, 0]]}}
  branch: {section: w, length: 0.3, segments: 30, shape: {line: [[0.28, 0, 0], [0.5, 0.1, 0]]}}
  side: {section: w, length: 0.6, segments: 30, shape: {line: [[0.28, 0, 0], [0.5, -0.1, 0]]}}
bodies: {unit: {position: [0.5, 0.1, 0], motion: driven}}
junctions: [{name: y, rods: [{rod: trunk, at: end}, {rod: branch, at: start}, {rod: side, at: start}]}]
holds:
  - {name: root, rod: trunk, at: start, fix: [position]}
  - {name: plug, rod: branch, at: end, fix: [position], body: unit}
  - {name: lamp, rod: side, at: end, fix: [position]}
simulation: {formulation: cosserat}
)");
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  const ReachReport report = moved(*session, Vec3(0.9, 0.1, 0));
  REQUIRE(report.stopped);
  REQUIRE_FALSE(report.shortages.empty());
  CHECK((report.shortages[0].rod == "branch" || report.shortages[0].rod == "trunk"));
  const RodPlace joint{PlaceKind::Junction, "y"};
  CHECK((report.shortages[0].from == joint || report.shortages[0].to == joint));
  double missing = 0;
  Scene longer = scene;
  for (const Shortage& shortage : report.shortages) {
    missing += shortage.missing;
    REQUIRE(edit::change_length(longer, shortage.rod, shortage.missing, edit::Change::Absolute).ok());
  }
  // the distance to be bridged is 0.9055 m, by 0.6 m
  CHECK(missing > 0.29);
  CHECK(missing < 0.32);
  Result<Session> again = Session::begin(longer);
  REQUIRE(again.ok());
  REQUIRE(again->settle().converged);
  CHECK_FALSE(moved(*again, Vec3(0.9, 0.1, 0)).stopped);
}

TEST_CASE("along a path it is told what is missing, when most, and when the unit would be stopped") {
  Scene scene = unit_scene();
  Driver driver;
  driver.kind = DriverKind::Body;
  driver.target = "unit";
  driver.path.resize(3);
  driver.path[0].position = Vec3(0.35, 0, 0);
  driver.path[1].t = 1;
  driver.path[1].position = Vec3(0.75, 0, 0);
  driver.path[2].t = 2;
  driver.path[2].position = Vec3(0.35, 0, 0);
  scene.drivers.push_back(driver);
  SolveOptions options;
  options.path = 41;
  const Result<Outcome> outcome = solve(scene, options);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->shortages.size() == 1);
  const Shortage& shortage = outcome->shortages[0];
  CHECK(shortage.missing == doctest::Approx(0.7 / 1.001 - 0.5).epsilon(1e-4));
  CHECK(shortage.t == doctest::Approx(1));
  // states are 0.05 s apart; the plug passes 0.5 m at 0.5 s
  CHECK(shortage.stopped == doctest::Approx(0.55));
  REQUIRE(edit::change_length(scene, "c", shortage.missing, edit::Change::Absolute).ok());
  const Result<Outcome> enough = solve(scene, options);
  REQUIRE(enough.ok());
  CHECK(enough->shortages.empty());
}

TEST_CASE("a rope that bears a weight is not too short") {
  const Scene scene = parsed(R"(
rods: {c: {section: w, length: 1, segments: 20, shape: {line: [[0, 0, 0], [0, 0, -1]]}}}
bodies: {load: {mass: 20, inertia: 0.1, position: [0, 0, -1], motion: free}}
holds: [{rod: c, at: start, fix: [position]}, {rod: c, at: end, fix: [position], body: load}]
simulation: {formulation: cosserat}
)");
  const Result<Outcome> outcome = solve(scene);
  REQUIRE(outcome.ok());
  CHECK(outcome->solve.converged);
  // stretched by 2e-3, which is more than a cable between two walls may be
  CHECK(outcome->states.back().pose.rods[0].length > 1.0015);
  CHECK(outcome->shortages.empty());
}

}  // namespace filum::test_reach
