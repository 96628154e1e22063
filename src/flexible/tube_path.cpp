#include "flexible/tube_path.hpp"

#include "base/index.hpp"
#include "flexible/line_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::flexible {
namespace {

// The plane across a branch.
struct Across {
  Vec3 centre = Vec3::Zero();
  Vec3 tangent = Vec3::UnitZ();
  double radius = 0;
  double reach = 0;  // how far its section goes from its centre
  [[nodiscard]] double ahead(const Vec3& p) const { return (p - centre).dot(tangent); }
};

Across plane_at(const TreeBranch& branch, double s) {
  std::size_t i = 1;
  double gone = 0;
  double length = (branch.centre[1] - branch.centre[0]).norm();
  while (i + 1 < branch.centre.size() && gone + length < s) {
    gone += length;
    ++i;
    length = (branch.centre[i] - branch.centre[i - 1]).norm();
  }
  const double share = length > 0 ? std::clamp((s - gone) / length, 0.0, 1.0) : 0;
  const Vec3 way = branch.centre[i] - branch.centre[i - 1];
  const double radius = branch.radius[i - 1] + share * (branch.radius[i] - branch.radius[i - 1]);
  return {branch.centre[i - 1] + share * way, way.normalized(), radius, std::max(radius, branch.half.norm())};
}

using Polygon = std::vector<int>;

// A part of a triangle and whether it is known on which side of a plane it lies: 1 ahead, −1 behind, 0 not clipped.
struct Part {
  Polygon corners;
  std::array<int, 2> side{0, 0};
};

class Cutter {
 public:
  Cutter(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles, const TubeTree& tree)
      : triangles_(triangles), tree_(tree) {
    made_.points.assign(points.begin(), points.end());
  }

  CutMesh run(std::span<const PathPiece> path) {
    // the pieces that want each triangle: a trunk with side branches has all of its triangles in each of its branches
    std::vector<std::vector<int>> wanted(triangles_.size());
    for (std::size_t k = 0; k < path.size(); ++k)
      for (const int t : tree_.branches[at(path[k].branch)].triangles) {
        std::vector<int>& list = wanted[at(t)];
        if (list.empty() || list.back() != static_cast<int>(k)) list.push_back(static_cast<int>(k));
      }
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (wanted[t].empty()) {
        made_.rest.push_back(triangles_[t]);
        continue;
      }
      std::vector<Polygon> open{Polygon(triangles_[t].begin(), triangles_[t].end())};
      for (const int k : wanted[t]) open = take(path[at(k)], open);
      for (const Polygon& polygon : open) add(made_.rest, polygon);
    }
    return std::move(made_);
  }

 private:
  // What lies within the piece becomes flexible; the others are returned.
  std::vector<Polygon> take(const PathPiece& piece, const std::vector<Polygon>& polygons) {
    const TreeBranch& branch = tree_.branches[at(piece.branch)];
    const std::array<Across, 2> ends{plane_at(branch, piece.from), plane_at(branch, piece.to)};
    std::vector<Polygon> others;
    for (const Polygon& polygon : polygons) {
      std::vector<Part> parts;
      parts.emplace_back().corners = polygon;
      for (const int end : {0, 1}) {
        std::vector<Part> finer;
        for (const Part& part : parts) clip(ends[at(end)], end, part, finer);
        parts = std::move(finer);
      }
      for (const Part& part : parts) {
        if (is_within(piece, branch, ends, part))
          add(made_.flexible, part.corners);
        else
          others.push_back(part.corners);
      }
    }
    return others;
  }

  [[nodiscard]] bool is_within(const PathPiece& piece, const TreeBranch& branch, const std::array<Across, 2>& ends,
                               const Part& part) const {
    if (part.side[0] < 0 || part.side[1] > 0) return false;
    Vec3 middle = Vec3::Zero();
    for (const int corner : part.corners) middle += point(corner) / static_cast<double>(part.corners.size());
    const double s = nearest_on(branch.centre, branch.radius, middle).s;
    const double slack = 1e-9 * ends[0].radius;
    // beyond the branch's own end the nearest place is that end: the plane tells
    if (part.side[0] == 0 && s < piece.from + slack && ends[0].ahead(middle) < 0) return false;
    if (part.side[1] == 0 && s > piece.to - slack && ends[1].ahead(middle) > 0) return false;
    return (part.side[0] > 0 || s >= piece.from - slack) && (part.side[1] < 0 || s <= piece.to + slack);
  }

  // Splits a convex polygon at a plane, near its centre alone: a bend may cross the plane again.
  void clip(const Across& plane, int end, const Part& part, std::vector<Part>& out) {
    constexpr double kNear = 1.5;   // of how far its section reaches
    std::array<Polygon, 2> halves;  // behind, ahead
    bool near = false;
    const std::size_t count = part.corners.size();
    const std::size_t known = made_.points.size();
    for (std::size_t i = 0; i < count; ++i) {
      const int a = part.corners[i];
      const int b = part.corners[(i + 1) % count];
      const double from = plane.ahead(point(a));
      const double to = plane.ahead(point(b));
      halves[from >= 0 ? 1 : 0].push_back(a);
      if ((from >= 0) == (to >= 0)) continue;
      const int crossing = crossing_of(a, b, from / (from - to));
      near = near || (point(crossing) - plane.centre).norm() < kNear * plane.reach;
      halves[0].push_back(crossing);
      halves[1].push_back(crossing);
    }
    if (!near) {
      made_.points.resize(known);
      out.push_back(part);
      return;
    }
    for (const int half : {0, 1}) {
      if (halves[at(half)].size() < 3) continue;
      out.emplace_back(part).corners = halves[at(half)];
      out.back().side[at(end)] = half == 1 ? 1 : -1;
    }
  }

