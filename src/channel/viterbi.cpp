#include "channel/viterbi.hpp"

#include "base/index.hpp"
#include "channel/min_plus.hpp"
#include "channel/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

// The nodes of a layer that may have been reached: [begin, end).
struct Reached {
  int begin = 0;
  int end = 0;
};

// Energies of the links of one table, of which only those from reached nodes count.
struct Costs {
  std::vector<double> value;
  int begin = 0, end = 0;  // links
  [[nodiscard]] double of(std::int32_t link) const {
    return link >= begin && link < end ? value[at(link - begin)] : kNever;
  }
};

// Scratch of one piece of work.
struct Gathered {
  std::vector<double> angle, cost;
  std::vector<std::uint16_t> place, arg;
  MinPlus min_plus;
};

Reached targets_of(const LinkTable& table, const Costs& costs) {
  Reached reached{table.targets(), 0};
  for (int link = costs.begin; link < costs.end; ++link) {
    if (costs.value[at(link - costs.begin)] == kNever) continue;
    reached.begin = std::min(reached.begin, static_cast<int>(table.target[at(link)]));
    reached.end = std::max(reached.end, static_cast<int>(table.target[at(link)]) + 1);
  }
  return reached;
}

// The links of one node: energies and pointers.
struct Way {
  const LinkTable& into;
  const Costs& before;
  const LinkTable& out;
  double stiffness, rest;
};

void pass_node(const Way& way, int node, Gathered& g, double* cost, std::uint16_t* back) {
  const int first = way.out.first[at(node)];
  const int count = way.out.first[at(node + 1)] - first;
  if (count == 0) return;
  // incoming links that a linkage has reached
  const int in = way.into.in_first[at(node)];
  const int in_count = way.into.in_first[at(node + 1)] - in;
  g.angle.resize(at(in_count)), g.cost.resize(at(in_count)), g.place.resize(at(in_count));
  const std::int32_t* links = way.into.in_link.data() + in;
  int reached = 0;
  for (int i = 0; i < in_count; ++i) {
    const double value = way.before.of(links[i]);
    // written in any case and counted if reached: no branch to guess
    g.angle[at(reached)] = way.into.in_angle[at(in + i)];
    g.cost[at(reached)] = value;
    g.place[at(reached)] = static_cast<std::uint16_t>(i);
    reached += value < kNever;
  }
  if (reached == 0) {
    std::fill(cost, cost + count, kNever);
    return;
  }
  // the best for each outgoing one
  g.arg.resize(at(count));
  g.min_plus.run(g.angle.data(), g.cost.data(), reached, &way.out.angle[at(first)], count, way.stiffness, way.rest,
                 cost, g.arg.data());
  for (int i = 0; i < count; ++i) {
    cost[i] += way.out.load[at(first + i)];
    back[i] = g.place[g.arg[at(i)]];
  }
}

Costs enter(const LinkTable& entry, const Beam& beam) {
  Costs costs;
  costs.end = entry.links();
  for (int link = 0; link < entry.links(); ++link)
    costs.value.push_back(beam.entry_energy(entry.angle[at(link)]) + entry.load[at(link)]);
  return costs;
}

}  // namespace

