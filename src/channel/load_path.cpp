#include "channel/load_path.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

// A shape that moves farther than this on a step so small has snapped.
constexpr double kJump = 0.02;  // in the beam's length
constexpr int kHalvings = 9;    // of a step between two loads

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

  // Over [low, high] of the way: at once if the shape hardly moves, else in halves; what jumps on the smallest step is
  // a snap.
  void advance(const ChannelLoad& from, const ChannelLoad& to, double low, double high, int halvings,
               ChannelStep& result) {
    Polished next = at_load(between(from, to, high), now_.configuration.angles);
    const bool jumps = !next.converged || distance(next, now_) > jump_;
    if (jumps && halvings > 0) {
      const double middle = 0.5 * (low + high);
      advance(from, to, low, middle, halvings - 1, result);
      advance(from, to, middle, high, halvings - 1, result);
      return;
    }
    if (jumps && next.converged && !result.snapped) {
      const double unit = problem_.beam.EI / problem_.beam.length;
      const Beam beam = beam_for(between(from, to, high));
      result.snapped = true;
      result.snap_share = high;
      result.snap_release =
          unit * (energy(beam, now_.configuration.angles).total() - energy(beam, next.configuration.angles).total());
    }
    now_ = std::move(next);
  }

  const ChannelProblem& problem_;
  const Passage& passage_;
  Polished now_;
  double jump_ = kJump;
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
