#include "channel/distinct.hpp"

#include "base/index.hpp"
#include "channel/min_plus.hpp"
#include "channel/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

// The sweep back over one stage: for each of its links, the lowest energy of all that can follow.
struct Remaining {
  int begin = 0;
  std::vector<double> cost;
  std::vector<std::uint16_t> next;  // which link of the target node follows
  [[nodiscard]] double of(int link) const {
    return link >= begin && link < begin + static_cast<int>(cost.size()) ? cost[at(link - begin)] : kNever;
  }
};

Remaining at_end(const Trellis& trellis, const Beam& beam, const Stage& stage) {
  const LinkTable& table = trellis.table(trellis.stages - 1);
  const std::vector<bool> allowed = allowed_ends(trellis, beam);
  Remaining last;
  last.begin = stage.begin;
  last.next.assign(stage.back.size(), 0);
  for (std::size_t i = 0; i < stage.back.size(); ++i)
    last.cost.push_back(allowed[at(table.target[at(stage.begin) + i])] ? 0 : kNever);
  return last;
}

Remaining step_back(const Trellis& trellis, const Beam& beam, int stage, const Stage& kept, const Remaining& after,
                    const ParallelFor& parallel) {
  const LinkTable& into = trellis.table(stage);
  const LinkTable& out = trellis.table(stage + 1);
  Remaining before;
  before.begin = kept.begin;
  before.cost.assign(kept.back.size(), kNever);
  before.next.assign(kept.back.size(), 0);
  const int end = kept.begin + static_cast<int>(kept.back.size());
  for_ranges(parallel, into.targets(), 64, [&](int first_node, int last_node) {
    std::vector<double> angle, cost, best;
    std::vector<std::uint16_t> place, arg;
    MinPlus min_plus;
    for (int node = first_node; node < last_node; ++node) {
      // links that can follow: written in any case and counted if a linkage has reached them
      const int first = out.first[at(node)];
      const int follow = out.first[at(node + 1)] - first;
      angle.resize(at(follow)), cost.resize(at(follow)), place.resize(at(follow));
      int reached = 0;
      for (int i = 0; i < follow; ++i) {
        const double value = after.of(first + i);
        angle[at(reached)] = out.angle[at(first + i)];
        cost[at(reached)] = value + out.load[at(first + i)];
        place[at(reached)] = static_cast<std::uint16_t>(i);
        reached += value < kNever;
      }
      if (reached == 0) continue;
      // the best for each link that comes in
      const int in = into.in_first[at(node)];
      const int count = into.in_first[at(node + 1)] - in;
      best.resize(at(count)), arg.resize(at(count));
      min_plus.run(angle.data(), cost.data(), reached, into.in_angle.data() + in, count, beam.joint_stiffness(),
                   -beam.rest[at(stage + 2)], best.data(), arg.data());
      for (int i = 0; i < count; ++i) {
        const int link = into.in_link[at(in + i)];
        if (link < before.begin || link >= end) continue;
        before.cost[at(link - before.begin)] = best[at(i)];
        before.next[at(link - before.begin)] = place[arg[at(i)]];
      }
    }
  });
  return before;
}

// A link whose linkage is lowest across its stage's neighbourhood.
struct Candidate {
  double energy;
  int stage;
  int link;
};

// Minima over the levels of the lowest energy through them.
void add_candidates(const Trellis& trellis, int stage, const Stage& kept, const Remaining& rest,
                    std::vector<Candidate>& out) {
  const int levels = trellis.levels;
  std::vector<Candidate> best(at(levels), Candidate{kNever, stage, -1});
  const LinkTable& table = trellis.table(stage);
  for (std::size_t i = 0; i < rest.cost.size(); ++i) {
    const double through = kept.cost[i] + rest.cost[i];
    Candidate& level = best[at(table.target[at(kept.begin) + i] % levels)];
    if (through < level.energy) level = {through, stage, kept.begin + static_cast<int>(i)};
  }
  for (int m = 0; m < levels; ++m) {
    bool lowest_around = best[at(m)].energy < kNever;
    for (int near = std::max(0, m - 2); near <= std::min(levels - 1, m + 2); ++near)
      lowest_around = lowest_around && best[at(near)].energy >= best[at(m)].energy;
    if (lowest_around) out.push_back(best[at(m)]);
  }
}

// Everywhere so near to each other, shifts by two links left aside: waves that slide a little are the same shape.
bool alike(double near, const Linkage& a, const Linkage& b) {
  const int count = static_cast<int>(a.spots.size());
  for (int i = 0; i < count; ++i) {
    double least = kNever;
    for (int j = std::max(0, i - 2); j <= std::min(count - 1, i + 2); ++j)
      least = std::min(least, std::abs(a.spots[at(i)].y - b.spots[at(j)].y));
    if (least > near) return false;
  }
  return true;
}

}  // namespace

double alike_within(int levels, double spacing) {
  return std::max(3.0, 0.125 * levels) * spacing;
}

void add_if_new(std::vector<Linkage>& linkages, Linkage linkage, double near) {
  const bool known = std::any_of(linkages.begin(), linkages.end(), [&](const Linkage& other) {
    return alike(near, linkage, other) && alike(near, other, linkage);
  });
  if (!known) linkages.push_back(std::move(linkage));
}

std::vector<Linkage> distinct_linkages(const Trellis& trellis, const Beam& beam, const Sweep& swept, int most,
                                   const ParallelFor& parallel) {
  // back over all stages, collecting minima; of the costs only the stage at hand is needed, of the pointers all
  std::vector<Candidate> candidates;
  std::vector<Remaining> pointers(at(trellis.stages));
  Remaining rest = at_end(trellis, beam, swept.stages.back());
  for (int stage = trellis.stages - 1; stage >= 0; --stage) {
    if (stage < trellis.stages - 1)
      rest = step_back(trellis, beam, stage, swept.stages[at(stage)], pointers[at(stage + 1)], parallel);
    add_candidates(trellis, stage, swept.stages[at(stage)], rest, candidates);
    pointers[at(stage)] = rest;
    if (stage + 1 < trellis.stages) pointers[at(stage + 1)].cost = {};
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.energy != b.energy ? a.energy < b.energy : a.stage != b.stage ? a.stage < b.stage : a.link < b.link;
  });
  // the linkage through each: back by the sweep's pointers, on by ours
  std::vector<Linkage> linkages;
  const double near = alike_within(trellis.levels, trellis.spacing);
  for (const Candidate& candidate : candidates) {
    if (static_cast<int>(linkages.size()) >= most) break;
    Linkage linkage = trace(trellis, beam, swept, candidate.stage, candidate.link);
    for (int stage = candidate.stage; stage + 1 < trellis.stages; ++stage) {
      const int link = linkage.links.back();
      const Remaining& here = pointers[at(stage)];
      const int node = trellis.table(stage).target[at(link)];
      linkage.links.push_back(trellis.table(stage + 1).first[at(node)] + here.next[at(link - here.begin)]);
    }
    set_shape(trellis, beam, linkage);
    linkage.energy = candidate.energy;
    add_if_new(linkages, std::move(linkage), near);
  }
  return linkages;
}

}  // namespace filum::channel
