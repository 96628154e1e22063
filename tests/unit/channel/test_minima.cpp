// The list of shapes against a search of its own: random starts, brought to rest one by one.
#include "channel/polish.hpp"
#include "unit/channel/channel_kit.hpp"

#include <doctest/doctest.h>

namespace filum::test_minima {

using namespace filum::channel;
using namespace filum::channel::test;

namespace {

// A random problem of few links in a straight, bent or tapered channel.
ChannelProblem random_problem(std::mt19937& random, int links) {
  std::uniform_real_distribution<double> unit(0, 1);
  const auto between = [&](double low, double high) { return low + (high - low) * unit(random); };
  ChannelProblem problem;
  const double width = between(0.05, 0.2);
  if (unit(random) < 0.5) {
    problem.channel = straight_channel(1.3, width / 2, width / 2);
    if (unit(random) < 0.3) problem.channel.left = {{0, width / 2}, {1, between(0.5, 1) * width}};
  } else {
    const double turn = between(0.4, 1.5);
    problem.channel = quarter_circle(width / 2, width / 2);
    problem.channel.centreline.centre = Vec3(0, 1.3 / turn, 0);
    problem.channel.centreline.angle = turn;
  }
  problem.beam = {1, 1, {{0, between(-3, 3)}, {1, between(-3, 3)}}};
  const double push = between(0, 0.6) / (width * width);
  problem.loads = {{Vec2(-push, between(-0.3, 0.3) * push), {}}};
  problem.search.links = links;
  problem.search.k = 5;
  return problem;
}

// Nodes anywhere across the channel, each link as steep as it takes.
std::vector<double> random_headings(const Passage& passage, const Beam& beam, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<double> angles;
  double y = 0;
  for (int i = 0; i < beam.links; ++i) {
    const Ruling ruling = passage.ruling(passage.u_of((i + 1.0) / beam.links));
    const double to = unit(random) * 0.5 * (ruling.left + ruling.right) + 0.5 * (ruling.left - ruling.right);
    angles.push_back(ruling.heading + std::asin(std::clamp((to - y) / beam.step, -0.95, 0.95)));
    y = to;
  }
  return angles;
}

// Energies of all minima that random starts lead to, lowest first.
std::vector<double> by_random_starts(const ChannelProblem& problem, std::mt19937& random, int starts) {
  const Passage passage = passage_of(problem);
  const Beam beam = beam_of(problem, passage);
  std::vector<double> energies;
  for (int start = 0; start < starts; ++start) {
    const Polished found = polish(passage, beam, random_headings(passage, beam, random));
    if (!found.converged || !found.stable || !forward(found.configuration.angles, found.configuration.places)) continue;
    const double value = energy(beam, found.configuration.angles).total();
    const bool known = std::any_of(energies.begin(), energies.end(), [&](double other) {
      return std::abs(other - value) < 1e-4 * (1 + std::abs(value));
    });
    if (!known) energies.push_back(value);
  }
  std::sort(energies.begin(), energies.end());
  return energies;
}

struct Tally {
  int problems = 0, missed = 0, said = 0, none = 0;
};

// How many minima below the highest listed are not listed, in problems that are said to be complete or not.
void compare(unsigned seed, int links, int starts, Tally& tally) {
  std::mt19937 random(seed);
  const ChannelProblem problem = random_problem(random, links);
  if (check_channel(problem)) return;
  const std::vector<double> all = by_random_starts(problem, random, starts);
  const ChannelOutcome found = solve_channel(problem);
  ++tally.problems;
  if (all.empty()) return;
  if (!found.converged) {
    ++tally.none;
    MESSAGE("seed ", seed, " links ", links, ": none listed, lowest of random starts ", all.front());
    return;
  }
  const double highest = static_cast<int>(found.shapes.size()) < problem.search.k
                             ? 1e300
                             : found.shapes.back().dimensionless;
  int missed = 0;
  for (const double value : all) {
    const double room = 1e-3 * (1 + std::abs(value));
    if (value >= highest - room) break;
    missed += std::none_of(found.shapes.begin(), found.shapes.end(),
                           [&](const ChannelState& state) { return std::abs(state.dimensionless - value) < room; });
  }
  if (missed == 0) return;
  tally.said += !found.catalogue.complete;
  tally.missed += found.catalogue.complete;
  if (found.catalogue.complete) MESSAGE("seed ", seed, " links ", links, ": ", missed, " missed of ", all.size());
}

}  // namespace

TEST_CASE("every minimum that random starts find below the highest listed is listed, or the list is said to be incomplete") {
  Tally tally;
  for (unsigned seed = 1; seed <= 40; ++seed) compare(seed, 4 + static_cast<int>(seed % 5), 150, tally);
  MESSAGE(tally.problems, " problems, ", tally.missed, " with minima missed, ", tally.said, " said to be incomplete");
  CHECK(tally.problems > 30);
  CHECK(tally.none == 0);
  CHECK(tally.missed == 0);
}

// Two of these starts got stuck in the descent, with forces of walls that they had left.
TEST_CASE("what is called at rest is pressed by walls that it touches, and by no others") {
  std::mt19937 random(10022);
  const ChannelProblem problem = random_problem(random, 9);
  const Passage passage = passage_of(problem);
  const Beam beam = beam_of(problem, passage);
  int rested = 0;
  double apart = 0;
  for (int start = 0; start < 1000; ++start) {
    const Polished found = polish(passage, beam, random_headings(passage, beam, random));
    rested += found.converged;
    for (std::size_t r = 0; found.converged && r < found.rows.size(); ++r)
      if (found.force[r] > 0) apart = std::max(apart, found.rows[r].value);
  }
  CHECK(rested > 900);
  CHECK(apart < 1e-9);
}

// The tubes around the second shape of each hold the lowest one too.
TEST_CASE("a shape whose tubes lead to a lower one is listed nevertheless") {
  Tally tally;
  for (const unsigned seed : {1090U, 1111U, 1160U}) compare(seed, 9, 300, tally);
  CHECK(tally.problems == 3);
  CHECK(tally.missed == 0);
  CHECK(tally.said == 0);
}

// Its headings alone, without the forces of its contacts, lead to the next one.
TEST_CASE("a minimum so shallow that it is not found again from its own shape is listed") {
  Tally tally;
  compare(2218, 10, 300, tally);
  CHECK(tally.problems == 1);
  CHECK(tally.missed == 0);
  CHECK(tally.said == 0);
}

TEST_SUITE("long") {
  TEST_CASE("beams of thirty links: what other random starts find below the highest listed is listed, or the list says so") {
    Tally tally;
    for (unsigned seed = 1; seed <= 6; ++seed) compare(seed, 30, 60, tally);
    MESSAGE(tally.problems, " problems, ", tally.missed, " with minima missed, ", tally.said, " said to be incomplete");
    CHECK(tally.problems >= 4);
    CHECK(tally.none == 0);
    CHECK(tally.missed == 0);
  }

  TEST_CASE("of four hundred lists none that is said to be complete lacks a minimum") {
    Tally tally;
    for (unsigned seed = 1000; seed < 1400; ++seed) compare(seed, 4 + static_cast<int>(seed % 7), 300, tally);
    MESSAGE(tally.problems, " problems, ", tally.missed, " with minima missed, ", tally.said, " said to be incomplete");
    CHECK(tally.none == 0);
    CHECK(tally.missed == 0);
  }
}

}  // namespace filum::test_minima
