#include "bench/channel.hpp"

#include "channel/leg_sweep.hpp"
#include "channel/viterbi.hpp"
#include "threads/thread_team.hpp"
#include "published/wang_channel.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

namespace filum::bench {
namespace {

using std::numbers::pi;
constexpr int kSections = 10;
constexpr int kLinks = 60;
constexpr double kLoad = 500;

// The source's sections: a polygon about the quarter circle.
ChannelProblem sectioned_bend() {
  ChannelProblem problem;
  Curve& line = problem.channel.centreline;
  line.kind = CurveKind::Points;
  line.points = {Vec3::Zero()};
  const double turn = pi / 2 / (kSections - 1);
  for (int corner = 0; corner + 1 < kSections; ++corner) {
    const double angle = (corner + 0.5) * turn;
    const double radius = 1 / std::cos(turn / 2);
    line.points.emplace_back(radius * std::sin(angle), 1 - radius * std::cos(angle), 0);
  }
  line.points.emplace_back(1, 1, 0);
  problem.channel.left = problem.channel.right = {{0, 0.05}};
  problem.beam.length = pi / 2;
  problem.beam.EI = pi * pi / 4;
  problem.loads = {{Vec2(-kLoad, -kLoad), {}}};
  problem.search.links = kLinks;
  problem.search.k = 1;
  return problem;
}

// The circle itself: cut into sections it has the published walls, to the last digit.
ChannelProblem round_bend() {
  ChannelProblem problem = sectioned_bend();
  problem.channel.centreline = {};
  problem.channel.centreline.kind = CurveKind::Arc;
  problem.channel.centreline.centre = Vec3(0, 1, 0);
  problem.channel.centreline.angle = pi / 2;
  return problem;
}

// Work whose outcome is one number.
Work number_of(std::function<double()> run) {
  const auto value = std::make_shared<double>(0);
  return Work{.reset = [value] { *value = 0; },
              .run = [value, run = std::move(run)] { *value = run(); },
              .hash =
                  [value] {
                    return hash_of({value.get(), 1});
                  }};
}

}  // namespace

Bench channel_published(int levels) {
  return {.name = "channel-published-" + std::to_string(levels),
          .per = "search",
          .make =
              [levels] {
                return number_of([levels] {
                  const published::WangChannel channel{
                      .sections = kSections, .links = kLinks, .levels = levels, .load = Vec2(-kLoad, -kLoad)};
                  return published::wang_search(channel).energy;
                });
              },
          .slow = levels > 150};
}

Bench channel_sections(int levels) {
  return {.name = "channel-sections-" + std::to_string(levels),
          .per = "search",
          .make =
              [levels] {
                const ParallelFor parallel = thread_team();
                return number_of([levels, parallel] {
                  const ChannelProblem problem = round_bend();
                  const channel::Passage passage(problem.channel, 1 / problem.beam.length, 0.25);
                  const channel::Beam beam = channel::make_beam(problem, passage, kLinks, problem.loads.front());
                  const auto lattice = channel::leg_lattice(passage, beam, kSections, levels, 0.25);
                  return channel::sweep_legs(lattice, beam, 1, parallel).linkages.front().energy;
                });
              },
          .slow = levels > 150};
}

Bench channel_exact(int levels) {
  return {.name = "channel-exact-" + std::to_string(levels),
          .per = "search",
          .make =
              [levels] {
                const ParallelFor parallel = thread_team();
                return number_of([levels, parallel] {
                  const ChannelProblem problem = sectioned_bend();
                  const channel::Passage passage(problem.channel, 1 / problem.beam.length, 0.25);
                  const channel::Beam beam = channel::make_beam(problem, passage, kLinks, problem.loads.front());
                  const channel::Trellis trellis = channel::full_lattice(passage, beam, levels, 4, parallel);
                  return channel::lowest(trellis, beam, channel::sweep(trellis, beam, false, parallel)).energy;
                });
              },
          .slow = levels > 150};
}

Bench channel_coarse_to_fine() {
  return {.name = "channel-coarse-to-fine", .per = "problem", .make = [] {
            const ParallelFor parallel = thread_team();
            return number_of([parallel] {
              return solve_channel(sectioned_bend(), {parallel, {}}).shapes.front().dimensionless;
            });
          }};
}

}  // namespace filum::bench
