// A branch of equilibria followed from load to load, in the plane and in space: each from the one before, with its contacts
// kept; halved where it jumps, or where its energy changes by something else than the work of the load less the heat of
// friction. What still jumps on the smallest step is a snap.
//
// A Kit has the types Load, Step, Beam, Polished and the functions used here: beam_for, settled (downhill from a
// linkage), followed, energy, work, between, size, distance, unit, jump (how far a shape may move at once), rubs.
#pragma once

#include "base/index.hpp"
#include "channel/wall_row.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::channel {

// A shape whose energy does not change by the work of the load, but for a share of that and round-off, has snapped.
inline constexpr double kUnworked = 1e-3;
inline constexpr double kWorkFloor = 1e-10;  // in EI/L
// Steps between two loads are halved so often at most, and until a snap's load is known so well.
inline constexpr int kHalvings = 24;
inline constexpr int kFewestHalvings = 6;
inline constexpr double kSnapLoad = 5e-4;

// In walls that give.
template <class Polished>
double wall_energy(const Polished& polished) {
  double sum = 0;
  for (std::size_t r = 0; r < polished.rows.size(); ++r)
    sum += 0.5 * polished.rows[r].give * polished.force[r] * polished.force[r];
  return sum;
}

// Along the way, of a pushed tip.
template <class Polished>
double tip_force(const Polished& polished) {
  for (std::size_t r = 0; r < polished.rows.size(); ++r)
    if (polished.rows[r].kind == RowKind::TipAlong) return polished.force[r];
  return 0;
}

template <class Kit>
class PathFollower {
 public:
  using Load = typename Kit::Load;
  using Step = typename Kit::Step;
  using Beam = typename Kit::Beam;
  using Polished = typename Kit::Polished;

  PathFollower(const Kit& kit, Polished start) : kit_(kit), now_(std::move(start)), jump_(kit.jump()) {}

  // From the load before to the next one; `state` is left to who describes it.
  Step step(const Load& from, const Load& to) {
    Step result;
    result.load = to;
    from_ = from;
    to_ = to;
    advance(0, 1, 0, result);
    return result;
  }

  [[nodiscard]] const Polished& now() const { return now_; }

 private:
  static double moved(const Polished& a, const Polished& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.configuration.nodes.size(); ++i)
      most = std::max(most, (a.configuration.nodes[i] - b.configuration.nodes[i]).norm());
    return most;
  }

  // What friction does on the way from one equilibrium to the next, by the trapezium: < 0 where it resists.
  static double friction_work(const Polished& a, const Polished& b) {
    double sum = 0;
    for (std::size_t r = 0; r < a.rows.size(); ++r) {
      const auto node = at(a.rows[r].node);
      const auto way = (b.configuration.nodes[node] - a.configuration.nodes[node]).eval();
      const auto rubs = [&](const Polished& p) { return p.force[r] * (p.rows[r].push - p.rows[r].gradient).dot(way); };
      sum += 0.5 * (rubs(a) + rubs(b));
    }
    return sum;
  }

  // From the equilibrium at hand to the next: what the load did, what friction took, and what of it is not in the energy.
  struct Account {
    double work = 0;
    double heat = 0;
    double lost = 0;
    // Up to so much more than is promised.
    [[nodiscard]] bool balanced(double more) const {
      return std::abs(lost) <= kUnworked * std::abs(work) + more + kWorkFloor;
    }
  };
  [[nodiscard]] Account account(double low, double high, const Polished& next) const {
    const Beam start = kit_.beam_for(Kit::between(from_, to_, low));
    const Beam end = kit_.beam_for(Kit::between(from_, to_, high));
    const double done = kit_.work(start, now_, end, next);
    const double heat = -friction_work(now_, next);
    const double change = kit_.energy(end, next) + wall_energy(next) - kit_.energy(start, now_) - wall_energy(now_);
    return {done, heat, done - heat - change};
  }

  // Is [low, high] of the way so short that a snap in it has a known load?
  [[nodiscard]] bool short_enough(double low, double high, int halvings) const {
    if (halvings >= kHalvings) return true;
    const double size = Kit::size(Kit::between(from_, to_, high));
    return halvings >= kFewestHalvings && (high - low) * Kit::distance(from_, to_) <= kSnapLoad * size;
  }

  void accept(Polished next, const Account& account, Step& result) {
    result.work += kit_.unit() * account.work;
    result.heat += kit_.unit() * account.heat;
    now_ = std::move(next);
  }

  // Over [low, high] of the way: at once if the branch leads there, the shape hardly moves and its energy changes by the
  // work, else in halves; what jumps on the smallest step is a snap.
  void advance(double low, double high, int halvings, Step& result) {
    const Beam before = kit_.beam_for(Kit::between(from_, to_, low));
    const Beam beam = kit_.beam_for(Kit::between(from_, to_, high));
    Polished next = kit_.followed(before, beam, now_);
    Account sum = account(low, high, next);
    if (low == 0 && high == 1) left_ = kUnworked * std::abs(sum.work);
    // with friction `stable` asks for more than is needed
    const auto near = [&] { return next.converged && (next.stable || kit_.rubs()) && moved(next, now_) <= jump_; };
    if (near() && sum.balanced(0)) return accept(std::move(next), sum, result);
    if (!short_enough(low, high, halvings)) {
      const double middle = 0.5 * (low + high);
      advance(low, middle, halvings + 1, result);
      advance(middle, high, halvings + 1, result);
      return;
    }
    // on the smallest step a force that only bends sharply, as contacts are made, may leave a part of what is promised for
    // the whole step between two loads
    const auto bends = [&] { return near() && sum.balanced(0.25 * left_); };
    if (bends()) {
      left_ -= std::min(left_, std::abs(sum.lost));
      return accept(std::move(next), sum, result);
    }
    // the branch ends here: downhill from where it was
    next = kit_.settled(beam, now_);
    sum = account(low, high, next);
    if (next.converged && (moved(next, now_) > jump_ || !sum.balanced(0.25 * left_))) {
      const double release = kit_.unit() * sum.lost;
      if (!result.snapped) result.snap_share = high;
      result.snapped = true;
      result.snap_release += release;
      result.snaps.push_back({Kit::between(from_, to_, high), (high - low) * Kit::distance(from_, to_), release});
    }
    accept(std::move(next), sum, result);
  }

  const Kit& kit_;
  Load from_, to_;
  Polished now_;
  double jump_ = 0;
  double left_ = 0;  // of the energy that may be unaccounted for between two loads
};

}  // namespace filum::channel
