// The search in a tube: dynamic programming over links between points of cross-sections.
//
// Sections of the tube lie at even steps of its centreline, with points on rings about the centre in a frame that does
// not twist. From each point one link leads to each point of the section nearest to a link's length ahead. Bending is
// φ²/2Δs with φ the angle between neighbouring links: isotropic, and without twist as no end is turned. A joint costs a
// look at every pair of links through a point, so the work is N · A/2 · P³ with P points across, A sections; the number
// of states grows as P², and with it the memory. `keep` bounds both by dropping the states of highest energy.
#include <filum/tube.hpp>

#include "base/index.hpp"
#include "channel/parallel.hpp"
#include "channel/planar_tube.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum {
namespace channel {
namespace {

using std::numbers::pi;
constexpr double kUnreached = std::numeric_limits<double>::infinity();
constexpr double kReach = 0.25;  // run-out beyond the end of the tube, in the beam's length

struct SpaceLink {
  Vec3 way = Vec3::Zero();  // unit
  double load = 0;
  int source = 0, target = 0;
};

// Everything scaled by the beam's length and EI.
class TubeSearch {
 public:
  TubeSearch(const TubeProblem& problem, const ChannelOptions& options)
      : problem_(problem), options_(options), step_(1.0 / problem.links) {
    force_ = problem.force * (problem.length * problem.length / problem.EI);
    make_points();
    make_links();
  }

  TubeOutcome run() {
    TubeOutcome outcome;
    outcome.states = static_cast<double>(links_.size());
    std::vector<double> cost(links_.size(), kUnreached);
    enter(cost);
    std::vector<std::vector<int>> back;
    for (int stage = 2; stage < problem_.links; ++stage) {
      if (options_.progress) options_.progress(static_cast<double>(stage) / problem_.links, "searching");
      prune(cost, outcome);
      back.emplace_back(links_.size(), -1);
      cost = advance(cost, back.back(), outcome);
    }
    const auto best = std::min_element(cost.begin(), cost.end());
    if (best == cost.end() || *best == kUnreached) {
      outcome.why = "no chain of links fits into the tube: more rings or links may help";
      return outcome;
    }
    describe(static_cast<int>(best - cost.begin()), *best, back, outcome);
    return outcome;
  }

 private:
  [[nodiscard]] int per_section() const { return static_cast<int>(offsets_.size()); }

  void make_points() {
    const CurvePath path(problem_.centreline);
    const double scale = 1 / problem_.length;
    const double along = step_ / problem_.arc_steps;
    length_ = path.length() * scale;
    const int sections = static_cast<int>((std::min(length_, 1.0) + kReach) / along) + 1;
    std::vector<Vec3> tangents;
    for (int i = 0; i < sections; ++i) {
      // beyond the end the tube goes on straight
      const double s = i * along;
      const CurveSample sample = path.at(std::min(s, length_) / scale);
      tangents.push_back(sample.tangent);
      centres_.emplace_back(scale * sample.position + std::max(0.0, s - length_) * sample.tangent);
    }
    const Vec3 normal = std::abs(tangents.front()[2]) < 0.9 ? Vec3::UnitZ() : Vec3::UnitX();
    const std::vector<Quat> frames = bishop_frames(tangents, normal);
    offsets_.emplace_back(0, 0);
    for (int ring = 1; ring <= problem_.rings; ++ring)
      for (int i = 0; i < 6 * ring; ++i) {
        const double angle = 2 * pi * i / (6 * ring);
        offsets_.emplace_back(Vec2(std::cos(angle), std::sin(angle)) *
                              (problem_.radius * scale * ring / problem_.rings));
      }
    for (int i = 0; i < sections; ++i)
      for (const Vec2& offset : offsets_)
        points_.emplace_back(centres_[at(i)] + frames[at(i)] * Vec3(offset[0], offset[1], 0));
    tangents_ = std::move(tangents);
    start_ = centres_.front();
    heading_ = tangents_.front();
    // the thrust that a frictionless tube passes on; see the planar lattice
    const std::size_t tip = std::min(tangents_.size() - 1, at(problem_.links * problem_.arc_steps));
    thrust_ = -force_.dot(tangents_[tip]);
  }

