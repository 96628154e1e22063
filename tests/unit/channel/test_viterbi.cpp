// The search against enumeration of every linkage.
#include "unit/channel/channel_kit.hpp"

#include <doctest/doctest.h>

#include <set>

namespace filum::test_viterbi {

using namespace filum::channel;
using namespace filum::channel::test;

namespace {

// Equal sums in another order: round-off of some ten terms.
constexpr double kSame = 1e-12;

void compare(const ChannelProblem& problem, int levels, int arc_steps) {
  const Passage passage = passage_of(problem);
  const Beam beam = beam_of(problem, passage);
  const Trellis trellis = full_lattice(passage, beam, levels, arc_steps, {});
  const std::vector<Linkage> all = all_linkages(trellis, beam);
  const Sweep swept = sweep(trellis, beam, true, {});
  const Linkage best = lowest(trellis, beam, swept);
  if (all.empty()) {
    CHECK(best.energy == kNever);
    return;
  }
  const double scale = 1 + std::abs(all.front().energy);
  CHECK(std::abs(best.energy - all.front().energy) <= kSame * scale);
  // where links have their exact length, the linkage's energy is the beam's
  if (trellis.rulings == 1) CHECK(std::abs(energy(beam, best.angles).total() - best.energy) <= kSame * scale);
  // the k lowest: sorted, all different, the energies of the enumeration
  const std::vector<Linkage> list = k_lowest(trellis, beam, swept, 5);
  REQUIRE(list.size() == std::min<std::size_t>(5, all.size()));
  std::set<std::vector<int>> different;
  for (std::size_t i = 0; i < list.size(); ++i) {
    CHECK(std::abs(list[i].energy - all[i].energy) <= kSame * scale);
    if (i > 0) CHECK(list[i].energy >= list[i - 1].energy - kSame * scale);
    different.insert(list[i].links);
  }
  CHECK(different.size() == list.size());
}

}  // namespace

TEST_CASE("straight channels: the search finds what enumeration finds, and the five lowest") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> real(-1, 1);
  for (int trial = 0; trial < 60; ++trial) {
    ChannelProblem problem = wang(straight_channel(2, 0.3 + 0.2 * real(random), 0.3 + 0.2 * real(random)),
                                  Vec2(60 * real(random), 60 * real(random)), 3 + trial % 5);
    problem.beam.curvature = {{0, real(random)}};
    compare(problem, 2 + trial % 4, 4);
  }
}

TEST_CASE("curved channels: with the arc position in the state the search finds what enumeration finds") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> real(-1, 1);
  for (int trial = 0; trial < 30; ++trial) {
    Channel channel = trial % 2 ? quarter_circle(0.2 + 0.1 * real(random), 0.2 + 0.1 * real(random))
                                : sectioned_quarter(4, 0.15 + 0.1 * real(random));
    if (trial % 3 == 0) channel.left = {{0, 0.2}, {1, 0.1}};
    const ChannelProblem problem = wang(channel, Vec2(80 * real(random), 80 * real(random)), 4 + trial % 3);
    compare(problem, 3 + trial % 3, 3);
  }
}

TEST_CASE("pushed tips: the search finds what enumeration finds") {
  for (const double push : {0.0, 0.1, 0.25}) {
    ChannelProblem problem = wang(quarter_circle(0.2, 0.2), Vec2::Zero(), 6);
    problem.loads = {{Vec2::Zero(), push}};
    compare(problem, 5, 4);
    problem.tip = ChannelTip::Centre;
    compare(problem, 5, 4);
  }
}

TEST_CASE("four links on three levels: two mirror shapes of the same energy [Wang2016, section 3.2.1]") {
  // the loads of the source's figure are not given; any push along the axis has mirror shapes
  const ChannelProblem problem = wang(straight_channel(2, 0.3, 0.3), Vec2(-30, 0), 4);
  const Passage passage = passage_of(problem);
  const Beam beam = beam_of(problem, passage);
  const Trellis trellis = full_lattice(passage, beam, 3, 4, {});
  CHECK(trellis.rulings == 1);
  const std::vector<Linkage> two = k_lowest(trellis, beam, sweep(trellis, beam, true, {}), 3);
  REQUIRE(two.size() == 3);
  CHECK(two[0].energy == two[1].energy);
  CHECK(two[2].energy > two[1].energy + 0.1);
  for (std::size_t i = 0; i < two[0].angles.size(); ++i) CHECK(two[0].angles[i] == -two[1].angles[i]);
  CHECK(std::abs(two[0].energy - all_linkages(trellis, beam).front().energy) <= kSame * 10);
  CHECK(two[0].energy < 0);
}

}  // namespace filum::test_viterbi
