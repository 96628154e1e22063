// Turns of the ends of rods, along paths and in sessions: none is lost, crossings are counted.
#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace filum::test_turn_balance {

namespace {

// A slack cable whose end is turned eight times: it coils up, and passes through itself.
Scene turned_cable(const std::string& formulation) {
  const Result<Scene> scene = parse_scene(R"(filum: 1
gravity: [0, 0, 0]
sections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, radius: 3 mm}}
rods: {c: {section: w, length: 0.5, segments: 60, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}}
holds:
  - {name: a, rod: c, at: start, fix: [position, orientation]}
  - {name: b, rod: c, at: end, fix: [position, orientation]}
drivers: [{hold: b, path: [{t: 0, turns: 0}, {t: 1, turns: 8}]}]
simulation: {formulation: )" + formulation + "}\n",
                                          "test");
  REQUIRE(scene.ok());
  return *scene;
}

void check_balance(const TurnBalance& balance, double turns) {
  CHECK(balance.turns == doctest::Approx(turns));
  // the tangent of the end is looked at leant by 1e-6 rad
  CHECK(std::abs(balance.remainder) < 1e-8);
  CHECK(balance.twist + balance.writhe == doctest::Approx(turns - 2 * balance.crossings));
}

}  // namespace

TEST_CASE("beyond buckling twist and writhe are the turns of the hold less two for every crossing") {
  for (const char* formulation : {"cosserat", "kirchhoff"}) {
    CAPTURE(formulation);
    SolveOptions options;
    options.path = 81;
    const Result<Outcome> outcome = solve(turned_cable(formulation), options);
    REQUIRE(outcome.ok());
    REQUIRE(outcome->history.size() == 81);
    for (const HistoryRow& row : outcome->history) {
      REQUIRE(row.balance.size() == 1);
      check_balance(row.balance[0], 8 * row.t);
    }
    // eight turns are more than the cable bears without a loop that snaps through
    CHECK(outcome->history.back().balance[0].crossings > 0);
    CHECK(outcome->history[10].balance[0].crossings == 0);
  }
}

TEST_CASE("a session keeps the balance of turns, whole turns at one go included") {
  Scene scene = turned_cable("cosserat");
  scene.drivers.clear();
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  for (const double turns : {0.5, 1.5, 3.0, 2.0, -1.0}) {
    CAPTURE(turns);
    REQUIRE(session->twist_hold("b", turns).ok());
    REQUIRE(session->settle().converged);
    check_balance(session->turn_balances()[0], turns);
  }
  // an edit of something else does not begin anew
  Scene stiffer = session->scene();
  stiffer.sections[0].section.GJ = 0.03;
  REQUIRE(session->edit(stiffer).ok());
  REQUIRE(session->settle().converged);
  check_balance(session->turn_balances()[0], -1);
}

TEST_CASE("ends that are free to turn have no turns to keep") {
  Scene scene = turned_cable("cosserat");
  scene.drivers.clear();
  for (Hold& hold : scene.holds) hold.fix.orientation = {false, false, false};
  for (Hold& hold : scene.holds) hold.orientation.reset();
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  REQUIRE(session->move_hold("b", Vec3(0, 0, 0.1)).ok());
  session->settle();
  const TurnBalance balance = session->turn_balances()[0];
  CHECK(balance.turns == 0);
  CHECK(balance.crossings == 0);
}

TEST_CASE("a cable laid as a U, whose ends point opposite ways, keeps its balance") {
  for (const char* formulation : {"cosserat", "kirchhoff"}) {
    CAPTURE(formulation);
    Scene scene = turned_cable(formulation);
    scene.sections[0].section.GJ = 0.0005;  // too soft in twist to buckle
    scene.rods[0].shape.kind = CurveKind::Spline;
    scene.rods[0].shape.points = {Vec3(0, 0, 0), Vec3(0.05, 0, -0.15), Vec3(0.15, 0, -0.15), Vec3(0.2, 0, 0)};
    scene.holds[0].orientation = Quat(Eigen::AngleAxisd(std::acos(-1.0), Vec3::UnitX()));  // d3 downwards
    scene.holds[1].orientation = Quat::Identity();                                         // and upwards
    SolveOptions options;
    options.path = 33;
    const Result<Outcome> outcome = solve(scene, options);
    REQUIRE(outcome.ok());
    for (const HistoryRow& row : outcome->history) {
      // a tilt of 1e-6 rad is what the balance may be off by
      CHECK(row.balance[0].turns == doctest::Approx(8 * row.t).epsilon(1e-6));
      CHECK(std::abs(row.balance[0].remainder) < 1e-6);
      CHECK(row.balance[0].crossings == 0);
    }
  }
}

}  // namespace filum::test_turn_balance
