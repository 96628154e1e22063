#include "channel/load_path.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

// A shape that moves farther than this on a step so small has snapped,
constexpr double kJump = 0.02;  // in the beam's length
// and so has one whose energy does not change by the work of the load: a share of that, and round-off.
constexpr double kUnworked = 1e-3;
constexpr double kWorkFloor = 1e-10;  // in EI/L
// Steps between two loads are halved so often at most, and until a snap's load is known so well.
constexpr int kHalvings = 24;
constexpr int kFewestHalvings = 6;
constexpr double kSnapLoad = 5e-4;

ChannelLoad between(const ChannelLoad& a, const ChannelLoad& b, double share) {
  ChannelLoad load;
  load.force = (1 - share) * a.force + share * b.force;
  if (a.push && b.push) load.push = (1 - share) * *a.push + share * *b.push;
  return load;
}

double distance(const Polished& a, const Polished& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.configuration.nodes.size(); ++i)
    most = std::max(most, (a.configuration.nodes[i] - b.configuration.nodes[i]).norm());
  return most;
}

double load_size(const ChannelLoad& load) {
  return load.push ? std::abs(*load.push) : load.force.norm();
}

double load_distance(const ChannelLoad& a, const ChannelLoad& b) {
  return a.push && b.push ? std::abs(*b.push - *a.push) : (b.force - a.force).norm();
}

// In walls that give.
double wall_energy(const Polished& polished) {
  double sum = 0;
  for (std::size_t r = 0; r < polished.rows.size(); ++r)
    sum += 0.5 * polished.rows[r].give * polished.force[r] * polished.force[r];
  return sum;
}

// What friction does on the way from one equilibrium to the next, by the trapezium: < 0 where it resists.
double friction_work(const Polished& a, const Polished& b) {
  const auto rubs = [](const Polished& p, std::size_t r) -> Vec2 {
    return p.force[r] * (p.rows[r].push - p.rows[r].gradient);
  };
  double sum = 0;
  for (std::size_t r = 0; r < a.rows.size(); ++r) {
    const auto node = at(a.rows[r].node);
    sum += 0.5 * (rubs(a, r) + rubs(b, r)).dot(b.configuration.nodes[node] - a.configuration.nodes[node]);
  }
  return sum;
}

class Follower {
 public:
  Follower(const ChannelProblem& problem, const Passage& passage, const ChannelState& start)
      : problem_(problem), passage_(passage) {
    now_ = polish(passage_, beam_for(problem.loads.front()), start.angles);
    jump_ = std::min(kJump, 0.25 * passage.widest());
  }

  // From the load before to the next one.
  ChannelStep step(const ChannelLoad& from, const ChannelLoad& to) {
    ChannelStep result;
    result.load = to;
    from_ = from;
    to_ = to;
    advance(0, 1, 0, result);
    result.state = describe(problem_, passage_, beam_for(to), now_);
    if (now_.converged && !forward(now_.configuration.angles, now_.configuration.places)) {
      result.state.converged = false;
      result.state.why = "the beam folds back in the channel";
    }
    return result;
  }

 private:
  [[nodiscard]] Beam beam_for(const ChannelLoad& load) const {
    return make_beam(problem_, passage_, problem_.search.links, load);
  }

  // What the load does on the way from one equilibrium to another, by the trapezium: dU = λ dx for a pushed tip, x its
  // place and λ its force; dU = −d·dT for a force T, d how far the tip is from where it is straight.
  [[nodiscard]] double work(const Beam& from, const Polished& a, const Beam& to, const Polished& b) const {
    if (from.tip) return 0.5 * (tip_force(a) + tip_force(b)) * (*to.tip - *from.tip);
    const Vec2 straight = from.start + direction(from.heading);
    const Vec2 mean = 0.5 * (a.configuration.nodes.back() + b.configuration.nodes.back()) - straight;
    return -mean.dot(to.force - from.force);
  }
  static double tip_force(const Polished& polished) {
    for (std::size_t r = 0; r < polished.rows.size(); ++r)
      if (polished.rows[r].kind == RowKind::TipAlong) return polished.force[r];
    return 0;
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
    const Beam start = beam_for(between(from_, to_, low));
    const Beam end = beam_for(between(from_, to_, high));
    const double done = work(start, now_, end, next);
    const double heat = -friction_work(now_, next);
    const double change = energy(end, next.configuration.angles).total() + wall_energy(next) -
                          energy(start, now_.configuration.angles).total() - wall_energy(now_);
    return {done, heat, done - heat - change};
  }

  // Is [low, high] of the way so short that a snap in it has a known load?
  [[nodiscard]] bool short_enough(double low, double high, int halvings) const {
    if (halvings >= kHalvings) return true;
    const double size = load_size(between(from_, to_, high));
    return halvings >= kFewestHalvings && (high - low) * load_distance(from_, to_) <= kSnapLoad * size;
  }

  void accept(Polished next, const Account& account, ChannelStep& result) {
    const double unit = problem_.beam.EI / problem_.beam.length;
    result.work += unit * account.work;
    result.heat += unit * account.heat;
    now_ = std::move(next);
  }

  // Over [low, high] of the way: at once if the branch leads there, the shape hardly moves and its energy changes by the
  // work, else in halves; what jumps on the smallest step is a snap.
  void advance(double low, double high, int halvings, ChannelStep& result) {
    const Beam beam = beam_for(between(from_, to_, high));
    Polished next = follow(passage_, beam, now_);
    Account sum = account(low, high, next);
    if (low == 0 && high == 1) left_ = kUnworked * std::abs(sum.work);
    // with friction `stable` asks for more than is needed
    const auto near = [&] {
      return next.converged && (next.stable || problem_.channel.friction > 0) && distance(next, now_) <= jump_;
    };
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
    next = polish(passage_, beam, now_.configuration.angles);
    sum = account(low, high, next);
    if (next.converged && !bends()) {
      const double release = problem_.beam.EI / problem_.beam.length * sum.lost;
      if (!result.snapped) result.snap_share = high;
      result.snapped = true;
      result.snap_release += release;
      result.snaps.push_back({between(from_, to_, high), (high - low) * load_distance(from_, to_), release});
    }
    accept(std::move(next), sum, result);
  }

  const ChannelProblem& problem_;
  const Passage& passage_;
  ChannelLoad from_, to_;
  Polished now_;
  double jump_ = kJump;
  double left_ = 0;  // of the energy that may be unaccounted for between two loads
};

}  // namespace

std::vector<ChannelStep> follow_loads(const ChannelProblem& problem, const Passage& passage, const ChannelState& start,
                                      const std::function<void(double share)>& progress) {
  std::vector<ChannelStep> path;
  path.emplace_back();
  path.back().load = problem.loads.front();
  path.back().state = start;
  Follower follower(problem, passage, start);
  for (std::size_t i = 1; i < problem.loads.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(problem.loads.size()));
    path.push_back(follower.step(problem.loads[i - 1], problem.loads[i]));
  }
  return path;
}

}  // namespace filum::channel