  int crossing_of(int a, int b, double share) {
    made_.points.push_back(point(a) + share * (point(b) - point(a)));
    return static_cast<int>(made_.points.size()) - 1;
  }

  void add(std::vector<std::array<int, 3>>& to, const Polygon& polygon) {
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) to.push_back({polygon[0], polygon[i], polygon[i + 1]});
  }

  [[nodiscard]] const Vec3& point(int i) const { return made_.points[at(i)]; }

  std::span<const std::array<int, 3>> triangles_;
  const TubeTree& tree_;
  CutMesh made_;
};

}  // namespace

std::optional<TubePick> pick(const TubeTree& tree, const Vec3& point) {
  std::optional<TubePick> best;
  double least = 1;  // radii from the surface
  for (std::size_t b = 0; b < tree.branches.size(); ++b) {
    const LinePlace place = nearest_on(tree.branches[b].centre, tree.branches[b].radius, point);
    // inside is as near as the surface itself
    const double off = std::max(0.0, place.distance / place.radius - 1) + 1e-3 * place.distance / place.radius;
    if (off >= least) continue;
    least = off;
    best = TubePick{static_cast<int>(b), place.s};
  }
  return best;
}

std::optional<std::vector<PathPiece>> path_between(const TubeTree& tree, const TubePick& a, const TubePick& b) {
  if (a.branch == b.branch) return std::vector<PathPiece>{{a.branch, std::min(a.s, b.s), std::max(a.s, b.s)}};
  // Dijkstra's shortest ways from the first pick to all nodes
  constexpr double kFar = std::numeric_limits<double>::max();
  std::vector<double> far(tree.nodes.size(), kFar);
  std::vector<int> by(tree.nodes.size(), -1);  // the branch that leads there
  std::vector<bool> done(tree.nodes.size(), false);
  const TreeBranch& first = tree.branches[at(a.branch)];
  const TreeBranch& last = tree.branches[at(b.branch)];
  far[at(first.start)] = a.s;
  if (const double rest = first.length() - a.s; rest < far[at(first.end)]) far[at(first.end)] = rest;
  by[at(first.start)] = by[at(first.end)] = a.branch;
  while (true) {
    int node = -1;
    for (std::size_t n = 0; n < far.size(); ++n)
      if (!done[n] && far[n] < kFar && (node < 0 || far[n] < far[at(node)])) node = static_cast<int>(n);
    if (node < 0) break;
    done[at(node)] = true;
    for (std::size_t k = 0; k < tree.branches.size(); ++k) {
      const TreeBranch& branch = tree.branches[k];
      if (branch.start != node && branch.end != node) continue;
      const int other = branch.start == node ? branch.end : branch.start;
      if (far[at(node)] + branch.length() >= far[at(other)]) continue;
      far[at(other)] = far[at(node)] + branch.length();
      by[at(other)] = static_cast<int>(k);
    }
  }
  const auto ahead = [](double to, double along) { return to < kFar ? to + along : kFar; };
  const double by_start = ahead(far[at(last.start)], b.s);
  const double by_end = ahead(far[at(last.end)], last.length() - b.s);
  if (std::min(by_start, by_end) == kFar) return std::nullopt;
  // back from the second pick
  std::vector<PathPiece> path;
  int node = by_start <= by_end ? last.start : last.end;
  path.push_back(by_start <= by_end ? PathPiece{b.branch, 0, b.s} : PathPiece{b.branch, b.s, last.length()});
  while (by[at(node)] != a.branch) {
    const TreeBranch& branch = tree.branches[at(by[at(node)])];
    path.push_back({by[at(node)], 0, branch.length()});
    node = branch.start == node ? branch.end : branch.start;
  }
  path.push_back(node == first.start ? PathPiece{a.branch, 0, a.s} : PathPiece{a.branch, a.s, first.length()});
  std::reverse(path.begin(), path.end());
  return path;
}

TreeBranch part_of(const TreeBranch& branch, double from, double to) {
  TreeBranch part;
  part.centre_bound = branch.centre_bound;
  part.radius_bound = branch.radius_bound;
  part.wall = branch.wall;
  part.kind = branch.kind;
  part.half = branch.half;
  part.fill = branch.fill;
  part.wide = branch.wide_at(from);
  part.turns = turns_between(branch.turns, from / branch.length(), to / branch.length());
  const auto add = [&](const Across& place) {
    part.centre.push_back(place.centre);
    part.radius.push_back(place.radius);
  };
  add(plane_at(branch, from));
  double s = 0;
  const double slack = 1e-9 * (to - from);
  for (std::size_t i = 1; i < branch.centre.size(); ++i) {
    s += (branch.centre[i] - branch.centre[i - 1]).norm();
    if (s <= from + slack || s >= to - slack) continue;
    part.centre.push_back(branch.centre[i]);
    part.radius.push_back(branch.radius[i]);
  }
  add(plane_at(branch, to));
  return part;
}

CutMesh cut_out(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles, const TubeTree& tree,
                std::span<const PathPiece> path) {
  return Cutter(points, triangles, tree).run(path);
}

}  // namespace filum::flexible
