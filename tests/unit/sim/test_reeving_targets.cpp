// Winches and ropes in targets, history, limits: whatever formulation moves them.
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "sim/history_row.hpp"
#include "sim/limits.hpp"
#include "sim/refusal.hpp"

#include <doctest/doctest.h>

#include <string>

namespace filum::test_reeving_targets {

namespace {

// Two winches and three ropes; the first winch and the last two ropes are driven.
Scene hoists() {
  Scene scene;
  Winch winch;
  winch.name = "hoist";
  scene.winches = {winch, winch};
  scene.winches[1].name = "brake";
  scene.winches[1].speed = -0.3;
  Rope rope;
  rope.name = "slack";
  scene.ropes = {rope, rope, rope};
  scene.ropes[1].name = "told";
  scene.ropes[1].length = 12;
  scene.ropes[2].name = "lying";
  Driver driver;
  driver.path.resize(2);
  driver.path[1].t = 2;
  driver.kind = DriverKind::Winch;
  driver.target = "hoist";
  driver.path[1].speed = 0.5;
  scene.drivers.push_back(driver);
  driver.path[1].speed.reset();
  driver.kind = DriverKind::Rope;
  driver.target = "told";
  driver.path[1].length = 8;
  scene.drivers.push_back(driver);
  driver.target = "lying";
  driver.path[0].length = 5;
  driver.path[1].length = 6;
  scene.drivers.push_back(driver);
  return scene;
}

}  // namespace

TEST_CASE("winch speeds and rope lengths come from the scene, and follow their drivers") {
  const Scene scene = hoists();
  const Targets resting = sim::resting_targets(scene);
  CHECK(resting.winch_speed == std::vector<double>{0, -0.3});
  CHECK(resting.rope_length == std::vector<double>{-1, 12, -1});
  // a rope that nothing tells a length stays as it lies
  const Targets start = sim::targets_at(scene, resting, 0);
  CHECK(start.winch_speed == std::vector<double>{0, -0.3});
  CHECK(start.rope_length == std::vector<double>{-1, 12, 5});
  const Targets half = sim::targets_at(scene, resting, 1);
  CHECK(half.winch_speed[0] == doctest::Approx(0.25));
  CHECK(half.winch_speed[1] == -0.3);
  CHECK(half.rope_length == std::vector<double>{-1, 10, 5.5});
  // the last value holds
  const Targets late = sim::targets_at(scene, resting, 10);
  CHECK(late.winch_speed[0] == 0.5);
  CHECK(late.rope_length == std::vector<double>{-1, 8, 6});
}

TEST_CASE("between two targets speeds and lengths are on the way, but not from a length that was never told") {
  Targets from;
  from.winch_speed = {0, 1};
  from.rope_length = {10, -1, -1};
  Targets to = from;
  to.winch_speed = {1, 1};
  to.rope_length = {6, -1, 4};
  const Targets mixed = sim::blend(from, to, 0.25);
  CHECK(mixed.winch_speed == std::vector<double>{0.25, 1});
  CHECK(mixed.rope_length == std::vector<double>{9, -1, 4});
}

TEST_CASE("a row of the history has the largest tension of each rope and the force of each winch") {
  Snapshot snapshot;
  snapshot.pose.ropes.resize(2);
  snapshot.pose.ropes[0].tension = {100, 130, 90};
  snapshot.pose.winches.resize(1);
  snapshot.pose.winches[0].force = 77;
  const HistoryRow row = sim::history_row(Scene{}, snapshot);
  CHECK(row.rope_tension == std::vector<double>{130, 0});
  CHECK(row.winch_force == std::vector<double>{77});
}

TEST_CASE("the tension of ropes is held against their breaking tension, and a broken one stays violated") {
  Scene scene;
  Rope rope;
  rope.name = "r1";
  rope.breaking_tension = 200;
  scene.ropes = {rope};
  Pose pose;
  pose.ropes.resize(1);
  pose.ropes[0].tension = {150, 180};
  const std::vector<Check> before = sim::check_limits(scene, pose, 1);
  REQUIRE(before.size() == 1);
  CHECK(before[0].object == ObjectRef{ObjectKind::Rope, "r1"});
  CHECK(before[0].value == 180);
  CHECK(before[0].limit == 200);
  CHECK_FALSE(before[0].violated);
  // nothing is left of its tension, but it has been over the limit
  pose.ropes[0].tension = {0, 0};
  pose.ropes[0].broken = true;
  const std::vector<Check> worst = sim::worst_of({before, sim::check_limits(scene, pose, 2)});
  CHECK(worst[0].violated);
  CHECK(worst[0].value == 180);
}

TEST_CASE("every formulation that is listed can be made, and others are refused by name") {
  const auto names = sim::formulation_names();
  CHECK(names.size() >= 2);
  for (const std::string_view name : names) CHECK(sim::make_formulation(std::string(name)));
  Scene scene;
  scene.simulation.formulation = "magic";
  const auto refused = sim::refusal(scene);
  REQUIRE(refused);
  CHECK(refused->message.find("expected a formulation (kirchhoff, cosserat") == 0);
  CHECK(refused->message.find("found 'magic'") != std::string::npos);
}

TEST_CASE("kirchhoff and cosserat refuse what only the chain can move") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(formulation);
    Scene scene;
    scene.simulation.formulation = formulation;
    CHECK_FALSE(sim::refusal(scene));
    scene.obstacles.emplace_back().name = "floor";
    // both have a floor that rods lie on
    CHECK_FALSE(sim::refusal(scene));
    scene.ropes.push_back({"r1", 0, {}, {}, {}});
    CHECK(sim::refusal(scene)->message == "rope 'r1' needs formulation chain");
  }
}

}  // namespace filum::test_reeving_targets
