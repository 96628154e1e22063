// Walls that rub and walls that give, against closed forms.
#include "unit/channel/channel_kit.hpp"

#include "channel/polish.hpp"

#include <doctest/doctest.h>

namespace filum::test_walls {

using namespace filum::channel;
using namespace filum::channel::test;

namespace {

// A beam that fits the bend when nothing acts on it and lies on its outer wall, which is the centreline; a force pushes
// its tip back along the wall.
ChannelProblem in_bend(double angle, double friction, ChannelSliding sliding, int links) {
  ChannelProblem problem;
  problem.channel = quarter_circle(0.1, 0);
  problem.channel.centreline.angle = angle;
  problem.channel.friction = friction;
  problem.sliding = sliding;
  problem.beam = {angle, 1, {{0, 1}}};
  problem.loads = {{-Vec2(std::cos(angle), std::sin(angle)), {}}};
  problem.search.links = links;
  problem.search.k = 1;
  return problem;
}

double growth(double angle, double friction, ChannelSliding sliding, int links) {
  const ChannelOutcome found = solve_channel(in_bend(angle, friction, sliding, links));
  REQUIRE(found.converged);
  const ChannelState& state = found.shapes.at(0);
  // every contact rubs with all its friction, against the sliding
  for (const WallContact& contact : state.contacts) {
    const double sense = sliding == ChannelSliding::In ? -1 : 1;
    CHECK(contact.friction == doctest::Approx(sense * friction * contact.normal).epsilon(1e-9));
  }
  CHECK(state.balance < 1e-7);
  return state.insertion_force / state.end_force.norm();
}

// A thin slit: a beam between two walls that give is a beam on Winkler's foundation.
ChannelProblem on_foundation(double stiffness, const Vec2& force, int links) {
  ChannelProblem problem = wang(straight_channel(2, 6e-7, 6e-7), force, links);
  problem.beam = {1, 1, {}};
  problem.channel.stiffness = stiffness;
  problem.search.k = 1;
  return problem;
}

// The tip's offset by polishing from straight: no search.
Polished at_rest(const ChannelProblem& problem) {
  const Passage passage = passage_of(problem);
  const Beam beam = beam_of(problem, passage);
  return polish(passage, beam, std::vector<double>(static_cast<std::size_t>(beam.links), beam.heading));
}

}  // namespace

TEST_CASE("along a bend with friction the force grows by e^{μβ}, of second order in the links") {
  for (const double angle : {0.7, pi / 2, 2.5})
    for (const double friction : {0.1, 0.35, 0.8})
      for (const ChannelSliding sliding : {ChannelSliding::In, ChannelSliding::Out}) {
        CAPTURE(angle);
        CAPTURE(friction);
        const double exact = std::exp((sliding == ChannelSliding::In ? 1 : -1) * friction * angle);
        const double coarse = std::abs(growth(angle, friction, sliding, 20) / exact - 1);
        const double fine = std::abs(growth(angle, friction, sliding, 40) / exact - 1);
        CHECK(fine < 2e-3);
        CAPTURE(coarse);
        CAPTURE(fine);
        CHECK((coarse > 3 * fine || coarse < 2e-5));
      }
}

TEST_CASE("walls that give: a long beam between them is a semi-infinite beam on Winkler's foundation") {
  // end loaded by F across and P along [Hetenyi1946]: y = e^{−αx} (A cos βx + B sin βx), α², β² = √(k/4EI) ∓ P/4EI,
  // without moment at the end and with EI y‴ + P y′ = F there; y grows beyond bounds at P = √(k EI)
  const double k = 4e6, force = 50;
  for (const double share : {0.0, 0.5, 0.8, 0.9}) {
    const double push = share * std::sqrt(k);
    const double a2 = std::sqrt(k / 4) - push / 4, b2 = std::sqrt(k / 4) + push / 4;
    const double a = std::sqrt(a2), b = std::sqrt(b2);
    const double ratio = (a2 - b2) / (2 * a * b);
    const double shear = (-a * a2 + 3 * a * b2) + (3 * a2 * b - b * b2) * ratio + push * (-a + b * ratio);
    const double exact = force / shear;
    double off[2];
    for (int i = 0; i < 2; ++i) {
      const Polished found = at_rest(on_foundation(k, Vec2(-push, force), 100 << i));
      REQUIRE(found.converged);
      REQUIRE(found.stable);
      off[i] = found.configuration.nodes.back()[1] / exact - 1;
    }
    CAPTURE(share);
    CHECK(std::abs(off[1]) < 0.02 / (1 - share));
    CHECK(std::abs(off[0]) > 3 * std::abs(off[1]));
  }
}

TEST_CASE("the stiffer the walls, the nearer to rigid ones; their energy is in the account") {
  ChannelProblem problem = wang(quarter_circle(0.05, 0.05), Vec2(-150, -150), 40);
  const ChannelOutcome rigid = solve_channel(problem);
  REQUIRE(rigid.converged);
  double before = 0;
  for (const double stiffness : {3e5, 1e6, 1e7, 1e8}) {
    problem.channel.stiffness = stiffness;
    const ChannelOutcome soft = solve_channel(problem);
    CAPTURE(stiffness);
    REQUIRE(soft.converged);
    const ChannelState& state = soft.shapes[0];
    CHECK(state.energy < rigid.shapes[0].energy);
    CHECK(state.energy > before);
    CHECK(state.wall_energy > 0);
    CHECK(state.indentation > 0);
    // each contact presses as deep as its force says
    double stored = 0;
    for (const WallContact& contact : state.contacts) {
      const double share = contact.node == 40 ? 0.5 : 1;
      stored += 0.5 * contact.normal * contact.normal / (share * stiffness * problem.beam.length / 40);
    }
    CHECK(stored == doctest::Approx(state.wall_energy).epsilon(1e-9));
    before = state.energy;
  }
  CHECK(before == doctest::Approx(rigid.shapes[0].energy).epsilon(2e-3));
}

TEST_CASE("friction on a load path: the work is in the energy and in the heat") {
  ChannelProblem problem = wang(quarter_circle(0.02, 0.02), Vec2::Zero(), 40);
  problem.sliding = ChannelSliding::Out;
  problem.loads.clear();
  for (int i = 0; i <= 10; ++i) problem.loads.push_back({Vec2::Zero(), 0.01 + 0.001 * i});
  problem.search.k = 1;
  const ChannelOutcome smooth = solve_channel(problem);
  problem.channel.friction = 0.2;
  const ChannelOutcome found = solve_channel(problem);
  REQUIRE(found.converged);
  double heat = 0;
  int rubbed = 0;
  for (std::size_t i = 1; i < found.path.size(); ++i) {
    const ChannelStep& step = found.path[i];
    REQUIRE(step.state.converged);
    heat += step.heat;
    const double change = step.state.energy - found.path[i - 1].state.energy;
    CHECK(step.work - step.heat - step.snap_release == doctest::Approx(change).epsilon(2e-3));
    // where nothing has touched yet nothing rubs
    rubbed += !step.state.contacts.empty() && step.state.push_force > smooth.path[i].state.push_force;
  }
  CHECK(heat > 0);
  CHECK(rubbed > 5);
}

}  // namespace filum::test_walls