  // The point of the line `offset` along the tube that is nearest to a link's length ahead.
  [[nodiscard]] int target_of(const Vec3& from, int guess, int offset) const {
    const int sections = static_cast<int>(centres_.size());
    const auto excess = [&](int section) {
      return (points_[at(section * per_section() + offset)] - from).norm() - step_;
    };
    int section = std::clamp(guess, 0, sections - 1);
    while (section + 1 < sections && excess(section) < 0) ++section;
    while (section > 0 && excess(section - 1) >= 0 && excess(section - 1) < excess(section)) --section;
    if (section > 0 && std::abs(excess(section - 1)) < std::abs(excess(section))) --section;
    if (std::abs(excess(section)) > step_ / problem_.arc_steps) return -1;
    const int target = section * per_section() + offset;
    const bool ahead = tangents_[at(section)].dot(points_[at(target)] - from) > 0.1 * step_;
    return ahead ? target : -1;
  }

  [[nodiscard]] SpaceLink link_between(const Vec3& from, int source, int target) const {
    const Vec3 way = points_[at(target)] - from;
    SpaceLink link;
    link.source = source;
    link.target = target;
    link.way = way.normalized();
    link.load = -force_.dot(way - step_ * heading_) - thrust_ * (way.norm() - step_);
    return link;
  }

  void make_links() {
    first_.push_back(0);
    for (int point = 0; point < static_cast<int>(points_.size()); ++point) {
      for (int offset = 0; offset < per_section(); ++offset) {
        const int target = target_of(points_[at(point)], point / per_section() + problem_.arc_steps, offset);
        if (target >= 0) links_.push_back(link_between(points_[at(point)], point, target));
      }
      first_.push_back(static_cast<int>(links_.size()));
    }
    in_.resize(points_.size());
    for (std::size_t link = 0; link < links_.size(); ++link)
      in_[at(links_[link].target)].push_back(static_cast<int>(link));
  }

  [[nodiscard]] double bend(const Vec3& before, const Vec3& after) const {
    const double angle = std::atan2(before.cross(after).norm(), before.dot(after));
    return 0.5 / step_ * angle * angle;
  }

  // The first free link starts where the clamp's ends, which is on the lattice if the tube starts straight.
  void enter(std::vector<double>& cost) const {
    const Vec3 clamped = start_ + step_ * heading_;
    int nearest = 0;
    for (int point = 0; point < static_cast<int>(points_.size()); point += per_section())
      if ((points_[at(point)] - clamped).norm() < (points_[at(nearest)] - clamped).norm()) nearest = point;
    for (int link = first_[at(nearest)]; link < first_[at(nearest + 1)]; ++link) {
      const SpaceLink exact = link_between(clamped, nearest, links_[at(link)].target);
      cost[at(link)] = bend(heading_, exact.way) + exact.load;
    }
  }

  // Keeps the lowest states.
  void prune(std::vector<double>& cost, TubeOutcome& outcome) const {
    std::vector<double> reached;
    for (const double value : cost)
      if (value < kUnreached) reached.push_back(value);
    if (problem_.keep == 0 || reached.size() <= at(problem_.keep)) return;
    const auto limit = reached.begin() + problem_.keep;
    std::nth_element(reached.begin(), limit, reached.end());
    for (double& value : cost)
      if (value >= *limit) value = kUnreached;
    outcome.pruned = true;
  }

  std::vector<double> advance(const std::vector<double>& before, std::vector<int>& back, TubeOutcome& outcome) const {
    std::vector<double> after(links_.size(), kUnreached);
    std::vector<double> looked(points_.size(), 0.0);
    for_ranges(options_.parallel, static_cast<int>(points_.size()), 64, [&](int begin, int end) {
      for (int point = begin; point < end; ++point)
        for (const int in : in_[at(point)]) {
          if (before[at(in)] == kUnreached) continue;
          for (int out = first_[at(point)]; out < first_[at(point + 1)]; ++out) {
            const double value = before[at(in)] + bend(links_[at(in)].way, links_[at(out)].way) + links_[at(out)].load;
            if (value >= after[at(out)]) continue;
            after[at(out)] = value;
            back[at(out)] = in;
          }
          looked[at(point)] += first_[at(point + 1)] - first_[at(point)];
        }
    });
    for (const double count : looked) outcome.visited += count;
    return after;
  }

