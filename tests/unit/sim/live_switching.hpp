// Two ends in the hands of somebody: every way of holding them, switched live from any to any.
#pragma once

#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace filum::test {

// One of the sixteen ways to hold the ends «near» and «far»: position and frame of the one, of the other.
inline void hold_ends(Session& session, int way) {
  const auto all = [](int yes) { return FixedAxes{yes != 0, yes != 0, yes != 0}; };
  REQUIRE(session.fix_hold("near", {all(way & 1), all(way & 2)}).ok());
  REQUIRE(session.fix_hold("far", {all(way & 4), all(way & 8)}).ok());
}

// Through all 256 switches, three steps after each. Every grip is a blow; what the stepper may make of energy, as a
// share of the largest that moved or was stored, is `allowed`.
inline void switch_all_ways(const Scene& scene, double allowed) {
  Result<Session> begun = Session::begin(scene);
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
      // nothing has moved, and the account is closed: what a hand takes or brings is its work
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
      // what it takes itself is no part of what it may make
      gained = std::max(gained, after.energy.balance() - after.energy.drained - start);
    }
  CHECK(session.report().steps == 3 * 256);
  CHECK(gained < allowed * scale);
}

}  // namespace filum::test
