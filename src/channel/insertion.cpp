#include "channel/insertion.hpp"

#include "base/index.hpp"
#include "channel/describe.hpp"
#include "channel/lattice_size.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

constexpr int kFeedHalvings = 4;        // of the way from one length to the next
constexpr double kFeedUnworked = 1e-3;  // of the work, that may be missing in the energy
constexpr double kFeedFloor = 1e-7;     // in EI/L of the whole beam
constexpr double kFeedBalance = 1e-5;   // EI/L
constexpr int kResistTurns = 20;        // of the resistance, which follows the tip
constexpr double kResistTurned = 1e-9;  // rad

// The beam as far as it is inserted, its tip pushed back along the channel as it runs at arc length `tip`.
ChannelProblem inserted(const ChannelProblem& whole, const ChannelLoad& load, const Vec2& against) {
  ChannelProblem part = whole;
  part.beam.length = *load.insert;
  for (Vec2& point : part.beam.curvature) point[0] -= whole.beam.length - *load.insert;
  part.loads = {{-load.resist * against, {}, {}, 0}};
  return part;
}

// Headings of as many links of a longer or shorter beam, which has gone on as its tip did.
std::vector<double> drawn_on(const ChannelState& state, double length, const Passage& passage, double scale) {
  const int links = static_cast<int>(state.angles.size());
  const double old = state.s.back();
  std::vector<double> angles;
  for (int i = 0; i < links; ++i) {
    // as far from the clamp as it was
    const double at_link = std::clamp((i + 0.5) * length / old - 0.5, 0.0, links - 1.0);
    const int before = std::min(static_cast<int>(at_link), links - 2);
    const double share = at_link - before;
    double angle = (1 - share) * state.angles[at(before)] + share * state.angles[at(before + 1)];
    // beyond its tip it turns with the channel
    const double beyond = (i + 0.5) * length / links - old;
    if (beyond > 0) {
      const auto heading = [&](double s) { return passage.ruling(passage.u_of(s * scale)).heading; };
      angle += heading(state.tip_along + beyond) - heading(state.tip_along);
    }
    angles.push_back(angle);
  }
  return angles;
}

class Feeder {
 public:
  Feeder(const ChannelProblem& problem, const ChannelOptions& options) : problem_(problem), options_(options) {}

  ChannelOutcome run() {
    const ChannelLoad& first = problem_.loads.front();
    const Vec2 start = passage_for(*first.insert).ruling(0).tangent;
    ChannelOutcome outcome = solve_channel(inserted(problem_, first, start), options_);
    if (!outcome.converged) return outcome;
    // the resistance follows where the tip has come to lie
    for (ChannelState& shape : outcome.shapes) shape = settled(first, shape);
    const std::size_t branch = std::min(at(problem_.branch - 1), outcome.shapes.size() - 1);
    now_ = outcome.shapes[branch];
    outcome.converged = now_.converged;
    outcome.why = now_.why;
    if (problem_.loads.size() < 2) return outcome;
    outcome.path.emplace_back();
    outcome.path.back().load = first;
    outcome.path.back().state = now_;
    for (std::size_t i = 1; i < problem_.loads.size() && outcome.converged; ++i) {
      if (options_.progress)
        options_.progress(static_cast<double>(i) / static_cast<double>(problem_.loads.size()), "feeding");
      ChannelStep step;
      step.load = problem_.loads[i];
      const ChannelLoad from = problem_.loads[i - 1];
      advance(from, step.load, 0, 1, 0, step);
      step.state = now_;
      outcome.converged = now_.converged;
      outcome.why = now_.why;
      outcome.path.push_back(std::move(step));
    }
    return outcome;
  }

 private:
  [[nodiscard]] Passage passage_for(double length) const { return Passage(problem_.channel, 1 / length, kReach); }

