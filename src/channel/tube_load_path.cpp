#include "channel/tube_load_path.hpp"

#include "channel/path_follower.hpp"
#include "channel/tube_describe.hpp"

#include <limits>

namespace filum::channel {

SpaceBeam make_beam(const TubeProblem& problem, const SpacePassage& passage, const TubeLoad& load) {
  const double length = problem.length;
  SpaceBeam beam;
  beam.links = problem.links;
  beam.step = 1.0 / problem.links;
  beam.start = passage.point_at(0);
  beam.heading = passage.at_arc(0).tangent;
  beam.wall_stiffness = problem.stiffness * length * length * length * length / problem.EI;
  beam.friction = problem.friction;
  beam.sense = problem.sliding == ChannelSliding::In ? 1 : -1;
  if (load.push) {
    beam.tip = (length - *load.push) / length;
    beam.centred = problem.tip == ChannelTip::Centre;
  } else {
    beam.force = load.force * (length * length / problem.EI);
  }
  if (load.turn) {
    beam.twist_stiffness = problem.GJ / problem.EI;
    beam.turn = *load.turn;
  }
  return beam;
}

namespace {

// A tube's beam as a path sees it.
struct SpaceKit {
  using Load = TubeLoad;
  using Step = TubeStep;
  using Beam = SpaceBeam;
  using Polished = SpacePolished;

  const TubeProblem& problem;
  const SpacePassage& passage;
  const TubeWall& wall;

  static TubeLoad between(const TubeLoad& a, const TubeLoad& b, double share) {
    const auto mean = [share](const std::optional<double>& p, const std::optional<double>& q) -> std::optional<double> {
      if (!p || !q) return {};
      return (1 - share) * *p + share * *q;
    };
    return {(1 - share) * a.force + share * b.force, mean(a.push, b.push), mean(a.turn, b.turn)};
  }
  // Of what changes most of what there is.
  static double size(const TubeLoad& load) {
    return load.push               ? std::abs(*load.push)
           : load.force.norm() > 0 ? load.force.norm()
                                   : std::abs(load.turn.value_or(0));
  }
  static double distance(const TubeLoad& a, const TubeLoad& b) {
    if (a.push && *a.push != *b.push) return std::abs(*b.push - *a.push);
    const double forces = (b.force - a.force).norm();
    return forces > 0 || !a.turn ? forces : std::abs(*b.turn - *a.turn);
  }
  [[nodiscard]] double unit() const { return problem.EI / problem.length; }
  // A beam may turn about the axis of its tube at no cost: its energy alone tells whether it has snapped.
  [[nodiscard]] static double jump() { return std::numeric_limits<double>::infinity(); }
  [[nodiscard]] bool rubs() const { return problem.friction > 0; }
  [[nodiscard]] SpaceBeam beam_for(const TubeLoad& load) const { return make_beam(problem, passage, load); }
  [[nodiscard]] SpacePolished settled(const SpaceBeam& beam, const SpacePolished& from) const {
    return polish(SpaceModel{passage, wall, beam}, from.configuration.tangents);
  }
  [[nodiscard]] SpacePolished followed(const SpaceBeam& before, const SpaceBeam& beam,
                                       const SpacePolished& from) const {
    return follow(SpaceModel{passage, wall, beam}, from, beam.turn - before.turn);
  }
  [[nodiscard]] double energy(const SpaceBeam& beam, const SpacePolished& polished) const {
    return channel::energy(beam, polished.configuration).total();
  }
  // As in the plane, and what turns the tip: dU = GJ Θ dα.
  [[nodiscard]] double work(const SpaceBeam& from, const SpacePolished& a, const SpaceBeam& to,
                            const SpacePolished& b) const {
    const double turning =
        0.5 * from.twist_stiffness * (a.configuration.twist + b.configuration.twist) * (to.turn - from.turn);
    if (from.tip) return turning + 0.5 * (tip_force(a) + tip_force(b)) * (*to.tip - *from.tip);
    const Vec3 straight = from.start + from.heading;
    const Vec3 mean = 0.5 * (a.configuration.nodes.back() + b.configuration.nodes.back()) - straight;
    return turning - mean.dot(to.force - from.force);
  }
};

}  // namespace

std::vector<TubeStep> follow_loads(const TubeProblem& problem, const SpacePassage& passage, const TubeWall& wall,
                                   const TubeShape& start, const std::function<void(double share)>& progress) {
  std::vector<TubeStep> path(1);
  path.back().load = problem.loads.front();
  path.back().state = start;
  std::vector<Vec3> tangents;
  for (std::size_t i = 0; i + 1 < start.positions.size(); ++i)
    tangents.emplace_back((start.positions[i + 1] - start.positions[i]).normalized());
  const SpaceKit kit{problem, passage, wall};
  const SpaceBeam first = kit.beam_for(problem.loads.front());
  PathFollower<SpaceKit> follower(kit, polish(SpaceModel{passage, wall, first}, tangents));
  for (std::size_t i = 1; i < problem.loads.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(problem.loads.size()));
    TubeStep step = follower.step(problem.loads[i - 1], problem.loads[i]);
    const SpaceBeam beam = kit.beam_for(problem.loads[i]);
    step.state = describe(problem, beam, follower.now());
    if (step.state.converged && !SpaceModel{passage, wall, beam}.forward(follower.now().configuration)) {
      step.state.converged = false;
      step.state.why = "the beam folds back in the tube";
    }
    path.push_back(std::move(step));
  }
  return path;
}

}  // namespace filum::channel
