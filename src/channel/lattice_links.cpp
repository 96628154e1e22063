// Which node does a link from here lead to, level by level.
#include "channel/lattice.hpp"
#include "channel/parallel.hpp"

#include "base/index.hpp"

#include <cmath>
#include <limits>

namespace filum::channel {
namespace {

struct Link {
  double angle = 0;
  double load = 0;
  double longer = 0;
  std::int32_t target = 0;
};

// Links of a part of the nodes, before they are put together.
struct Part {
  std::vector<std::int32_t> count;  // of each node
  std::vector<Link> links;
};

class Finder {
 public:
  Finder(const LayerGrid& to, const LinkRule& rule, const Beam& beam)
      : nodes_(*to.nodes),
        levels_(to.levels),
        rulings_(static_cast<int>(nodes_.size()) / levels_),
        first_u_(to.u),
        rule_(rule),
        beam_(beam),
        clamped_(rule.step * direction(beam.heading)) {}

  void links_of(const LatticeNode& from, std::vector<Link>& out) const {
    const std::size_t before = out.size();
    int guess = 0;
    if (rule_.along > 0) {
      const double share = (from.u + rule_.step - first_u_) / rule_.along;
      guess = static_cast<int>(std::clamp(std::round(share), 0.0, static_cast<double>(rulings_ - 1)));
    }
    for (int level = 0; level < levels_; ++level) {
      const int ruling = rule_.along > 0 ? nearest(from, level, guess) : 0;
      if (ruling < 0) continue;
      if (rule_.along > 0) guess = ruling;
      add(from, ruling * levels_ + level, out);
    }
    // rising already but where rulings turn under the link
    const auto rising = [](const Link& a, const Link& b) { return a.angle < b.angle; };
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(before);
    if (!std::is_sorted(begin, out.end(), rising)) std::stable_sort(begin, out.end(), rising);
  }

 private:
  // By how much the node there is farther than a link's length.
  [[nodiscard]] double excess(const LatticeNode& from, int level, int ruling) const {
    return (nodes_[at(ruling * levels_ + level)].point - from.point).norm() - rule_.step;
  }

  // The ruling whose node at this level is nearest to a link's length ahead; −1: none is near enough.
  [[nodiscard]] int nearest(const LatticeNode& from, int level, int ruling) const {
    double here = excess(from, level, ruling);
    while (here < 0 && ruling + 1 < rulings_) here = excess(from, level, ++ruling);
    while (ruling > 0) {
      const double before = excess(from, level, ruling - 1);
      // out of reach, or the one beyond is nearer
      if (before >= here || -before >= here) break;
      --ruling;
      here = before;
      if (here < 0) break;
    }
    const bool good = std::abs(here) <= rule_.along && usable(from, level, ruling);
    if (good || rule_.corner_extent == 0) return good ? ruling : -1;
    return nearest_of_all(from, level, ruling);
  }

  [[nodiscard]] bool usable(const LatticeNode& from, int level, int ruling) const {
    const LatticeNode& to = nodes_[at(ruling * levels_ + level)];
    const Vec2 tangent(to.normal[1], -to.normal[0]);
    return to.valid && tangent.dot(to.point - from.point) > 0;
  }

  // Near corners level lines may turn back: look at all rulings around.
  [[nodiscard]] int nearest_of_all(const LatticeNode& from, int level, int ruling) const {
    const int reach = static_cast<int>((rule_.step + 2 * rule_.corner_extent) / rule_.along) + 2;
    int best = -1;
    double least = rule_.along;
    for (int r = std::max(0, ruling - reach); r <= std::min(rulings_ - 1, ruling + reach); ++r) {
      const double off = std::abs(excess(from, level, r));
      if (off > least || !usable(from, level, r)) continue;
      least = off;
      best = r;
    }
    return best;
  }

