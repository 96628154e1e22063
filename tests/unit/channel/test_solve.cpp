// Whole problems against theory and against the published cases.
#include "threads/thread_team.hpp"
#include "published/wang_channel.hpp"
#include "unit/channel/channel_kit.hpp"

#include "channel/polish.hpp"

#include <doctest/doctest.h>

namespace filum::test_solve {

using namespace filum::channel;
using namespace filum::channel::test;

namespace {

// Walls so far away that they are not met.
ChannelProblem free_beam(const Vec2& load, int links) {
  return wang(straight_channel(2, 4, 4), load, links);
}

Polished from_angle(const ChannelProblem& problem, double slope) {
  const Passage passage = passage_of(problem);
  const Beam beam = beam_of(problem, passage);
  std::vector<double> angles(static_cast<std::size_t>(beam.links), 0.0);
  for (std::size_t i = 1; i < angles.size(); ++i) angles[i] = slope * static_cast<double>(i) / beam.links;
  return polish(passage, beam, angles);
}

void check_equilibrium(const ChannelProblem& problem, const ChannelState& state) {
  CHECK(state.converged);
  CHECK(state.stable);
  CHECK(state.breach < 1e-9);
  // of the load, as moments EI/L
  const double scale = 1 + problem.loads.front().force.norm();
  CHECK(state.kkt < 1e-5 * scale);
  CHECK(state.balance < 1e-6 * scale);
  for (const WallContact& contact : state.contacts) CHECK(contact.force.norm() > 0);
  // the clamp carries what walls and tip do not
  Vec2 sum = state.end_force + state.clamp_force;
  for (const WallContact& contact : state.contacts) sum += contact.force;
  CHECK(sum.norm() < 1e-9 * scale);
}

}  // namespace

TEST_CASE("a free cantilever buckles at π²/4 EI/L²") {
  const double critical = pi * pi / 4;
  CHECK(from_angle(free_beam(Vec2(-0.999 * critical, 0), 100), 0).stable);
  CHECK_FALSE(from_angle(free_beam(Vec2(-1.001 * critical, 0), 100), 0).stable);
}

TEST_CASE("after buckling the cantilever is an elastica") {
  // P/Pcr, x/L, y/L at end slopes of 60° and 90°, by elliptic integrals
  const double table[2][3] = {{1.151720, 0.7410196, 0.5932076}, {1.3932039, 0.4569466, 0.7627598}};
  for (const auto& row : table) {
    double off[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      const int links = 30 << i;
      const Polished found = from_angle(free_beam(Vec2(-row[0] * pi * pi / 4, 0), links), 1.0);
      REQUIRE(found.converged);
      REQUIRE(found.stable);
      const Vec2 tip = found.configuration.nodes.back();
      off[i] = std::hypot(tip[0] - row[1], std::abs(tip[1]) - row[2]);
    }
    // second order, and within half a per cent of the length at 60 links
    CHECK(off[1] < 0.005);
    CHECK(off[0] > 3 * off[1]);
  }
}

TEST_CASE("a small load across bends the tip by T L³/3EI") {
  const Polished found = from_angle(free_beam(Vec2(0, 0.05), 160), 0);
  CHECK(found.configuration.nodes.back()[1] == doctest::Approx(0.05 / 3).epsilon(1e-3));
}

TEST_CASE("the wide circular channel at T* = 500: lower than the published search can see") {
  ChannelProblem problem = wang(quarter_circle(0.05, 0.05), Vec2(-500, -500), 60);
  const ChannelOutcome outcome = solve_channel(problem, {thread_team(), {}});
  REQUIRE(outcome.converged);
  REQUIRE(outcome.shapes.size() >= 2);
  for (const ChannelState& state : outcome.shapes) check_equilibrium(problem, state);
  // the heuristic's shape polished has U = 96.212 and is the second one
  CHECK(outcome.shapes[0].dimensionless < 96.212 * 1.001);
  CHECK(outcome.shapes[0].dimensionless == doctest::Approx(94.0759).epsilon(1e-4));
  for (std::size_t i = 1; i < outcome.shapes.size(); ++i)
    CHECK(outcome.shapes[i].energy >= outcome.shapes[i - 1].energy);
  // far below the beam along the centreline, π²/8 + |T*| (4/π − 1)
  CHECK(outcome.shapes[0].dimensionless < pi * pi / 8 + 500 * (4 / pi - 1));
}

TEST_CASE("the narrow circular channel at T* = 2500") {
  ChannelProblem problem = wang(quarter_circle(0.01, 0.01), Vec2(-2500, -2500), 45);
  const ChannelOutcome outcome = solve_channel(problem);
  REQUIRE(outcome.converged);
  check_equilibrium(problem, outcome.shapes[0]);
  // the heuristic's shape polished has 646.01; published: 621.56 by the search, 636.27 by an active set
  CHECK(outcome.shapes[0].dimensionless < 646.01 * 1.001);
}

TEST_CASE("a pulled beam lies against the inner wall alone") {
  ChannelProblem problem = wang(quarter_circle(0.05, 0.05), Vec2(-10, 100), 60);
  const ChannelOutcome outcome = solve_channel(problem);
  REQUIRE(outcome.converged);
  check_equilibrium(problem, outcome.shapes[0]);
  CHECK(outcome.shapes[0].contacts.size() > 3);
  for (const WallContact& contact : outcome.shapes[0].contacts) CHECK(contact.left);
}

TEST_CASE("a pushed tip is where it was pushed, and the force is found") {
  for (const ChannelTip tip : {ChannelTip::Centre, ChannelTip::Free}) {
    ChannelProblem problem = wang(quarter_circle(0.05, 0.05), Vec2::Zero(), 60);
    problem.loads = {{Vec2::Zero(), 0.05}};
    problem.tip = tip;
    const ChannelOutcome outcome = solve_channel(problem);
    REQUIRE(outcome.converged);
    const ChannelState& state = outcome.shapes[0];
    CHECK(std::abs(state.tip_along - (pi / 2 - 0.05)) < 1e-4 * pi / 2);
    CHECK(state.push_force > 0);
    check_equilibrium(problem, state);
  }
}

TEST_CASE("what folds back is not called an equilibrium") {
  // at T* = 700 the published shape is held by the lattice alone, which has no link that leads back
  ChannelProblem problem = wang(quarter_circle(0.05, 0.05), Vec2(-700, -700), 60);
  problem.search.k = 1;
  const ChannelOutcome outcome = solve_channel(problem);
  CHECK_FALSE(outcome.converged);
  CHECK(outcome.why.find("folds back") != std::string::npos);
  REQUIRE(!outcome.shapes.empty());
  CHECK(std::isfinite(outcome.shapes[0].energy));
}

TEST_CASE("bit by bit the same with any number of threads") {
  ChannelProblem problem = wang(sectioned_quarter(8, 0.05), Vec2(-300, -300), 40);
  const ChannelOutcome one = solve_channel(problem);
  const ChannelOutcome three = solve_channel(problem, {thread_team(3), {}});
  REQUIRE(one.shapes.size() == three.shapes.size());
  for (std::size_t k = 0; k < one.shapes.size(); ++k) {
    CHECK(one.shapes[k].energy == three.shapes[k].energy);
    CHECK(one.shapes[k].angles == three.shapes[k].angles);
  }
}

TEST_CASE("a rest curvature, an offset channel, a throat: general channels come to rest") {
  Channel channel;
  channel.centreline.kind = CurveKind::Spline;
  channel.centreline.points = {Vec3(0, 0, 0), Vec3(0.4, 0.05, 0), Vec3(0.8, -0.1, 0), Vec3(1.2, 0.1, 0)};
  channel.left = {{0, 0.03}, {0.5, 0.015}, {1, 0.04}};
  channel.right = {{0, 0.02}, {0.7, 0.03}};
  ChannelProblem problem;
  problem.channel = channel;
  problem.beam = {1.1, 2e-3, {{0, 1}, {1.1, -2}}};
  problem.loads = {{Vec2(-0.3, 0.1), {}}};
  problem.search.links = 50;
  REQUIRE_FALSE(check_channel(problem).has_value());
  const ChannelOutcome outcome = solve_channel(problem);
  REQUIRE(outcome.converged);
  check_equilibrium(problem, outcome.shapes[0]);
}

TEST_CASE("a load path follows its branch and tells of snaps") {
  // a straight channel: the buckled beam touches the wall, then snaps to a higher mode
  ChannelProblem problem = wang(straight_channel(2, 0.1, 0.1), Vec2::Zero(), 40);
  problem.loads.clear();
  for (int i = 0; i <= 12; ++i) problem.loads.push_back({Vec2::Zero(), 0.002 + 0.006 * i});
  problem.search.k = 1;
  const ChannelOutcome outcome = solve_channel(problem);
  REQUIRE(outcome.path.size() == problem.loads.size());
  for (const ChannelStep& step : outcome.path) {
    if (!step.state.converged) continue;
    CHECK(step.state.tip_along == doctest::Approx(pi / 2 - *step.load.push).epsilon(1e-9));
    CHECK(step.state.breach < 1e-9);
    if (step.snapped) CHECK(step.snap_release > 0);
  }
}

TEST_CASE("along a load path the energy changes by the work, or the step is told to snap") {
  // the buckled beam has met the walls and goes over to more waves within 1e-5 of its length
  ChannelProblem problem = wang(straight_channel(1.2, 0.03, 0.03), Vec2::Zero(), 50);
  problem.beam.length = 1;
  problem.beam.EI = 1;
  problem.loads.clear();
  for (int i = 0; i <= 20; ++i) problem.loads.push_back({Vec2::Zero(), 0.0005 + 0.0005 * i});
  for (int i = 0; i <= 20; ++i) problem.loads.push_back({Vec2::Zero(), 0.0107 + 0.00003 * i});
  problem.search.k = 1;
  const ChannelOutcome outcome = solve_channel(problem);
  REQUIRE(outcome.path.size() == problem.loads.size());
  int snaps = 0;
  for (std::size_t i = 1; i < outcome.path.size(); ++i) {
    const ChannelState& before = outcome.path[i - 1].state;
    const ChannelState& after = outcome.path[i].state;
    REQUIRE(after.converged);
    const double push = *outcome.path[i].load.push - *outcome.path[i - 1].load.push;
    const double work = 0.5 * (before.push_force + after.push_force) * push;
    CAPTURE(i);
    if (outcome.path[i].snapped) {
      ++snaps;
      CHECK(outcome.path[i].snap_release > 0);
    } else if (i > 21) {
      // steps so short that the trapezium is as good as the integral
      CHECK(after.energy - before.energy == doctest::Approx(work).epsilon(2e-3));
    }
  }
  CHECK(snaps > 0);
}

TEST_CASE("a lattice that nobody chose is made finer where it shows no equilibrium") {
  ChannelProblem problem = wang(straight_channel(1.3, 0.11978844107097239, 0.11978844107097239),
                                Vec2(-26.83326781500618, 8.390880416712875), 5);
  problem.beam = {1, 1, {{0, -2.977527389933236}, {1, 2.1997612229653}}};
  problem.search.k = 5;
  const ChannelOutcome chosen = solve_channel(problem);
  problem.search.levels = 201;
  const ChannelOutcome fine = solve_channel(problem);
  REQUIRE(fine.converged);
  REQUIRE(chosen.converged);
  CHECK(chosen.shapes[0].energy == doctest::Approx(fine.shapes[0].energy).epsilon(1e-9));
}

TEST_SUITE("long") {
  TEST_CASE("what the arc position in the state gains over the published heuristic") {
    // the same circle in S = 40 sections, finely: the heuristic does not come as low as the search's equilibrium
    const published::WangChannel heuristic{.sections = 40, .links = 60, .levels = 151, .load = {-500, -500}};
    const double published_way = published::wang_search(heuristic).energy;
    ChannelProblem problem = wang(quarter_circle(0.05, 0.05), Vec2(-500, -500), 60);
    const double ours = solve_channel(problem).shapes.at(0).dimensionless;
    MESSAGE("U: heuristic ", published_way, ", ours ", ours);
    CHECK(ours < published_way - 1);
  }
}

}  // namespace filum::test_solve
