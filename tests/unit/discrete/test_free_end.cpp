// A rod that is held at its start alone, under loads that turn with it, is found by a march from its free end.
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/free_end.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <string>

namespace filum::test_free_end {

using namespace filum::discrete;

namespace {

constexpr double kBand = 5e6 * 12e-3 * 27e-9 / 12;  // EI of the band about its softer axis, N·m²

std::string pushed_band(double force, const std::string& more) {
  return "rods: {a: {material: rubber, section: band, segments: 30, shape: {line: [[0,0,0],[0.4,0,0]]}" + more +
         "}}\nforces: [{rod: a, at: end, follow: true, force: [" + std::to_string(0.3 * force) + "," +
         std::to_string(-0.6 * force) + "," + std::to_string(0.74 * force) + "]}]\n";
}

}  // namespace

TEST_CASE("the march ends in balance, whatever the load") {
  for (const double times : {1.0, 40.0, 300.0, 450.0})
    for (const std::string rest : {"", ", rest: {curvature: [4, -3], twist_rate: 6}"}) {
      CAPTURE(times);
      CAPTURE(rest);
      const ModelData model = compile_model(test::scene_of(pushed_band(times * kBand / 0.16, rest) +
                                                           "holds: [{rod: a, at: start, fix: [position, orientation]}]\n"
                                                           "torques: [{rod: a, at: 40 %, follow: true, torque: [0, 1e-3, 0]}]\n"));
      REQUIRE(is_marched_from_free_end(model));
      const Targets targets = sim::resting_targets(*model.scene);
      RodState state = start_state(model, targets);
      const Vec3 held = state.position.front();
      REQUIRE(march_from_free_end(model, targets, state));
      CHECK(state.position.front() == held);
      RodSystem system(model);
      const Balance balance = system.evaluate(state, targets, RodSystem::Want::Residual);
      CHECK(balance.finite);
      CHECK(balance.residual < 1e-5);  // as far as the march closes, 1e-8 rad
    }
}

TEST_CASE("only what is held at its start alone is marched") {
  const auto marched = [](const std::string& holds) {
    return is_marched_from_free_end(compile_model(test::scene_of(pushed_band(1, "") + holds)));
  };
  CHECK(marched("holds: [{rod: a, at: start, fix: [position, orientation]}]\n"));
  CHECK_FALSE(marched("holds: [{rod: a, at: end, fix: [position, orientation]}]\n"));
  CHECK_FALSE(marched("holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: 50 %, fix: [position]}]\n"));
  CHECK_FALSE(marched("holds: [{rod: a, at: start, fix: [position]}]\n"));
}

TEST_CASE("a load under which Newton is lost is borne all the same, in few iterations") {
  const Outcome outcome = test::solved(pushed_band(300 * kBand / 0.16, "") +
                                       "holds: [{rod: a, at: start, fix: [position, orientation]}]\n");
  CHECK(outcome.solve.iterations < 60);
}

}  // namespace filum::test_free_end
