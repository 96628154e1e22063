// modes.json and modes.html: what programs read and what people see.
#include "report_fixture.hpp"

#include <filum/report.hpp>
#include <filum/result_file.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace filum::test_modes_files {

using nlohmann::json;

namespace {

// A hose with three modes: one swings, one is free, one is unstable; a free body that moves along and one that is
// fixed.
struct Case {
  Scene scene;
  ModesOutcome outcome;
};

Case hose() {
  const fixture::Case drawn = fixture::hose(5);
  Case test{drawn.scene, {}};
  test.scene.title = "Hose <1> & \"more\"";
  Body bob;
  bob.name = "bob";
  bob.motion = BodyMotion::Free;
  Body wall;
  wall.name = "wall";
  test.scene.bodies = {bob, wall};
  test.outcome.solve.converged = true;
  test.outcome.solve.stable = false;
  test.outcome.solve.iterations = 7;
  test.outcome.pose = drawn.outcome.states[0].pose;
  test.outcome.pose.bodies.assign(2, BodyPose{});
  const std::size_t nodes = test.outcome.pose.rods[0].s.size();
  for (const double eigenvalue : {-4.0, 0.0, 9.0}) {
    NaturalMode mode;
    mode.eigenvalue = eigenvalue;
    mode.frequency = eigenvalue > 0 ? 3 / (2 * M_PI) : 0;
    mode.rods.resize(test.outcome.pose.rods.size());
    for (std::size_t r = 0; r < mode.rods.size(); ++r) {
      mode.rods[r].displacement.assign(test.outcome.pose.rods[r].s.size(), Vec3(0, 0.5, -1));
      mode.rods[r].turn.assign(test.outcome.pose.rods[r].s.size(), 0.25);
    }
    mode.rods[0].displacement[nodes - 1] = Vec3(0.125, 0, 1);
    mode.body_displacement = {Vec3(1, 2, 3), Vec3::Zero()};
    mode.body_rotation = {Vec3(0, 0, 0.5), Vec3::Zero()};
    test.outcome.modes.push_back(mode);
  }
  return test;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + part.size())) ++found;
  return found;
}

}  // namespace

TEST_CASE("modes.json holds every number under its name") {
  const Case test = hose();
  const json root = json::parse(modes_json(test.scene, "hose.yaml", test.outcome));
  CHECK(root["filum"] == 1);
  CHECK(root["title"] == test.scene.title);
  CHECK(root["scene"] == "hose.yaml");
  CHECK(root["solve"]["converged"] == true);
  CHECK(root["solve"]["stable"] == false);
  CHECK(root["solve"]["iterations"] == 7);
  // the equilibrium
  const std::string& rod = test.scene.rods[0].name;
  const RodPose& pose = test.outcome.pose.rods[0];
  REQUIRE(root["rods"][rod]["s"].size() == pose.s.size());
  for (int k = 0; k < 3; ++k) CHECK(root["rods"][rod]["positions"].back()[k] == pose.position.back()[k]);
  // the modes
  REQUIRE(root["modes"].size() == 3);
  const json& last = root["modes"][2];
  CHECK(last["number"] == 3);
  CHECK(last["eigenvalue"] == 9);
  CHECK(last["frequency"] == test.outcome.modes[2].frequency);
  CHECK_FALSE(last.contains("remark"));
  CHECK(root["modes"][0]["remark"] == "unstable");
  CHECK(root["modes"][1]["remark"] == "moves freely");
  CHECK(last["rods"][rod]["displacement"].back() == json({0.125, 0, 1}));
  CHECK(last["rods"][rod]["turn"].size() == pose.s.size());
  // bodies that cannot move have no shape
  CHECK(last["bodies"]["bob"]["displacement"] == json({1, 2, 3}));
  CHECK(last["bodies"]["bob"]["rotation"] == json({0, 0, 0.5}));
  CHECK_FALSE(last["bodies"].contains("wall"));
}

TEST_CASE("modes.json without an equilibrium has no modes and says why") {
  Case test = hose();
  test.outcome.modes.clear();
  test.outcome.solve.converged = false;
  test.outcome.solve.stable.reset();
  test.outcome.solve.why = "nothing holds it";
  const json root = json::parse(modes_json(test.scene, "hose.yaml", test.outcome));
  CHECK(root["solve"]["stable"].is_null());
  CHECK(root["solve"]["why"] == "nothing holds it");
  CHECK(root["modes"].empty());
  const std::string page = modes_html(test.scene, test.outcome);
  CHECK(page.find("No equilibrium found") != std::string::npos);
  CHECK(page.find("nothing holds it") != std::string::npos);
  CHECK(count(page, "<figure") == 0);
}

TEST_CASE("modes.html has a row and two pictures for each mode, and runs nothing") {
  const Case test = hose();
  const std::string page = modes_html(test.scene, test.outcome);
  CHECK(page.find("<h1>Hose &lt;1&gt; &amp; &quot;more&quot;</h1>") != std::string::npos);
  CHECK(count(page, "<figure") == 6);
  CHECK(page.find("Mode 3: 0.477465 Hz") != std::string::npos);
  CHECK(page.find("Mode 1: unstable") != std::string::npos);
  CHECK(page.find("Mode 2: moves freely") != std::string::npos);
  CHECK(page.find("UNSTABLE") != std::string::npos);
  CHECK(count(page, "<tr") == 4);
  // one file: no script, nothing fetched
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("src=") == std::string::npos);
  CHECK(page.find("nan") == std::string::npos);
}

}  // namespace filum::test_modes_files