  void add(const LatticeNode& from, int target, std::vector<Link>& out) const {
    const LatticeNode& to = nodes_[at(target)];
    if (!to.valid || !from.valid) return;
    // local heading: the link's exact end is on the level line, which bends away from its tangent at the node
    const double steepest = std::sin(kSteepest);
    const Vec2 way = rule_.along > 0 ? Vec2(to.point - from.point) : Vec2((to.y - from.y) * to.normal);
    const double across = to.normal.dot(way);
    const double sine = across / rule_.step;
    if (std::abs(sine) > steepest) return;
    double local = std::asin(sine);
    if (rule_.along > 0) {
      const double ahead = rule_.step * std::cos(local) - (to.normal[1] * way[0] - to.normal[0] * way[1]);
      const double bent = (across + 0.5 * to.bend * ahead * ahead) / rule_.step;
      if (std::abs(bent) > steepest) return;
      local = std::asin(bent);
    }
    const double angle = to.heading + local;
    // work of the load over the way between the nodes; what the way is longer than the link is paid for by the thrust,
    // which a frictionless channel passes on unchanged: to first order nothing is gained by links too long or too short
    const Vec2 tangent(to.normal[1], -to.normal[0]);
    const Vec2 unit = std::cos(local) * tangent + std::sin(local) * to.normal;
    const double longer = rule_.along > 0 ? way.dot(unit) - rule_.step : 0;
    const double load =
        rule_.along > 0 ? -beam_.force.dot(way - clamped_) - beam_.thrust * longer : beam_.load_energy(angle);
    const double dent = 0.5 * beam_.wall_stiffness * beam_.step * to.depth * to.depth;
    out.push_back({angle, load + dent, longer, static_cast<std::int32_t>(target)});
  }

  const std::vector<LatticeNode>& nodes_;
  int levels_, rulings_;
  double first_u_;
  LinkRule rule_;
  const Beam& beam_;
  Vec2 clamped_;  // the clamp's link
};

// Incoming links of every target, by rising angle.
void add_incoming(LinkTable& table, int targets, const ParallelFor& parallel) {
  table.in_first.assign(at(targets + 1), 0);
  for (const std::int32_t target : table.target) ++table.in_first[at(target + 1)];
  for (int node = 0; node < targets; ++node) table.in_first[at(node + 1)] += table.in_first[at(node)];
  table.in_link.resize(table.target.size());
  std::vector<std::int32_t> next(table.in_first.begin(), table.in_first.end() - 1);
  for (std::size_t link = 0; link < table.target.size(); ++link)
    table.in_link[at(next[at(table.target[link])]++)] = static_cast<std::int32_t>(link);
  table.in_angle.resize(table.in_link.size());
  for_ranges(parallel, targets, 256, [&](int begin, int end) {
    for (int node = begin; node < end; ++node)
      std::sort(table.in_link.begin() + table.in_first[at(node)], table.in_link.begin() + table.in_first[at(node + 1)],
                [&](std::int32_t a, std::int32_t b) {
                  const double x = table.angle[at(a)], y = table.angle[at(b)];
                  return x != y ? x < y : a < b;
                });
    for (int i = table.in_first[at(begin)]; i < table.in_first[at(end)]; ++i)
      table.in_angle[at(i)] = table.angle[at(table.in_link[at(i)])];
  });
}

}  // namespace

LinkTable make_links(const std::vector<LatticeNode>& from, const LayerGrid& to, const LinkRule& rule, const Beam& beam,
                     const ParallelFor& parallel) {
  constexpr int kNodesPerPart = 128;
  const int count = static_cast<int>(from.size());
  const Finder finder(to, rule, beam);
  // find them part by part
  const int parts = (count + kNodesPerPart - 1) / kNodesPerPart;
  std::vector<Part> found(at(parts));
  for_ranges(parallel, parts, 1, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      Part& part = found[at(p)];
      for (int node = p * kNodesPerPart; node < std::min(count, (p + 1) * kNodesPerPart); ++node) {
        const std::size_t before = part.links.size();
        finder.links_of(from[at(node)], part.links);
        part.count.push_back(static_cast<std::int32_t>(part.links.size() - before));
      }
    }
  });
  // put them together
  LinkTable table;
  table.first.push_back(0);
  std::size_t total = 0;
  for (const Part& part : found) total += part.links.size();
  table.angle.reserve(total);
  table.load.reserve(total);
  table.target.reserve(total);
  for (Part& part : found) {
    for (const std::int32_t n : part.count) table.first.push_back(table.first.back() + n);
    for (const Link& link : part.links) {
      table.angle.push_back(link.angle);
      table.load.push_back(link.load);
      if (beam.tip) table.longer.push_back(link.longer);
      table.target.push_back(link.target);
    }
    part = Part{};
  }
  add_incoming(table, static_cast<int>(to.nodes->size()), parallel);
  return table;
}

}  // namespace filum::channel
