// A beam fed into its channel through the clamp.
#include "unit/channel/channel_kit.hpp"

#include <doctest/doctest.h>

namespace filum::test_insertion {

using namespace filum::channel::test;

namespace {

// Lengths from `first` to the whole of the beam.
void feed(ChannelProblem& problem, double first, int steps, double resist) {
  problem.loads.clear();
  for (int i = 0; i <= steps; ++i) {
    ChannelLoad load;
    load.insert = first + (problem.beam.length - first) * i / steps;
    load.resist = resist;
    problem.loads.push_back(load);
  }
}

// A beam that fits the bend and lies on its outer wall, which is the centreline.
ChannelProblem fits_bend(double angle, double friction, int links) {
  ChannelProblem problem;
  problem.channel = quarter_circle(0.1, 0);
  problem.channel.centreline.angle = angle;
  problem.channel.friction = friction;
  problem.beam = {angle, 1, {{0, 1}}};
  problem.search.links = links;
  problem.search.k = 1;
  return problem;
}

// A straight beam into a bend with room to both sides.
ChannelProblem into_bend(double friction, int links) {
  ChannelProblem problem;
  problem.channel = quarter_circle(0.03, 0.03);
  problem.channel.friction = friction;
  problem.beam = {1.4, 1, {}};
  problem.search.links = links;
  problem.search.k = 1;
  return problem;
}

}  // namespace

TEST_CASE("fed along a circular wall that rubs, the force grows with the inserted length by e^{μs/R}") {
  for (const double friction : {0.2, 0.6}) {
    CAPTURE(friction);
    ChannelProblem problem = fits_bend(1.5, friction, 60);
    feed(problem, 0.4, 8, 0.5);
    REQUIRE_FALSE(check_channel(problem));
    const ChannelOutcome fed = solve_channel(problem);
    REQUIRE(fed.converged);
    REQUIRE(fed.path.size() == 9);
    for (const ChannelStep& step : fed.path) {
      CAPTURE(*step.load.insert);
      CHECK(step.state.insertion_force == doctest::Approx(0.5 * std::exp(friction * *step.load.insert)).epsilon(3e-3));
      // what leaves its straight guide to be bent as it likes helps to feed it
      CHECK(step.state.feed_force == doctest::Approx(step.state.insertion_force - 0.5).epsilon(3e-3).scale(1));
      CHECK_FALSE(step.snapped);
    }
  }
}

TEST_CASE("fed round more than half a turn, the force grows by e^{μs/R} to its end") {
  for (const double friction : {0.2, 0.6}) {
    CAPTURE(friction);
    ChannelProblem problem = fits_bend(3.8, friction, 120);
    feed(problem, 1.0, 14, 0.5);
    REQUIRE_FALSE(check_channel(problem));
    const ChannelOutcome fed = solve_channel(problem);
    CAPTURE(fed.why);
    REQUIRE(fed.converged);
    REQUIRE(fed.path.size() == 15);
    for (const ChannelStep& step : fed.path) {
      CAPTURE(*step.load.insert);
      CHECK(step.state.insertion_force == doctest::Approx(0.5 * std::exp(friction * *step.load.insert)).epsilon(3e-3));
      CHECK_FALSE(step.snapped);
    }
  }
}

TEST_CASE("what feeds a beam into a bend does the work that bends it, and, where walls rub, the heat") {
  for (const double friction : {0.0, 0.2}) {
    CAPTURE(friction);
    ChannelProblem problem = into_bend(friction, 80);
    feed(problem, 0.5, 18, 0.5);
    const ChannelOutcome fed = solve_channel(problem);
    REQUIRE(fed.converged);
    double work = 0;
    double heat = 0;
    double released = 0;
    for (const ChannelStep& step : fed.path) {
      work += step.work;
      heat += step.heat;
      released += step.snap_release;
    }
    const double change = fed.path.back().state.bending - fed.path.front().state.bending;
    CHECK(work - heat == doctest::Approx(change + released).epsilon(1e-3));
    CHECK(std::abs(released) < 2e-3 * work);
    CHECK(change > 0.2);
    CHECK((friction > 0) == (heat > 0.01 * work));
  }
}

TEST_CASE("more friction asks for more force to feed the same beam") {
  double before = 0;
  for (const double friction : {0.0, 0.15, 0.3}) {
    ChannelProblem problem = into_bend(friction, 60);
    feed(problem, 0.6, 4, 0.5);
    const ChannelOutcome fed = solve_channel(problem);
    REQUIRE(fed.converged);
    const double force = fed.path.back().state.feed_force;
    CHECK(force > 1.1 * before);
    before = force;
  }
}

TEST_CASE("what cannot be inserted is refused by name") {
  ChannelProblem problem = fits_bend(1, 0, 20);
  feed(problem, 0.5, 1, 0);
  problem.loads.back().insert = 1.5;
  const auto fault = check_channel(problem);
  REQUIRE(fault);
  CHECK(fault->path == "load.insert");
  problem.loads.back() = {Vec2(1, 0), {}};
  CHECK(check_channel(problem));
}

}  // namespace filum::test_insertion
