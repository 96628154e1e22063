#include "channel/leg_sweep.hpp"

#include "base/index.hpp"
#include "channel/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace filum::channel {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr double kOnEdge = 1e-11;  // a node so near the end of its leg is in it
constexpr int kBlock = 8;          // levels that are left out together
constexpr int kFarApart = 16;      // of the states that are looked at first

using Pair = double __attribute__((vector_size(16)));
using Mask = long long __attribute__((vector_size(16)));
typedef double Unaligned __attribute__((vector_size(16), aligned(8), may_alias));  // clang aligns no alias

// The end of a link: its node is on a level of a leg.
struct End {
  double cost = kNone;
  double x = 0;      // along the leg
  double angle = 0;  // of the link, global
  int leg = 0;
};

// The states of one stage. Those that end on one level lie side by side, by the level they come from.
struct States {
  std::vector<double> cost, x, angle;
  std::vector<std::int32_t> leg;

  void clear(std::size_t count) {
    cost.assign(count, kNone);
    x.resize(count);
    angle.resize(count);
    leg.resize(count);
  }
  [[nodiscard]] End get(std::size_t i) const { return {cost[i], x[i], angle[i], leg[i]}; }
  void set(std::size_t i, const End& end) {
    cost[i] = end.cost;
    x[i] = end.x;
    angle[i] = end.angle;
    leg[i] = end.leg;
  }
};

// What the links of a leg have in common.
struct Climbs {
  std::vector<double> angle, load, ahead;  // by the levels that they climb, −reach … reach
  std::vector<double> lightest;            // lowest load of this one and the next of a block
  std::vector<double> start, end;          // of the leg, by level
};

// Levels [low, high]; none if high < low.
struct Range {
  int low = 0, high = -1;
  [[nodiscard]] bool empty() const { return high < low; }
};

// A state that links go on from.
struct Source {
  End end;
  int level = 0;
  int slot = 0;
  double straight = 0;  // angle of the next link that costs no bending
};

// Of one piece of work: what is known of the links on from one level.
struct Scratch {
  std::vector<double> best, slot;      // by the level climbed to: lowest energy, and the slot it comes from
  std::vector<double> top;             // by block: the highest of its best
  std::vector<double> before, beyond;  // by leg and level climbed to: x below and above which a link leaves it
  std::vector<int> soonest;            // by leg: the level where links leave it first; −1: not looked at
  Eigen::ArrayXd climb, cosine, bend, bound;
};

// Lowers the best of levels low … low + n − 1 to what comes from one source.
void lower(const Source& source, const double* angle, const double* load, double stiffness, int n, double* best,
           double* slot) {
  const double cost = source.end.cost, line = source.straight, from = source.slot;
  const Pair costs{cost, cost}, lines{line, line}, froms{from, from}, k{stiffness, stiffness};
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    const Pair bent = *reinterpret_cast<const Unaligned*>(angle + i) - lines;
    const Pair sum = costs + (*reinterpret_cast<const Unaligned*>(load + i) + k * (bent * bent));
    const Pair known = *reinterpret_cast<Unaligned*>(best + i);
    const Mask less = sum < known;
    *reinterpret_cast<Unaligned*>(best + i) = less ? sum : known;
    const Pair known_slot = *reinterpret_cast<Unaligned*>(slot + i);
    *reinterpret_cast<Unaligned*>(slot + i) = less ? froms : known_slot;
  }
  for (; i < n; ++i) {
    const double bent = angle[i] - line;
    const double sum = cost + (load[i] + stiffness * (bent * bent));
    if (sum >= best[i]) continue;
    best[i] = sum;
    slot[i] = from;
  }
}

class Sweeper {
 public:
  Sweeper(const LegLattice& lattice, const Beam& beam)
      : lattice_(lattice), beam_(beam), levels_(lattice.levels), stiffness_(beam.joint_stiffness()) {
    for (const StraightSection& leg : lattice.legs) reach_ = std::max(reach_, leg.reach);
    reach_ = std::min(reach_, levels_ - 1);
    slots_ = 2 * reach_ + 1;
    for (int k = 0; k < count(); ++k) climbs_.push_back(make_climbs(k));
  }

