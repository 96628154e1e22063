#include "channel/tube_search.hpp"

#include "base/index.hpp"
#include "channel/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::channel {
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
  TubeSearch(const SpacePassage& passage, const TubeWall& wall, const SpaceBeam& beam, const TubeLattice& lattice,
             const ChannelOptions& options)
      : passage_(passage),
        wall_(wall),
        lattice_(lattice),
        options_(options),
        step_(1.0 / lattice.links),
        force_(beam.force) {
    make_points();
    make_links();
  }

  TubeFound run(int most) {
    TubeFound found;
    found.states = static_cast<double>(links_.size());
    std::vector<double> cost(links_.size(), kUnreached);
    enter(cost);
    std::vector<std::vector<int>> back;
    for (int stage = 2; stage < lattice_.links; ++stage) {
      if (options_.progress) options_.progress(static_cast<double>(stage) / lattice_.links, "searching");
      prune(cost, found);
      back.emplace_back(links_.size(), -1);
      cost = advance(cost, back.back(), found);
    }
    add_chains(cost, back, most, found);
    return found;
  }

 private:
  [[nodiscard]] int per_section() const { return static_cast<int>(offsets_.size()); }

  void make_points() {
    const double along = step_ / lattice_.arc_steps;
    const int sections = static_cast<int>((std::min(passage_.length(), 1.0) + kReach) / along) + 1;
    offsets_.emplace_back(0, 0);
    for (int ring = 1; ring <= lattice_.rings; ++ring)
      for (int i = 0; i < 6 * ring; ++i)
        offsets_.emplace_back(2 * pi * i / (6 * ring), static_cast<double>(ring) / lattice_.rings);
    for (int i = 0; i < sections; ++i) {
      const double s = i * along;
      const SpacePlace place = passage_.at_arc(s);
      const Vec3 centre = passage_.point_at(s);
      tangents_.push_back(place.tangent);
      // an angle and a share of the way to the wall
      for (const Vec2& offset : offsets_) {
        const Vec2 across = offset[1] * wall_.boundary(s, offset[0]);
        points_.emplace_back(centre + across[0] * place.d1 + across[1] * place.d2);
      }
    }
    start_ = passage_.point_at(0);
    heading_ = tangents_.front();
    // the thrust that a frictionless tube passes on; see the planar lattice
    const std::size_t tip = std::min(tangents_.size() - 1, at(lattice_.links * lattice_.arc_steps));
    thrust_ = -force_.dot(tangents_[tip]);
  }

  // The point of the line `offset` along the tube that is nearest to a link's length ahead.
  [[nodiscard]] int target_of(const Vec3& from, int guess, int offset) const {
    const int sections = static_cast<int>(tangents_.size());
    const auto excess = [&](int section) {
      return (points_[at(section * per_section() + offset)] - from).norm() - step_;
    };
    int section = std::clamp(guess, 0, sections - 1);
    while (section + 1 < sections && excess(section) < 0) ++section;
    while (section > 0 && excess(section - 1) >= 0 && excess(section - 1) < excess(section)) --section;
    if (section > 0 && std::abs(excess(section - 1)) < std::abs(excess(section))) --section;
    if (std::abs(excess(section)) > step_ / lattice_.arc_steps) return -1;
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
        const int target = target_of(points_[at(point)], point / per_section() + lattice_.arc_steps, offset);
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
  void prune(std::vector<double>& cost, TubeFound& found) const {
    std::vector<double> reached;
    for (const double value : cost)
      if (value < kUnreached) reached.push_back(value);
    if (lattice_.keep == 0 || reached.size() <= at(lattice_.keep)) return;
    const auto limit = reached.begin() + lattice_.keep;
    std::nth_element(reached.begin(), limit, reached.end());
    for (double& value : cost)
      if (value >= *limit) value = kUnreached;
    found.pruned = true;
  }

  std::vector<double> advance(const std::vector<double>& before, std::vector<int>& back, TubeFound& found) const {
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
    for (const double count : looked) found.visited += count;
    return after;
  }

  // The lowest chain to each of the points where one can end, lowest first.
  void add_chains(const std::vector<double>& cost, const std::vector<std::vector<int>>& back, int most,
                  TubeFound& found) const {
    std::vector<int> ends(at(per_section()), -1);
    for (std::size_t link = 0; link < links_.size(); ++link) {
      int& best = ends[at(links_[link].target % per_section())];
      if (cost[link] < kUnreached && (best < 0 || cost[link] < cost[at(best)])) best = static_cast<int>(link);
    }
    std::erase(ends, -1);
    std::sort(ends.begin(), ends.end(), [&](int a, int b) { return cost[at(a)] < cost[at(b)]; });
    if (static_cast<int>(ends.size()) > most) ends.resize(at(most));
    for (const int end : ends) {
      std::vector<int> links{end};
      for (auto stage = back.rbegin(); stage != back.rend(); ++stage) links.push_back((*stage)[at(links.back())]);
      std::reverse(links.begin(), links.end());
      TubeChain chain{cost[at(end)], {start_, start_ + step_ * heading_}};
      for (const int link : links) chain.nodes.push_back(points_[at(links_[at(link)].target)]);
      found.chains.push_back(std::move(chain));
    }
  }

  const SpacePassage& passage_;
  const TubeWall& wall_;
  const TubeLattice& lattice_;
  const ChannelOptions& options_;
  double step_, thrust_ = 0;
  Vec3 force_ = Vec3::Zero(), start_ = Vec3::Zero(), heading_ = Vec3::UnitX();
  std::vector<Vec2> offsets_;   // of a section: angle and share of the way to the wall
  std::vector<Vec3> tangents_;  // of sections
  std::vector<Vec3> points_;    // section after section
  std::vector<SpaceLink> links_;
  std::vector<int> first_;            // of each point: its first link
  std::vector<std::vector<int>> in_;  // of each point: links that end there
};

}  // namespace

TubeFound search_tube_lattice(const SpacePassage& passage, const TubeWall& wall, const SpaceBeam& beam,
                              const TubeLattice& lattice, int most, const ChannelOptions& options) {
  return TubeSearch(passage, wall, beam, lattice, options).run(most);
}

}  // namespace filum::channel
