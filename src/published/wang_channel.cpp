#include "published/wang_channel.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::published {
namespace {

using std::numbers::pi;
constexpr double kNever = std::numeric_limits<double>::infinity();

// One straight section: its outer wall is the local x axis.
struct Section {
  double heading = 0;
  Vec2 origin = Vec2::Zero();
  double width = 0;
  std::vector<Vec2> corners;  // four, local, counter-clockwise
  double polar = 0;           // angle about the centre of the circle, of its calibration point
  int reach = 0;              // levels that a link can climb

  [[nodiscard]] Vec2 to_local(const Vec2& point) const {
    const Vec2 d = point - origin;
    const double c = std::cos(heading), s = std::sin(heading);
    return {c * d[0] + s * d[1], -s * d[0] + c * d[1]};
  }
  [[nodiscard]] Vec2 to_world(const Vec2& local) const {
    const double c = std::cos(heading), s = std::sin(heading);
    return origin + Vec2(c * local[0] - s * local[1], s * local[0] + c * local[1]);
  }
  // Inside or, to round-off, on the edge.
  [[nodiscard]] bool holds(const Vec2& local) const {
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec2 edge = corners[(i + 1) % 4] - corners[i];
      const Vec2 to = local - corners[i];
      if (edge[0] * to[1] - edge[1] * to[0] < -1e-12) return false;
    }
    return true;
  }
};

// What a link ends in.
struct End {
  double cost = kNever;
  double x = 0, y = 0;  // local
  double angle = 0;     // local
  int section = 0;
};

Vec2 intersection(const Vec2& a, double heading_a, const Vec2& b, double heading_b) {
  const Vec2 u(std::cos(heading_a), std::sin(heading_a)), v(std::cos(heading_b), std::sin(heading_b));
  const Vec2 d = b - a;
  return a + (d[0] * v[1] - d[1] * v[0]) / (u[0] * v[1] - u[1] * v[0]) * u;
}

class Search {
 public:
  explicit Search(const WangChannel& given)
      : given_(given), step_(pi / 2 * given.radius / given.links), levels_(given.levels) {
    make_sections();
    const double links = given.published_energy ? given.links + 2 : given.links;
    energy_step_ = 1 / links;
  }

  WangShape run() {
    std::vector<End> now(at(levels_) * at(levels_)), before;
    first_links(now);
    keep(now, {});
    for (int stage = 3; stage <= given_.links; ++stage) {
      before = now;
      now.assign(before.size(), End{});
      std::vector<int> back(before.size(), -1);
      // from the link (pp, p) on to level s
      for (int pp = 0; pp < levels_; ++pp)
        for (int p = 0; p < levels_; ++p)
          if (before[index(pp, p)].cost < kNever) extend(before[index(pp, p)], pp, p, now, back);
      keep(now, std::move(back));
    }
    return trace(now);
  }

 private:
  [[nodiscard]] std::size_t index(int from, int to) const { return at(from) * at(levels_) + at(to); }
  [[nodiscard]] double level(int m, int section) const { return m * sections_[at(section)].width / (levels_ - 1); }
  // [Wang2016, appendix C, function PE], global angles
  [[nodiscard]] double energy(double before, double after) const {
    const double bend = (after - before) / energy_step_;
    return (0.5 * bend * bend - given_.load[1] * std::sin(after) + given_.load[0] * (1 - std::cos(after))) *
           energy_step_;
  }

  void make_sections() {
    const int count = given_.sections;
    const double turn = pi / 2 / (count - 1);
    const double half_edge = (given_.radius + given_.outer) * std::tan(turn / 2);
    std::vector<Vec2> low{{0, -given_.outer}}, calibration;
    for (int k = 0; k < count; ++k) {
      Section section;
      section.heading = k * turn;
      section.origin = low.back();
      const double inner = given_.inner_start + (given_.inner_end - given_.inner_start) * section.heading / (pi / 2);
      section.width = given_.outer + inner;
      section.polar = section.heading;
      section.reach = static_cast<int>(std::floor(step_ / (section.width / (levels_ - 1))));
      const double r = given_.radius - inner;
      calibration.emplace_back(r * std::sin(section.heading), given_.radius - r * std::cos(section.heading));
      const double edge = k == 0 || k == count - 1 ? half_edge : 2 * half_edge;
      low.emplace_back(low.back() + edge * Vec2(std::cos(section.heading), std::sin(section.heading)));
      sections_.push_back(section);
    }
    // inner corners: where neighbouring inner walls meet; the last section is prolonged by a quarter of the beam
    std::vector<Vec2> high{calibration.front()};
    for (int k = 1; k < count; ++k)
      high.push_back(intersection(calibration[at(k - 1)], sections_[at(k - 1)].heading, calibration[at(k)],
                                  sections_[at(k)].heading));
    high.push_back(calibration.back());
    const Vec2 out(0, pi / 2 * given_.radius / 4);
    low.back() += out;
    high.back() += out;
    for (int k = 0; k < count; ++k) {
      Section& section = sections_[at(k)];
      section.corners = {Vec2::Zero(), section.to_local(low[at(k + 1)]), section.to_local(high[at(k + 1)]),
                         section.to_local(high[at(k)])};
    }
  }