  LegSweep run(int most, const ParallelFor& parallel) {
    const std::size_t size = at(levels_) * at(slots_);
    States now, next;
    now.clear(size);
    enter(now);
    back_.resize(at(beam_.links));
    LegSweep swept;
    swept.states = static_cast<double>(size);
    for (int link = 2; link < beam_.links; ++link) {
      next.clear(size);
      back_[at(link)].resize(size);
      for_ranges(parallel, levels_, 2, [&](int begin, int end) {
        Scratch scratch = make_scratch();
        for (int p = begin; p < end; ++p) pass_level(now, p, link, scratch, next);
      });
      std::swap(now, next);
      swept.visited += swept.states;
      swept.bytes += 2 * swept.states;
    }
    collect(now, most, swept);
    return swept;
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(lattice_.legs.size()); }
  [[nodiscard]] const StraightSection& leg(int k) const { return lattice_.legs[at(k)]; }
  // The place of the state (from, to).
  [[nodiscard]] std::size_t place(int from, int to) const { return at(to) * at(slots_) + at(from - to + reach_); }
  [[nodiscard]] Range in_reach(int p, int k) const {
    const int reach = std::min(leg(k).reach, reach_);
    return {std::max(0, p - reach), std::min(levels_ - 1, p + reach)};
  }
  // The level that the end of the clamped link counts as.
  [[nodiscard]] int start() const {
    return static_cast<int>(std::lround(lattice_.start / leg(0).width * (levels_ - 1)));
  }

  [[nodiscard]] Climbs make_climbs(int k) const {
    Climbs climbs;
    const StraightSection& here = leg(k);
    const double spacing = here.width / (levels_ - 1);
    for (int d = -reach_; d <= reach_; ++d) {
      const double local = std::asin(std::clamp(d * spacing / lattice_.step, -1.0, 1.0));
      climbs.angle.push_back(here.heading + local);
      climbs.load.push_back(beam_.load_energy(here.heading + local));
      climbs.ahead.push_back(lattice_.step * std::cos(local));
    }
    for (int d = 0; d < slots_; ++d) {
      const auto begin = climbs.load.begin() + d;
      climbs.lightest.push_back(*std::min_element(begin, begin + std::min(kBlock, slots_ - d)));
    }
    for (int m = 0; m < levels_; ++m) {
      climbs.start.push_back(here.start_at(lattice_.level(m, k)) - kOnEdge);
      climbs.end.push_back(here.end_at(lattice_.level(m, k)) + kOnEdge);
    }
    return climbs;
  }

  [[nodiscard]] Scratch make_scratch() const {
    Scratch scratch;
    scratch.best.resize(at(levels_));
    scratch.slot.resize(at(levels_));
    scratch.top.resize(at(levels_ / kBlock + 1));
    scratch.before.resize(at(levels_) * at(count()));
    scratch.beyond.resize(at(levels_) * at(count()));
    scratch.soonest.resize(at(count()));
    for (Eigen::ArrayXd* each : {&scratch.climb, &scratch.cosine, &scratch.bend, &scratch.bound}) each->resize(levels_);
    return scratch;
  }

  // The first free link.
  void enter(States& now) const {
    const StraightSection& first = leg(0);
    const Range range = in_reach(start(), 0);
    for (int s = range.low; s <= range.high; ++s) {
      const double sine = (lattice_.level(s, 0) - lattice_.start) / lattice_.step;
      if (std::abs(sine) > 1) continue;
      const double local = std::asin(sine);
      const double angle = first.heading + local;
      const double cost = beam_.entry_energy(angle) + beam_.load_energy(angle);
      now.set(place(start(), s), {cost, lattice_.step + lattice_.step * std::cos(local), angle, 0});
    }
  }

  // All links on from the states that end on level p.
  void pass_level(const States& now, int p, int link, Scratch& scratch, States& next) {
    std::fill(scratch.best.begin(), scratch.best.end(), kNone);
    std::fill(scratch.top.begin(), scratch.top.end(), kNone);
    std::fill(scratch.soonest.begin(), scratch.soonest.end(), -1);
    const std::size_t first = at(p) * at(slots_);
    // far apart first: neighbouring states lead to nearly the same, so little is left for those between
    for (int apart = kFarApart; apart >= 1; apart /= 2) {
      const bool coarsest = apart == kFarApart;
      for (int j = coarsest ? 0 : apart; j < slots_; j += coarsest ? apart : 2 * apart) {
        if (now.cost[first + at(j)] == kNone) continue;
        const End end = now.get(first + at(j));
        extend({end, p, j, end.angle + beam_.rest[at(link)]}, scratch);
      }
    }
    // the winners
    for (int s = std::max(0, p - reach_); s <= std::min(levels_ - 1, p + reach_); ++s) {
      if (scratch.best[at(s)] == kNone) continue;
      const int j = static_cast<int>(scratch.slot[at(s)]);
      next.set(place(p, s), advance(now.get(first + at(j)), p, s, link));
      back_[at(link)][place(p, s)] = static_cast<std::uint16_t>(j);
    }
  }

