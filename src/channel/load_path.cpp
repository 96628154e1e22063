#include "channel/load_path.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

// A shape that moves farther than this on a step so small has snapped,
constexpr double kJump = 0.02;  // in the beam's length
constexpr int kHalvings = 11;   // of a step between two loads
// and so has one whose energy does not change by the work of the load: a share of that, and round-off.
constexpr double kUnworked = 1e-3;
constexpr double kWorkFloor = 1e-10;  // in EI/L

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

class Follower {
 public:
  Follower(const ChannelProblem& problem, const Passage& passage, const ChannelState& start)
      : problem_(problem), passage_(passage) {
    now_ = at_load(problem.loads.front(), start.angles);
    jump_ = std::min(kJump, 0.25 * passage.widest());
  }

  // From the load before to the next one.
  ChannelStep step(const ChannelLoad& from, const ChannelLoad& to) {
    ChannelStep result;
    result.load = to;
    advance(from, to, 0, 1, kHalvings, result);
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
  [[nodiscard]] Polished at_load(const ChannelLoad& load, const std::vector<double>& angles) const {
    return polish(passage_, beam_for(load), angles);
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

  // From the equilibrium at hand to the next: what the load did, and what of it is not in the energy.
  struct Account {
    double work = 0;
    double lost = 0;
  };
  [[nodiscard]] Account account(const ChannelLoad& from, const ChannelLoad& to, const Polished& next) const {
    if (from.push.has_value() != to.push.has_value()) return {};
    const Beam start = beam_for(from);
    const Beam end = beam_for(to);
    const double done = work(start, now_, end, next);
    const double change =
        energy(end, next.configuration.angles).total() - energy(start, now_.configuration.angles).total();
    return {done, done - change};
  }

  // Over [low, high] of the way: at once if the shape hardly moves and its energy changes by the work, else in halves;
  // what jumps on the smallest step is a snap.
  void advance(const ChannelLoad& from, const ChannelLoad& to, double low, double high, int halvings,
               ChannelStep& result) {
    Polished next = at_load(between(from, to, high), now_.configuration.angles);
    const Account account = this->account(between(from, to, low), between(from, to, high), next);
    const bool far = !next.converged || distance(next, now_) > jump_;
    if (low == 0 && high == 1) whole_ = std::abs(account.work);
    if (halvings > 0 && (far || std::abs(account.lost) > kUnworked * std::abs(account.work) + kWorkFloor)) {
      const double middle = 0.5 * (low + high);
      advance(from, to, low, middle, halvings - 1, result);
      advance(from, to, middle, high, halvings - 1, result);
      return;
    }
    // on the smallest step a force that only bends sharply, as contacts are made, may leave a part of what is promised
    const double left = std::max(std::abs(account.work), 0.25 * whole_);
    if (next.converged && (far || std::abs(account.lost) > kUnworked * left + kWorkFloor)) {
      if (!result.snapped) result.snap_share = high;
      result.snapped = true;
      result.snap_release += problem_.beam.EI / problem_.beam.length * account.lost;
    }
    now_ = std::move(next);
  }

  const ChannelProblem& problem_;
  const Passage& passage_;
  Polished now_;
  double jump_ = kJump;
  double whole_ = 0;  // work of the step between two loads, about
};

}  // namespace

std::vector<ChannelStep> follow_loads(const ChannelProblem& problem, const Passage& passage, const ChannelState& start,
                                      const std::function<void(double share)>& progress) {
  std::vector<ChannelStep> path;
  path.push_back({problem.loads.front(), start});
  Follower follower(problem, passage, start);
  for (std::size_t i = 1; i < problem.loads.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(problem.loads.size()));
    path.push_back(follower.step(problem.loads[i - 1], problem.loads[i]));
  }
  return path;
}

}  // namespace filum::channel