  void describe(int link, double lowest, const std::vector<std::vector<int>>& back, TubeOutcome& outcome) const {
    outcome.found = true;
    outcome.dimensionless = lowest;
    outcome.energy = lowest * problem_.EI / problem_.length;
    std::vector<int> linkage{link};
    for (auto stage = back.rbegin(); stage != back.rend(); ++stage) linkage.push_back((*stage)[at(linkage.back())]);
    std::reverse(linkage.begin(), linkage.end());
    outcome.positions = {problem_.length * start_, problem_.length * (start_ + step_ * heading_)};
    // the linkage with links of exact length drifts from the lattice's: how far does it leave the tube?
    Vec3 exact = start_ + step_ * heading_;
    for (const int each : linkage) {
      const SpaceLink& on = links_[at(each)];
      outcome.positions.emplace_back(problem_.length * points_[at(on.target)]);
      exact += step_ * on.way;
      double off = kUnreached;
      for (const Vec3& centre : centres_) off = std::min(off, (centre - exact).norm());
      outcome.breach = std::max(outcome.breach, off * problem_.length - problem_.radius);
    }
  }

  const TubeProblem& problem_;
  const ChannelOptions& options_;
  double step_, length_ = 0, thrust_ = 0;
  Vec3 force_ = Vec3::Zero(), start_ = Vec3::Zero(), heading_ = Vec3::UnitX();
  std::vector<Vec2> offsets_;             // of a section
  std::vector<Vec3> centres_, tangents_;  // of sections
  std::vector<Vec3> points_;              // section after section
  std::vector<SpaceLink> links_;
  std::vector<int> first_;            // of each point: its first link
  std::vector<std::vector<int>> in_;  // of each point: links that end there
};

}  // namespace
}  // namespace channel

std::optional<ChannelFault> check_tube(const TubeProblem& problem) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  const double length = curve_length(problem.centreline);
  if (!positive(length)) return ChannelFault{"tube.centreline", "the centreline has no length"};
  if (!positive(problem.radius)) return ChannelFault{"tube.radius", "expected a radius above zero"};
  if (!positive(problem.length)) return ChannelFault{"beam.length", "expected a length above zero"};
  if (!positive(problem.EI)) return ChannelFault{"beam.EI", "expected a bending stiffness above zero"};
  if (problem.length > length * (1 + 1e-9)) return ChannelFault{"beam.length", "the beam is longer than the tube"};
  if (!problem.force.allFinite()) return ChannelFault{"load.force", "expected finite numbers"};
  if (problem.links < 3 || problem.links > 200) return ChannelFault{"search.links", "expected a number from 3 to 200"};
  if (problem.rings < 1 || problem.rings > 5) return ChannelFault{"search.rings", "expected a number from 1 to 5"};
  if (problem.arc_steps < 1 || problem.arc_steps > 16)
    return ChannelFault{"search.arc_steps", "expected a number from 1 to 16"};
  if (problem.keep < 0) return ChannelFault{"search.keep", "expected a number of states, or 0 for all"};
  // states × (link, costs, pointers of all stages)
  const double across = 1 + 3.0 * problem.rings * (problem.rings + 1);
  const double states = 1.25 * problem.links * problem.arc_steps * across * across;
  if (states * (80 + 4.0 * problem.links) > 4e9)
    return ChannelFault{"search.rings", "this lattice would take more than 4 GB; fewer rings, links or arc_steps"};
  return {};
}

TubeOutcome search_tube(const TubeProblem& problem, const ChannelOptions& options) {
  TubeOutcome outcome = channel::TubeSearch(problem, options).run();
  std::optional<TubeOutcome> planar = channel::planar_shape(problem, options);
  if (!planar || (outcome.found && planar->energy >= outcome.energy)) return outcome;
  planar->states = outcome.states;
  planar->visited = outcome.visited;
  planar->pruned = outcome.pruned;
  return *std::move(planar);
}

}  // namespace filum