  // Where links from level p leave leg k, by the level climbed to.
  void set_thresholds(int p, int k, Scratch& scratch) const {
    const Climbs& climbs = climbs_[at(k)];
    const Range range = in_reach(p, k);
    double* before = scratch.before.data() + at(k) * at(levels_);
    double* beyond = scratch.beyond.data() + at(k) * at(levels_);
    for (int s = range.low; s <= range.high; ++s) {
      const double ahead = climbs.ahead[at(s - p + reach_)];
      before[s] = climbs.start[at(s)] - ahead;
      beyond[s] = climbs.end[at(s)] - ahead;
    }
    scratch.soonest[at(k)] = static_cast<int>(std::min_element(beyond + range.low, beyond + range.high + 1) - beyond);
  }

  // From one state to all levels in reach.
  void extend(const Source& source, Scratch& scratch) const {
    const int k = source.end.leg;
    const double x = source.end.x;
    if (scratch.soonest[at(k)] < 0) set_thresholds(source.level, k, scratch);
    const double* before = scratch.before.data() + at(k) * at(levels_);
    const double* beyond = scratch.beyond.data() + at(k) * at(levels_);
    // a link gets the less far the more it climbs, so thresholds are convex along the levels: what falls short of the
    // leg lies at the ends of the range, what leads on into the next one is a range in the middle
    const Range range = in_reach(source.level, k);
    Range inside = range;
    while (!inside.empty() && x < before[inside.low]) ++inside.low;
    while (!inside.empty() && x < before[inside.high]) --inside.high;
    cross(source, -1, {range.low, inside.low - 1}, scratch);
    cross(source, -1, {inside.high + 1, range.high}, scratch);
    if (inside.empty()) return;
    const int soonest = std::clamp(scratch.soonest[at(k)], inside.low, inside.high);
    if (x <= beyond[soonest]) return stay(source, inside, scratch);
    const auto stays = [x](double most) { return x <= most; };
    const auto leaves = [x](double most) { return x > most; };
    const double* low = std::partition_point(beyond + inside.low, beyond + soonest, stays);
    const double* high = std::partition_point(beyond + soonest, beyond + inside.high + 1, leaves);
    const Range on{static_cast<int>(low - beyond), static_cast<int>(high - beyond) - 1};
    stay(source, {inside.low, on.low - 1}, scratch);
    stay(source, {on.high + 1, inside.high}, scratch);
    cross(source, 1, on, scratch);
  }

  // Within the leg, block by block of levels.
  void stay(const Source& source, const Range& range, Scratch& scratch) const {
    if (range.empty()) return;
    const Climbs& climbs = climbs_[at(source.end.leg)];
    const int zero = reach_ - source.level;
    for (int block = range.low / kBlock; block <= range.high / kBlock; ++block) {
      const int low = std::max(range.low, block * kBlock);
      const int high = std::min(range.high, block * kBlock + kBlock - 1);
      // what this can come to at the lowest
      const double bent = std::max(
          {0.0, climbs.angle[at(low + zero)] - source.straight, source.straight - climbs.angle[at(high + zero)]});
      const double least = source.end.cost + (climbs.lightest[at(low + zero)] + stiffness_ * (bent * bent));
      if (least >= scratch.top[at(block)]) continue;
      lower(source, climbs.angle.data() + low + zero, climbs.load.data() + low + zero, stiffness_, high - low + 1,
            scratch.best.data() + low, scratch.slot.data() + low);
      set_top(block, scratch);
    }
  }

  void set_top(int block, Scratch& scratch) const {
    const auto begin = scratch.best.begin() + block * kBlock;
    scratch.top[at(block)] = *std::max_element(begin, begin + std::min(kBlock, levels_ - block * kBlock));
  }

  // Into the leg before or after.
  void cross(const Source& source, int way, const Range& range, Scratch& scratch) const {
    const int to = source.end.leg + way;
    if (range.empty() || to < 0 || to >= count()) return;
    const StraightSection& there = leg(to);
    // cost so far and the load, which is linear in cosine and sine of the local heading: nothing to do if even the
    // heading that the load likes best, without bending, undercuts nothing
    const double constant = source.end.cost + beam_.step * beam_.force.dot(direction(beam_.heading));
    const Vec2 normal(-there.along[1], there.along[0]);
    const Vec2 load = beam_.step * Vec2(beam_.force.dot(there.along), beam_.force.dot(normal));
    const auto tops = scratch.top.begin();
    if (constant - load.norm() >= *std::max_element(tops + range.low / kBlock, tops + range.high / kBlock + 1)) return;
    const int n = range.high - range.low + 1;
    auto climb = scratch.climb.head(n);
    auto cosine = scratch.cosine.head(n);
    auto bend = scratch.bend.head(n);
    auto bound = scratch.bound.head(n);
    const double spacing = there.width / (levels_ - 1);
    const double height = seen_from(source.end, source.level, to)[1];
    climb = (Eigen::ArrayXd::LinSpaced(n, range.low, range.high) * spacing - height) / lattice_.step;
    cosine = (1 - climb.square()).max(0.0).sqrt();
    bound = constant - load[0] * cosine - load[1] * climb;
    // lowest bending without an arc sine: with φ the angle of the joint and q = 2 − 2 cos φ,
    // φ² = q + q²/12 + q³/90 + …, all terms positive
    const Vec2 straight = direction(source.straight - there.heading);
    bend = 2 - 2 * (straight[0] * cosine + straight[1] * climb);
    bend *= stiffness_ * (1 + bend * (1.0 / 12 + bend * (1.0 / 90)));
    double* best = scratch.best.data() + range.low;
    constexpr double kRoundOff = 1e-9;
    for (int i = 0; i < n; ++i) {
      if (bound[i] + bend[i] - kRoundOff >= best[i] || std::abs(climb[i]) > 1) continue;
      const double bent = there.heading + std::asin(climb[i]) - source.straight;
      const double cost = bound[i] + stiffness_ * (bent * bent);
      if (cost >= best[i]) continue;
      best[i] = cost;
      scratch.slot[at(range.low + i)] = source.slot;
    }
    for (int block = range.low / kBlock; block <= range.high / kBlock; ++block) set_top(block, scratch);
  }