Sweep sweep(const Trellis& trellis, const Beam& beam, bool keep_costs, const ParallelFor& parallel) {
  Sweep swept;
  swept.stages.resize(at(trellis.stages));
  Costs before = enter(trellis.entry, beam);
  swept.stages[0].back.assign(before.value.size(), 0);
  for (int stage = 1; stage < trellis.stages; ++stage) {
    const LinkTable& into = trellis.table(stage - 1);
    const LinkTable& out = trellis.table(stage);
    const Reached reached = targets_of(into, before);
    Costs after;
    after.begin = reached.begin < reached.end ? out.first[at(reached.begin)] : 0;
    after.end = reached.begin < reached.end ? out.first[at(reached.end)] : 0;
    after.value.resize(at(after.end - after.begin));
    Stage& kept = swept.stages[at(stage)];
    kept.begin = after.begin;
    kept.back.resize(after.value.size());
    // joint stage + 1 lies between the links of this stage and the one before
    const Way way{into, before, out, beam.joint_stiffness(), beam.rest[at(stage + 1)]};
    for_ranges(parallel, reached.end - reached.begin, 64, [&](int begin, int end) {
      Gathered gathered;
      for (int node = reached.begin + begin; node < reached.begin + end; ++node) {
        const int offset = out.first[at(node)] - after.begin;
        pass_node(way, node, gathered, after.value.data() + offset, kept.back.data() + offset);
      }
    });
    swept.visited += static_cast<double>(after.value.size());
    swept.bytes += static_cast<double>(2 * kept.back.size() + (keep_costs ? 8 * before.value.size() : 0));
    if (keep_costs) swept.stages[at(stage - 1)].cost = std::move(before.value);
    before = std::move(after);
  }
  if (keep_costs) swept.stages.back().cost = before.value;
  // links that may not end the beam, or were not reached, cost infinitely much
  const LinkTable& table = trellis.table(trellis.stages - 1);
  const std::vector<bool> allowed = allowed_ends(trellis, beam);
  swept.last.assign(at(table.links()), kNever);
  for (int link = before.begin; link < before.end; ++link)
    if (allowed[at(table.target[at(link)])]) swept.last[at(link)] = before.value[at(link - before.begin)];
  return swept;
}

std::vector<bool> allowed_ends(const Trellis& trellis, const Beam& beam) {
  const std::vector<LatticeNode>& layer = trellis.layer(trellis.stages - 1);
  std::vector<bool> allowed(layer.size(), true);
  if (!beam.tip) return allowed;
  // pushed: the ruling nearest to where the tip is to be, and there perhaps the level nearest to the centreline
  double nearest = kNever, nearest_level = kNever;
  for (const LatticeNode& node : layer) nearest = std::min(nearest, std::abs(node.s - *beam.tip));
  for (const LatticeNode& node : layer)
    if (std::abs(node.s - *beam.tip) == nearest) nearest_level = std::min(nearest_level, std::abs(node.y));
  for (std::size_t i = 0; i < layer.size(); ++i)
    allowed[i] =
        std::abs(layer[i].s - *beam.tip) == nearest && (!beam.centred || std::abs(layer[i].y) == nearest_level);
  return allowed;
}

void set_shape(const Trellis& trellis, const Beam& beam, Linkage& linkage) {
  linkage.angles.assign(1, beam.heading);
  linkage.spots.clear();
  for (int stage = 0; stage < static_cast<int>(linkage.links.size()); ++stage) {
    const LinkTable& table = trellis.table(stage);
    const int link = linkage.links[at(stage)];
    const LatticeNode& end = trellis.layer(stage)[at(table.target[at(link)])];
    linkage.angles.push_back(table.angle[at(link)]);
    linkage.spots.push_back({end.u, end.y});
  }
}

Linkage trace(const Trellis& trellis, const Beam& beam, const Sweep& swept, int stage, int link) {
  Linkage linkage;
  linkage.links.assign(at(stage + 1), 0);
  for (;; --stage) {
    linkage.links[at(stage)] = link;
    if (stage == 0) break;
    // the node where the link starts, and which of its incoming links came before
    const LinkTable& table = trellis.table(stage);
    const auto after = std::upper_bound(table.first.begin(), table.first.end(), link);
    const auto node = static_cast<std::size_t>(after - table.first.begin()) - 1;
    const Stage& kept = swept.stages[at(stage)];
    const LinkTable& into = trellis.table(stage - 1);
    link = into.in_link[at(into.in_first[node] + kept.back[at(link - kept.begin)])];
  }
  set_shape(trellis, beam, linkage);
  return linkage;
}

Linkage lowest(const Trellis& trellis, const Beam& beam, const Sweep& swept) {
  const auto best = std::min_element(swept.last.begin(), swept.last.end());
  if (best == swept.last.end() || *best == kNever) return {};
  Linkage linkage = trace(trellis, beam, swept, trellis.stages - 1, static_cast<int>(best - swept.last.begin()));
  linkage.energy = *best;
  return linkage;
}

}  // namespace filum::channel
