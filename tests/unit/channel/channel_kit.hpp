// Channels and beams for the tests.
#pragma once

#include "channel/beam.hpp"
#include "channel/viterbi.hpp"

#include <filum/channel.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace filum::channel::test {

using std::numbers::pi;

inline Channel straight_channel(double length, double left, double right) {
  Channel channel;
  channel.centreline.kind = CurveKind::Line;
  channel.centreline.points = {Vec3::Zero(), Vec3(length, 0, 0)};
  channel.left = {{0, left}};
  channel.right = {{0, right}};
  return channel;
}

// A quarter circle of radius 1 that turns left from the origin along +x [Wang2016, section 3.4].
inline Channel quarter_circle(double inner, double outer) {
  Channel channel;
  channel.centreline.kind = CurveKind::Arc;
  channel.centreline.centre = Vec3(0, 1, 0);
  channel.centreline.start = Vec3::Zero();
  channel.centreline.angle = pi / 2;
  channel.left = {{0, inner}};
  channel.right = {{0, outer}};
  return channel;
}

// The same quarter circle in S straight sections, as in [Wang2016, appendix C]: a polygon around it, the first and the
// last section of half length.
inline Channel sectioned_quarter(int sections, double half_width) {
  Channel channel;
  channel.centreline.kind = CurveKind::Points;
  const double turn = pi / 2 / (sections - 1);
  channel.centreline.points = {Vec3::Zero()};
  for (int corner = 0; corner + 1 < sections; ++corner) {
    const double angle = (corner + 0.5) * turn;
    const double radius = 1 / std::cos(turn / 2);
    channel.centreline.points.emplace_back(radius * std::sin(angle), 1 - radius * std::cos(angle), 0);
  }
  channel.centreline.points.emplace_back(1, 1, 0);
  channel.left = {{0, half_width}};
  channel.right = {{0, half_width}};
  return channel;
}

// L = π/2, EI such that forces are T* = T L²/EI.
inline ChannelProblem wang(Channel channel, const Vec2& load, int links) {
  ChannelProblem problem;
  problem.channel = std::move(channel);
  problem.beam.length = pi / 2;
  problem.beam.EI = pi * pi / 4;
  problem.loads = {{load, {}}};
  problem.search.links = links;
  return problem;
}

inline Passage passage_of(const ChannelProblem& problem) {
  return Passage(problem.channel, 1 / problem.beam.length, 0.25);
}

inline Beam beam_of(const ChannelProblem& problem, const Passage& passage) {
  return make_beam(problem, passage, problem.search.links, problem.loads.front());
}

// All linkages of a lattice, by enumeration.
inline std::vector<Linkage> all_linkages(const Trellis& trellis, const Beam& beam) {
  std::vector<Linkage> all;
  const std::vector<bool> allowed = allowed_ends(trellis, beam);
  std::vector<int> links;
  const auto visit = [&](auto&& self, int stage, int node) -> void {
    const LinkTable& table = trellis.table(stage);
    for (int link = table.first[static_cast<std::size_t>(node)]; link < table.first[static_cast<std::size_t>(node + 1)];
         ++link) {
      links.push_back(link);
      const int target = table.target[static_cast<std::size_t>(link)];
      if (stage + 1 < trellis.stages) {
        self(self, stage + 1, target);
      } else if (allowed[static_cast<std::size_t>(target)]) {
        Linkage linkage;
        linkage.links = links;
        set_shape(trellis, beam, linkage);
        linkage.energy = energy(beam, linkage.angles).bending;
        for (int t = 0; t < trellis.stages; ++t)
          linkage.energy += trellis.table(t).load[static_cast<std::size_t>(links[static_cast<std::size_t>(t)])];
        all.push_back(linkage);
      }
      links.pop_back();
    }
  };
  visit(visit, 0, 0);
  std::sort(all.begin(), all.end(), [](const Linkage& a, const Linkage& b) { return a.energy < b.energy; });
  return all;
}

}  // namespace filum::channel::test