  // A state's node in the coordinates of another leg.
  [[nodiscard]] Vec2 seen_from(const End& end, int level, int to) const {
    return leg(to).to_local(leg(end.leg).to_world({end.x, lattice_.level(level, end.leg)}));
  }

  // From a state on level p to level s, which is known to be possible.
  [[nodiscard]] End advance(const End& from, int p, int s, int link) const {
    const Climbs& climbs = climbs_[at(from.leg)];
    const std::size_t climb = at(s - p + reach_);
    const double ahead = climbs.ahead[climb];
    End end;
    end.leg = from.leg;
    if (from.x > climbs.end[at(s)] - ahead) ++end.leg;
    if (from.x < climbs.start[at(s)] - ahead) --end.leg;
    if (end.leg == from.leg) {
      end.angle = climbs.angle[climb];
      end.x = from.x + ahead;
      end.cost = climbs.load[climb];
    } else {
      const Vec2 start = seen_from(from, p, end.leg);
      const double local = std::asin((lattice_.level(s, end.leg) - start[1]) / lattice_.step);
      end.angle = leg(end.leg).heading + local;
      end.x = start[0] + lattice_.step * std::cos(local);
      end.cost = beam_.load_energy(end.angle);
    }
    end.cost = from.cost + (end.cost + beam_.joint_energy(link, from.angle, end.angle));
    return end;
  }

  // The lowest linkage to each level of the tip.
  void collect(const States& last, int most, LegSweep& swept) const {
    struct Tip {
      double cost;
      int from, to;
    };
    std::vector<Tip> tips;
    for (int to = 0; to < levels_; ++to) {
      const auto begin = last.cost.begin() + static_cast<std::ptrdiff_t>(to) * slots_;
      const auto best = std::min_element(begin, begin + slots_);
      if (*best < kNone) tips.push_back({*best, to - reach_ + static_cast<int>(best - begin), to});
    }
    std::stable_sort(tips.begin(), tips.end(), [](const Tip& a, const Tip& b) { return a.cost < b.cost; });
    for (const Tip& tip : tips) {
      if (static_cast<int>(swept.linkages.size()) >= most) break;
      swept.linkages.push_back(trace(tip.from, tip.to));
    }
  }

  // The levels by the back-pointers, then once more along them for the angles.
  [[nodiscard]] LegLinkage trace(int from, int to) const {
    std::vector<int> path(at(beam_.links + 1), start());
    path[at(beam_.links)] = to;
    for (int link = beam_.links - 1; link >= 2; --link) {
      path[at(link)] = from;
      const int before = from - reach_ + back_[at(link)][place(from, to)];
      to = from;
      from = before;
    }
    States first;
    first.clear(at(levels_) * at(slots_));
    enter(first);
    End end = first.get(place(start(), path[2]));
    LegLinkage linkage;
    linkage.angles = {beam_.heading, end.angle};
    for (int link = 2; link < beam_.links; ++link) {
      end = advance(end, path[at(link)], path[at(link + 1)], link);
      linkage.angles.push_back(end.angle);
    }
    linkage.energy = end.cost;
    return linkage;
  }

  const LegLattice& lattice_;
  const Beam& beam_;
  int levels_;
  double stiffness_;
  int reach_ = 0;
  int slots_ = 0;
  std::vector<Climbs> climbs_;
  std::vector<std::vector<std::uint16_t>> back_;  // by link and state: the slot of the state before
};

}  // namespace

LegSweep sweep_legs(const LegLattice& lattice, const Beam& beam, int most, const ParallelFor& parallel) {
  return Sweeper(lattice, beam).run(most, parallel);
}

}  // namespace filum::channel
