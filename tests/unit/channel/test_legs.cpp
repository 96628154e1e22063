// The fast sweep over straight sections against the plain port of the published search, state by state the same.
#include "channel/leg_linkages.hpp"
#include "channel/leg_sweep.hpp"
#include "threads/thread_team.hpp"
#include "published/wang_channel.hpp"
#include "unit/channel/channel_kit.hpp"

#include <doctest/doctest.h>

namespace filum::test_legs {

using namespace filum::channel;
using namespace filum::channel::test;
using published::wang_search;
using published::WangChannel;

namespace {

// The published quarter circle as one of our channels; the inner wall's distance is linear, so that its cubics are.
ChannelProblem as_ours(const WangChannel& given) {
  Channel channel = quarter_circle(given.inner_start, given.outer);
  if (given.inner_end != given.inner_start) channel.left = {{0, given.inner_start}, {pi / 2, given.inner_end}};
  return wang(std::move(channel), given.load, given.links);
}

LegSweep ours(const WangChannel& given, const ParallelFor& parallel = {}) {
  const ChannelProblem problem = as_ours(given);
  const Passage passage = passage_of(problem);
  const Beam beam = beam_of(problem, passage);
  return sweep_legs(leg_lattice(passage, beam, given.sections, given.levels, 0.25), beam, 1, parallel);
}

void compare(const WangChannel& given) {
  const LegSweep found = ours(given);
  const double published = wang_search(given).energy;
  INFO("S ", given.sections, " N ", given.links, " M ", given.levels);
  if (!std::isfinite(published)) {
    CHECK(found.linkages.empty());
    return;
  }
  REQUIRE(found.linkages.size() == 1);
  // round-off of sums of N terms
  CHECK(std::abs(found.linkages[0].energy - published) <= 1e-12 * (1 + std::abs(published)) * given.links);
}

}  // namespace

TEST_CASE("the fast sweep has the energy of the published search on the same lattice") {
  compare({.sections = 4, .links = 12, .levels = 7, .load = {-60, -60}});
  compare({.sections = 7, .links = 25, .levels = 15, .load = {-200, -200}});
  compare({.sections = 10, .links = 60, .levels = 41, .load = {-500, -500}});
  compare({.sections = 10, .links = 60, .levels = 62, .load = {-700, -700}});
  compare({.sections = 20, .links = 45, .levels = 41, .load = {-350, -100}});
  compare({.sections = 40, .links = 60, .levels = 31, .load = {-500, -500}});
  // pulled, and across
  compare({.sections = 10, .links = 40, .levels = 31, .load = {-10, 300}});
  compare({.sections = 10, .links = 40, .levels = 31, .load = {400, -400}});
  // wide: links lead to all levels; narrow: many levels in reach
  compare({.outer = 0.3,
           .inner_start = 0.2,
           .inner_end = 0.2,
           .sections = 6,
           .links = 20,
           .levels = 21,
           .load = {-50, -50}});
  compare({.outer = 0.01,
           .inner_start = 0.01,
           .inner_end = 0.01,
           .sections = 20,
           .links = 45,
           .levels = 41,
           .load = {-2500, -2500}});
  // levels too far apart for a link: nothing but straight on
  compare({.outer = 0.3,
           .inner_start = 0.3,
           .inner_end = 0.3,
           .sections = 10,
           .links = 60,
           .levels = 3,
           .load = {-50, -50}});
}

TEST_CASE("where widths change as well") {
  for (const auto& [start, end] : {std::pair{0.05, 0.10}, std::pair{0.10, 0.05}})
    compare({.inner_start = start, .inner_end = end, .sections = 8, .links = 50, .levels = 41, .load = {-500, -500}});
}

TEST_CASE("in a straight channel the fast sweep finds what enumeration finds") {
  for (const int levels : {3, 4, 5}) {
    ChannelProblem problem = wang(straight_channel(2, 0.2, 0.2), Vec2(-40, 9), 6);
    problem.beam.curvature = {{0, 0.4}};
    const Passage passage = passage_of(problem);
    const Beam beam = beam_of(problem, passage);
    // not a level of four is the clamp's: the sweep starts at the clamp itself, like the lattice
    const std::vector<Linkage> all = all_linkages(full_lattice(passage, beam, levels, 4, {}), beam);
    for (const int sections : {2, 5}) {
      const LegSweep found =
          sweep_legs(leg_lattice(passage, beam, sections, levels, 0.25), beam, 1, thread_team(2));
      REQUIRE(found.linkages.size() == 1);
      CHECK(std::abs(found.linkages[0].energy - all.front().energy) <= 1e-12 * (1 + std::abs(all.front().energy)));
      CHECK(energy(beam, found.linkages[0].angles).total() == doctest::Approx(found.linkages[0].energy).epsilon(1e-12));
    }
  }
}

TEST_CASE("any number of threads gives the same bits") {
  const WangChannel given{.sections = 10, .links = 40, .levels = 61, .load = {-400, -400}};
  const LegSweep one = ours(given), three = ours(given, thread_team(3));
  CHECK(one.linkages.at(0).energy == three.linkages.at(0).energy);
  CHECK(one.linkages.at(0).angles == three.linkages.at(0).angles);
}

TEST_CASE("shapes by sections come to rest between the true walls") {
  Channel wavy;
  wavy.centreline.kind = CurveKind::Spline;
  wavy.centreline.points = {Vec3(0, 0, 0), Vec3(0.5, 0.1, 0), Vec3(1, -0.15, 0), Vec3(1.7, 0.2, 0)};
  wavy.left = {{0, 0.04}, {0.8, 0.03}};
  wavy.right = {{0, 0.04}};
  Channel corners = wavy;
  corners.centreline.kind = CurveKind::Points;
  corners.centreline.points = {Vec3(0, 0, 0), Vec3(0.6, 0, 0), Vec3(1.1, 0.5, 0), Vec3(1.8, 0.5, 0)};
  for (const Channel& channel : {quarter_circle(0.05, 0.05), wavy, corners}) {
    ChannelProblem problem = wang(channel, Vec2(-250, -60), 50);
    problem.search.method = ChannelMethod::Sections;
    REQUIRE_FALSE(check_channel(problem).has_value());
    const ChannelOutcome fast = solve_channel(problem);
    REQUIRE(fast.converged);
    CHECK(fast.shapes[0].stable);
    CHECK(fast.shapes[0].breach < 1e-9);
    CHECK(fast.shapes[0].refinement.front().what == "sections");
    // never lower than what the exact search leads to
    problem.search.method = ChannelMethod::Lattice;
    const double lowest = solve_channel(problem).shapes.at(0).energy;
    CHECK(fast.shapes[0].energy >= lowest - 1e-9 * std::abs(lowest));
  }
}

TEST_CASE("finer sections hardly change the energy [S = 20 against 40]") {
  // a coarser lattice than the source's, on which the state's missing place along shows less than a thousandth
  const WangChannel twenty{.sections = 20, .links = 60, .levels = 151, .load = {-500, -500}};
  WangChannel forty = twenty;
  forty.sections = 40;
  const double a = ours(twenty).linkages.at(0).energy, b = ours(forty).linkages.at(0).energy;
  CHECK(std::abs(a / b - 1) < 1e-3);
}

TEST_SUITE("long") {
  TEST_CASE("the published case, N = 60, M = 301, S = 10") {
    for (const double load : {350.0, 500.0, 700.0}) compare({.load = {-load, -load}});
  }
  TEST_CASE("finer sections hardly change the energy, with the published levels") {
    const double a = ours({.sections = 20, .load = {-500, -500}}).linkages.at(0).energy;
    const double b = ours({.sections = 40, .load = {-500, -500}}).linkages.at(0).energy;
    CHECK(std::abs(a / b - 1) < 1e-3);
    // recomputed with another port
    CHECK(std::abs(a / 96.637 - 1) < 1e-3);
    CHECK(std::abs(b / 96.636 - 1) < 1e-3);
  }
}

}  // namespace filum::test_legs
