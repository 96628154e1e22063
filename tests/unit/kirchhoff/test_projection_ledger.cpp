// What the projection takes out of a motion is entered: the ledger closes though most of the energy is gone.
#include "unit/live_session.hpp"

#include <filum/scene_file.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace filum::test_projection_ledger {

TEST_CASE("projection: a rod that buckles under twist loses most of its energy, and the ledger has it") {
  const Result<Scene> scene = parse_scene(R"(filum: 1
sections: {g: {shape: given, EA: 1e5, EI: [1e-3, 1e-3], GJ: 8e-4, mass_per_length: 0.01, radius: 2 mm}}
rods: {a: {section: g, segments: 20, velocity: [1e-3, 0, 0], shape: {line: [[0,0,0],[0,0,-1]]}}}
bodies: {b: {mass: 0.02, inertia: 1e-4, motion: free, position: [0,0,-1], spin: [0,0,150]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], body: b}]
simulation: {mode: dynamics, stepper: projection, step: 1/240}
)",
                                          "test");
  REQUIRE(scene.ok());
  Session session = test::begun(*scene);
  const double start = session.pose().energy.balance();
  const double moved = session.pose().energy.kinetic;
  double worst = 0;
  for (int k = 0; k < 720; ++k) {
    test::must(session.step());
    if (k % 12 == 0) worst = std::max(worst, std::abs(session.pose().energy.balance() - start));
  }
  CHECK(session.pose().energy.drained > 0.5 * moved);
  // what is left is the first order of symplectic Euler, ½h F·v, which comes and goes
  CHECK(worst < 0.03 * moved);
}

}  // namespace filum::test_projection_ledger
