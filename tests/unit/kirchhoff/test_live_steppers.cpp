// Rods that cannot stretch, in the hands of somebody: every way of holding two ends, switched live.
#include "unit/kirchhoff/rig.hpp"

#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace filum;

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

// One of the sixteen ways to hold two ends: position and frame of the one, of the other.
void hold_ends(Session& session, int way) {
  auto all = [](int yes) { return FixedAxes{yes != 0, yes != 0, yes != 0}; };
  REQUIRE(session.fix_hold("near", {all(way & 1), all(way & 2)}).ok());
  REQUIRE(session.fix_hold("far", {all(way & 4), all(way & 8)}).ok());
}

void switch_all(Stepper stepper, double allowed) {
  Result<Session> begun = Session::begin(slack_hose(stepper));
  REQUIRE_MESSAGE(begun.ok(), (begun.ok() ? "" : begun.error().text()));
  Session& session = *begun;
  const double start = session.pose().energy.balance();
  double scale = 0;
  double gained = 0;
  for (int from = 0; from < 16; ++from)
    for (int to = 0; to < 16; ++to) {
      hold_ends(session, from);
      const Pose before = session.pose();
      hold_ends(session, to);
      const Pose switched = session.pose();
      // nothing has moved, and the account is closed
      REQUIRE(switched.rods[0].position == before.rods[0].position);
      REQUIRE(std::abs(switched.energy.balance() - before.energy.balance()) < 1e-12);
      for (int k = 0; k < 3; ++k) REQUIRE_MESSAGE(session.step(), session.report().why);
      const Pose after = session.pose();
      const RodPose& rod = after.rods[0];
      // what is held has stayed, to the last bit; what is free has not
      if ((to & 1) != 0) CHECK(rod.position.front() == switched.rods[0].position.front());
      if ((to & 4) != 0) CHECK(rod.position.back() == switched.rods[0].position.back());
      if ((to & 2) != 0) CHECK(rod.frame.front().angularDistance(switched.rods[0].frame.front()) < 1e-6);
      if ((to & 8) != 0) CHECK(rod.frame.back().angularDistance(switched.rods[0].frame.back()) < 1e-6);
      if ((to & 4) == 0) CHECK(rod.position.back() != switched.rods[0].position.back());
      scale = std::max({scale, after.energy.kinetic, after.energy.elastic});
      gained = std::max(gained, after.energy.balance() - start);
    }
  CHECK(session.report().steps == 3 * 256);
  MESSAGE("energy made: " << gained << " J of " << scale << " J that moved; " << session.report().failed_steps
                          << " steps divided");
  CHECK(gained < allowed * scale);
}

}  // namespace

TEST_CASE("projection: all sixteen ways of holding two ends switch live, from any to any") {
  // it only takes energy
  switch_all(Stepper::Projection, 0.01);
}

TEST_CASE("variational: all sixteen ways of holding two ends switch live, from any to any") {
  // every grip is a blow, which shakes edges faster than steps of this length follow: bounded, no more
  switch_all(Stepper::Variational, 0.5);
}