  // At rest with so much inserted, from a shape near by.
  [[nodiscard]] ChannelState settled(const ChannelLoad& load, const ChannelState& from) const {
    const double length = *load.insert;
    const Passage passage = passage_for(length);
    std::vector<double> angles = drawn_on(from, length, passage, 1 / length);
    double tip = from.tip_along + length - from.s.back();
    ChannelState state;
    for (int turn = 0; turn < kResistTurns; ++turn) {
      const Vec2 against = passage.ruling(passage.u_of(tip / length)).tangent;
      const ChannelProblem part = inserted(problem_, load, against);
      const Beam beam = make_beam(part, passage, problem_.search.links, part.loads.front());
      const Polished polished = polish(passage, beam, angles);
      state = describe(part, passage, beam, polished);
      if (state.converged && !(state.balance < kFeedBalance)) {
        state.converged = false;
        state.why = "the forces of the fed beam are not in balance";
      }
      if (polished.converged && !forward(polished.configuration.angles, polished.configuration.places)) {
        state.converged = false;
        state.why = "the beam folds back in the channel";
      }
      if (!state.converged || load.resist == 0) break;
      const Vec2 there = passage.ruling(passage.u_of(state.tip_along / length)).tangent;
      if ((there - against).norm() < kResistTurned) break;
      tip = state.tip_along;
      angles = state.angles;
    }
    return state;
  }

  static ChannelLoad between(const ChannelLoad& a, const ChannelLoad& b, double share) {
    ChannelLoad load = b;
    load.insert = *a.insert + share * (*b.insert - *a.insert);
    return load;
  }

  struct Account {
    double work = 0, heat = 0, lost = 0;
  };
  [[nodiscard]] Account account(const ChannelState& next) const {
    const double fed = next.s.back() - now_.s.back();
    const Vec2 along = direction(passage_for(1).ruling(0).heading);
    // along the walls it slides by what is fed, the tip by as far as it goes; the clamp takes what presses on the first
    // half link
    const double tip_way = (next.positions.back() - now_.positions.back()).norm();
    const auto rubs = [&](const ChannelState& state) {
      double sum = std::abs(fed * (state.insertion_force - state.clamp_force.dot(along)));
      for (const WallContact& contact : state.contacts)
        sum += std::abs(contact.friction) * (contact.node == problem_.search.links ? tip_way : std::abs(fed));
      return sum;
    };
    const auto straightened = [&](const ChannelState& state) {
      const double natural = natural_curvature(problem_.beam, problem_.beam.length - state.s.back());
      return 0.5 * problem_.beam.EI * natural * natural;
    };
    Account sum;
    sum.work = 0.5 * (now_.feed_force + next.feed_force) * fed +
               0.5 * (now_.end_force + next.end_force).dot(next.positions.back() - now_.positions.back()) +
               0.5 * (straightened(now_) + straightened(next)) * fed;
    sum.heat = 0.5 * (rubs(now_) + rubs(next));
    sum.lost = sum.work - sum.heat - (next.bending + next.wall_energy - now_.bending - now_.wall_energy);
    return sum;
  }

  // Over [low, high] of the way from one length to the next: at once if the energy changes by the work, else in halves;
  // what does not on the smallest step is a snap.
  void advance(const ChannelLoad& from, const ChannelLoad& to, double low, double high, int halvings,
               ChannelStep& step) {
    const ChannelLoad load = between(from, to, high);
    ChannelState next = settled(load, now_);
    const Account sum = account(next);
    const double unit = problem_.beam.EI / problem_.beam.length;
    const bool balanced = next.converged && std::abs(sum.lost) <= kFeedUnworked * (std::abs(sum.work) + sum.heat) +
                                                                      (high - low) * kFeedFloor * unit;
    if (!balanced && halvings < kFeedHalvings) {
      const double middle = 0.5 * (low + high);
      advance(from, to, low, middle, halvings + 1, step);
      if (now_.converged) advance(from, to, middle, high, halvings + 1, step);
      return;
    }
    if (!balanced && next.converged) {
      if (!step.snapped) step.snap_share = high;
      step.snapped = true;
      step.snap_release += sum.lost;
      step.snaps.push_back({load, (high - low) * std::abs(*to.insert - *from.insert), sum.lost});
    }
    step.work += sum.work;
    step.heat += sum.heat;
    now_ = std::move(next);
  }

  const ChannelProblem& problem_;
  const ChannelOptions& options_;
  ChannelState now_;
};

}  // namespace

ChannelOutcome feed_in(const ChannelProblem& problem, const ChannelOptions& options) {
  return Feeder(problem, options).run();
}

}  // namespace filum::channel