  // Stages 1 and 2: the clamped link along the axis, and the first free one.
  void first_links(std::vector<End>& now) {
    // the level of the clamp, or the nearest to it
    const int start = static_cast<int>(std::lround(given_.outer / sections_[0].width * (levels_ - 1)));
    for (int s = std::max(0, start - sections_[0].reach); s <= std::min(levels_ - 1, start + sections_[0].reach); ++s) {
      const double sine = (level(s, 0) - given_.outer) / step_;
      if (std::abs(sine) > 1) continue;
      const double angle = std::asin(sine);
      now[index(start, s)] = {energy(0, angle), step_ + step_ * std::cos(angle), level(s, 0), angle, 0};
    }
  }

  void extend(const End& link, int pp, int p, std::vector<End>& now, std::vector<int>& back) {
    const int reach = sections_[at(link.section)].reach;
    for (int s = std::max(0, p - reach); s <= std::min(levels_ - 1, p + reach); ++s) {
      ++evaluations_;
      End end;
      if (!place(link, s, end)) continue;
      const double before = link.angle + sections_[at(link.section)].heading;
      const double after = end.angle + sections_[at(end.section)].heading;
      end.cost = link.cost + energy(before, after);
      End& best = now[index(p, s)];
      if (end.cost < best.cost) {
        best = end;
        back[index(p, s)] = pp;
      }
    }
  }

  // Where a link that climbs to level s ends: in this section, or in a neighbour.
  bool place(const End& link, int s, End& end) const {
    const Section& here = sections_[at(link.section)];
    const double sine = (level(s, link.section) - link.y) / step_;
    if (std::abs(sine) > 1) return false;
    end.angle = std::asin(sine);
    end.x = link.x + step_ * std::cos(end.angle);
    end.y = link.y + step_ * std::sin(end.angle);
    end.section = link.section;
    if (here.holds({end.x, end.y})) return true;
    // forward or back, by the angle about the centre
    const Vec2 world = here.to_world({end.x, end.y});
    const double polar = pi / 2 - std::atan((given_.radius - world[1]) / world[0]);
    end.section = polar > here.polar ? link.section + 1 : link.section - 1;
    if (end.section < 0 || end.section >= given_.sections) return false;
    // the link's start seen from there
    const Vec2 start = sections_[at(end.section)].to_local(here.to_world({link.x, link.y}));
    const double climb = (level(s, end.section) - start[1]) / step_;
    if (std::abs(climb) > 1) return false;
    end.angle = std::asin(climb);
    end.x = start[0] + step_ * std::cos(end.angle);
    end.y = start[1] + step_ * std::sin(end.angle);
    return true;
  }

  void keep(const std::vector<End>& ends, std::vector<int> back) {
    std::vector<Vec2> points;
    points.reserve(ends.size());
    for (const End& end : ends) points.push_back(sections_[at(end.section)].to_world({end.x, end.y}));
    points_.push_back(std::move(points));
    back_.push_back(std::move(back));
  }

  [[nodiscard]] WangShape trace(const std::vector<End>& ends) const {
    WangShape shape;
    shape.evaluations = evaluations_;
    const auto best =
        std::min_element(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.cost < b.cost; });
    shape.energy = best->cost;
    if (best->cost == kNever) return shape;
    int from = static_cast<int>(best - ends.begin()) / levels_;
    int to = static_cast<int>(best - ends.begin()) % levels_;
    for (int stage = static_cast<int>(points_.size()) - 1; stage >= 0; --stage) {
      shape.positions.push_back(points_[at(stage)][index(from, to)]);
      if (stage == 0) break;
      const int earlier = back_[at(stage)][index(from, to)];
      to = from;
      from = earlier;
    }
    shape.positions.emplace_back(step_, 0);
    shape.positions.emplace_back(0, 0);
    std::reverse(shape.positions.begin(), shape.positions.end());
    for (const Vec2& point : shape.positions) shape.breach = std::max(shape.breach, breach(point));
    return shape;
  }

  // Beyond the round walls; past the quarter they are straight.
  [[nodiscard]] double breach(const Vec2& point) const {
    const double angle = std::atan2(point[0], given_.radius - point[1]);
    const double r = angle < pi / 2 ? std::hypot(point[0], point[1] - given_.radius) : point[0];
    const double share = std::clamp(angle / (pi / 2), 0.0, 1.0);
    const double inner = given_.inner_start + (given_.inner_end - given_.inner_start) * share;
    return std::max(r - given_.radius - given_.outer, given_.radius - inner - r);
  }

  WangChannel given_;
  double step_, energy_step_ = 0;
  int levels_;
  std::vector<Section> sections_;
  std::vector<std::vector<Vec2>> points_;
  std::vector<std::vector<int>> back_;
  double evaluations_ = 0;
};

}  // namespace

WangShape wang_search(const WangChannel& channel) {
  return Search(channel).run();
}

}  // namespace filum::published
