#include "channel/load_path.hpp"

#include "channel/path_follower.hpp"

namespace filum::channel {
namespace {

// A channel's beam as a path sees it.
struct PlaneKit {
  using Load = ChannelLoad;
  using Step = ChannelStep;
  using Beam = channel::Beam;
  using Polished = channel::Polished;

  const ChannelProblem& problem;
  const Passage& passage;

  static ChannelLoad between(const ChannelLoad& a, const ChannelLoad& b, double share) {
    ChannelLoad load;
    load.force = (1 - share) * a.force + share * b.force;
    if (a.push && b.push) load.push = (1 - share) * *a.push + share * *b.push;
    return load;
  }
  static double size(const ChannelLoad& load) { return load.push ? std::abs(*load.push) : load.force.norm(); }
  static double distance(const ChannelLoad& a, const ChannelLoad& b) {
    return a.push && b.push ? std::abs(*b.push - *a.push) : (b.force - a.force).norm();
  }
  [[nodiscard]] double unit() const { return problem.beam.EI / problem.beam.length; }
  // One that moves farther on the smallest step has snapped.
  [[nodiscard]] double jump() const { return std::min(0.02, 0.25 * passage.widest()); }
  [[nodiscard]] bool rubs() const { return problem.channel.friction > 0; }
  [[nodiscard]] Beam beam_for(const ChannelLoad& load) const {
    return make_beam(problem, passage, problem.search.links, load);
  }
  [[nodiscard]] Polished settled(const Beam& beam, const Polished& from) const {
    return polish(passage, beam, from.configuration.angles);
  }
  [[nodiscard]] Polished followed(const Beam&, const Beam& beam, const Polished& from) const {
    return follow(passage, beam, from);
  }
  [[nodiscard]] double energy(const Beam& beam, const Polished& polished) const {
    return channel::energy(beam, polished.configuration.angles).total();
  }
  // What the load does on the way from one equilibrium to another, by the trapezium: dU = λ dx for a pushed tip, x its
  // place and λ its force; dU = −d·dT for a force T, d how far the tip is from where it is straight.
  [[nodiscard]] double work(const Beam& from, const Polished& a, const Beam& to, const Polished& b) const {
    if (from.tip) return 0.5 * (tip_force(a) + tip_force(b)) * (*to.tip - *from.tip);
    const Vec2 straight = from.start + direction(from.heading);
    const Vec2 mean = 0.5 * (a.configuration.nodes.back() + b.configuration.nodes.back()) - straight;
    return -mean.dot(to.force - from.force);
  }
};

}  // namespace

std::vector<ChannelStep> follow_loads(const ChannelProblem& problem, const Passage& passage, const ChannelState& start,
                                      const std::function<void(double share)>& progress) {
  std::vector<ChannelStep> path;
  path.emplace_back();
  path.back().load = problem.loads.front();
  path.back().state = start;
  const PlaneKit kit{problem, passage};
  PathFollower<PlaneKit> follower(kit, polish(passage, kit.beam_for(problem.loads.front()), start.angles));
  for (std::size_t i = 1; i < problem.loads.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(problem.loads.size()));
    ChannelStep step = follower.step(problem.loads[i - 1], problem.loads[i]);
    const Polished& now = follower.now();
    step.state = describe(problem, passage, kit.beam_for(problem.loads[i]), now);
    if (now.converged && !forward(now.configuration.angles, now.configuration.places)) {
      step.state.converged = false;
      step.state.why = "the beam folds back in the channel";
    }
    path.push_back(std::move(step));
  }
  return path;
}

}  // namespace filum::channel
