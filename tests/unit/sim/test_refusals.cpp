// What of a scene its formulation cannot honour, and which one can.
#include "formulations/features.hpp"
#include "sim/formulations.hpp"
#include "sim/refusal.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>

namespace filum::test_refusals {

namespace {

// «path: message» of the first thing that is refused, or nothing.
std::string refused(const Scene& scene) {
  const auto problem = sim::refusal(scene);
  return problem ? problem->error().text() : "";
}

std::string refused_after(const char* formulation, const std::function<void(Simulation&)>& change) {
  Scene scene;
  scene.simulation.formulation = formulation;
  change(scene.simulation);
  return refused(scene);
}

}  // namespace

TEST_CASE("each thing that only one formulation has is refused by the others, with its place and who has it") {
  Scene scene;
  scene.rods.emplace_back().name = "a";
  scene.rods[0].limits.breaking_tension = 5e4;
  scene.rods[0].closed = true;
  scene.simulation.chain.sweeps = 3;
  scene.winches.emplace_back().name = "w1";
  scene.sheaves.emplace_back().name = "s1";
  scene.ropes.emplace_back().name = "r1";
  scene.obstacles.emplace_back().name = "floor";
  const char* told[] = {
      "reeving.w1: winch 'w1' needs formulation chain",
      "reeving.s1: sheave 's1' needs formulation chain",
      "reeving.r1: rope 'r1' needs formulation chain",
      "obstacles.0: obstacle 'floor' needs formulation kirchhoff or cosserat or chain; with 'contact: {obstacles: "
      "false}' it is watched only, and holds nothing off",
      "rods.a.limits.breaking_tension: the breaking of the closed rod 'a' needs formulation chain",
      "simulation.chain: these are options of the formulation chain, not of spline"};
  scene.simulation.formulation = "spline";
  CHECK(features_used(scene).size() == 6);
  CHECK(refused(scene) == told[0]);
  scene.winches.clear();
  CHECK(refused(scene) == told[1]);
  scene.sheaves.clear();
  CHECK(refused(scene) == told[2]);
  scene.ropes.clear();
  CHECK(refused(scene) == told[3]);
  scene.obstacles.clear();
  CHECK(refused(scene) == told[4]);
  scene.rods.clear();
  CHECK(refused(scene) == told[5]);
  scene.simulation.chain = {};
  CHECK(refused(scene).empty());
  CHECK(features_used(scene).empty());
}

TEST_CASE("a formulation judges its own options") {
  const auto path_of = [](const std::string& text) { return text.substr(0, text.find(':')); };
  CHECK(refused_after("chain", [](Simulation& s) { s.chain.sweeps = -1; }) ==
        "simulation.chain.sweeps: sweeps must be zero (one direct solve) or more, found -1");
  CHECK(refused_after("chain", [](Simulation& s) { s.chain = {}, s.chain.detail = 0.1; }).empty());
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(formulation);
    CHECK(path_of(refused_after(formulation, [](Simulation& s) {
            s.stepper = Stepper::Variational;
            s.integrator = Integrator::Bdf2;
          })) == "simulation.integrator");
  }
}

TEST_CASE("the default formulation is one of those that there are, and all of them move") {
  CHECK(sim::make_formulation(kDefaultFormulation));
  CHECK(Simulation{}.formulation == kDefaultFormulation);
  CHECK(sim::formulations_with(Feature::Motion) == "kirchhoff or cosserat or chain or spline");
  CHECK(sim::formulations_with(Feature::NaturalModes) == "kirchhoff or spline");
}

}  // namespace filum::test_refusals
