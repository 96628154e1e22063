// Rods that cannot stretch, in the hands of somebody: every way of holding two ends, switched live.
#include "unit/rod_rig.hpp"
#include "unit/sim/live_switching.hpp"

#include <doctest/doctest.h>

namespace filum::test_live_steppers {

namespace {

// A slack hose: straight between two holds it could not move.
Scene slack_hose(Stepper stepper) {
  Scene scene = test::scene_of(R"(
rods:
  a: {material: rubber, section: hose, segments: 12, extensible: false, damping: {air: 0.05}, normal: [0, 1, 0],
      shape: {arc: {centre: [0, 0, 0.4], start: [0, 0, 0], axis: [0, -1, 0], angle: 1.2}}}
holds: [{name: near, rod: a, at: start, fix: [position, orientation]},
        {name: far, rod: a, at: end, fix: [position, orientation]}]
)");
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.stepper = stepper;
  scene.simulation.step = 1.0 / 240;
  scene.simulation.end = 1;
  return scene;
}

}  // namespace

TEST_CASE("projection: all sixteen ways of holding two ends switch live, from any to any") {
  // it only takes energy
  test::switch_all_ways(slack_hose(Stepper::Projection), 0.01);
}

TEST_CASE("variational: all sixteen ways of holding two ends switch live, from any to any") {
  // every grip is a blow, which shakes edges faster than steps of this length follow: bounded, no more
  test::switch_all_ways(slack_hose(Stepper::Variational), 0.5);
}

}  // namespace filum::test_live_steppers
