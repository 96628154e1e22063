#include "flexible/tube_tree.hpp"

#include "base/index.hpp"
#include "flexible/in_line.hpp"
#include "flexible/line_bound.hpp"
#include "flexible/line_place.hpp"
#include "flexible/near_lines.hpp"
#include "geometry/box_tree.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

namespace filum::flexible {
namespace {

// Ends of tubes are numbered: 2·tube is its start, 2·tube + 1 its end.

// Sets of ends that are one.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  void unite(int a, int b) { parent_[at(find(a))] = find(b); }

 private:
  std::vector<int> parent_;
};

class TreeFinder {
 public:
  TreeFinder(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles)
      : surface_(make_surface(points, triangles)) {}

  TubeTree run() {
    trace_ = trace_tubes(surface_);
    take_tubes();
    drop_inner_walls();
    set_connectors_aside();
    Sets sets(2 * lines_.size());
    join_regions(sets);
    reach_caps();
    join_shells(sets);
    split_trunks(sets);
    make_nodes(sets);
    set_rings_aside();
    make_pieces();
    tree_.crowded = surface_.crowded;
    tree_.doubled = surface_.doubled;
    return std::move(tree_);
  }

 private:
  [[nodiscard]] Vec3 end_point(int end) const {
    const CentreLine& line = lines_[at(end / 2)];
    return end % 2 == 0 ? line.centre.front() : line.centre.back();
  }
  [[nodiscard]] double end_radius(int end) const {
    const CentreLine& line = lines_[at(end / 2)];
    return end % 2 == 0 ? line.radius.front() : line.radius.back();
  }
  // Out of the tube.
  [[nodiscard]] Vec3 end_direction(int end) const {
    const CentreLine& line = lines_[at(end / 2)];
    return end % 2 == 0 ? Vec3(-line.start_tangent) : line.end_tangent;
  }

  // ---- tubes

  void take_tubes() {
    std::vector<std::vector<int>> own(trace_.tubes.size());
    for (std::size_t t = 0; t < trace_.owner.size(); ++t)
      if (trace_.owner[t] >= 0) own[at(trace_.owner[t])].push_back(static_cast<int>(t));
    for (std::size_t k = 0; k < trace_.tubes.size(); ++k) {
      if (trace_.tubes[k].ring) {
        note_ring();
        tube_of_.push_back(-1);
        continue;
      }
      tube_of_.push_back(static_cast<int>(lines_.size()));
      lines_.push_back(refine(surface_, trace_.tubes[k], own[k]));
      triangles_.push_back(std::move(own[k]));
      walls_.push_back(0);
    }
  }

  // A tube that runs inside another one, near its axis all along.
  void drop_inner_walls() {
    const std::size_t count = lines_.size();
    const NearLines near(lines_);
    dropped_.assign(count, false);
    for (std::size_t i = 0; i < count; ++i)
      for (const std::size_t j : near.at(lines_[i].centre.front(), 0)) {
        if (i == j || dropped_[i] || dropped_[j]) continue;
        const double inner = lines_[i].radius[lines_[i].radius.size() / 2];
        const double outer = lines_[j].radius[lines_[j].radius.size() / 2];
        if (!(inner < 0.98 * outer)) continue;
        bool inside = true;
        for (std::size_t k = 0; inside && k < lines_[i].centre.size(); k += 1 + lines_[i].centre.size() / 40)
          inside = nearest_on(lines_[j].centre, lines_[j].radius, lines_[i].centre[k]).distance < 0.1 * outer;
        if (!inside || lines_[i].length() < 0.7 * lines_[j].length()) continue;
        dropped_[i] = true;
        walls_[j] = outer - inner;
        triangles_[j].insert(triangles_[j].end(), triangles_[i].begin(), triangles_[i].end());
      }
  }

  // A short thick tube that one thinner one ends in is a round connector: a piece, not a branch.
  void set_connectors_aside() {
    constexpr double kShort = 6;      // radii
    constexpr double kThicker = 1.3;  // than what ends in it
    const NearLines near(lines_);
    std::vector<std::vector<int>> ends(lines_.size());  // that may lie in each
    for (int end = 0; end < 2 * static_cast<int>(lines_.size()); ++end)
      for (const std::size_t c : near.at(end_point(end), 0)) ends[c].push_back(end);
    for (std::size_t c = 0; c < lines_.size(); ++c) {
      const double radius = lines_[c].radius[lines_[c].radius.size() / 2];
      if (dropped_[c] || lines_[c].length() > kShort * radius) continue;
      int thinner = 0;
      int others = 0;
      for (const int end : ends[c]) {
        if (at(end / 2) == c || dropped_[at(end / 2)]) continue;
        if (nearest_on(lines_[c].centre, lines_[c].radius, end_point(end)).distance > 0.6 * radius) continue;
        ++(kThicker * end_radius(end) < radius ? thinner : others);
      }
      if (thinner != 1 || others > 0) continue;
      dropped_[c] = true;
      *std::find(tube_of_.begin(), tube_of_.end(), static_cast<int>(c)) = -1;
    }
  }

  // ---- what meets

  // Unclaimed triangles that hang together, and the tube ends around them.
  void join_regions(Sets& sets) {
    region_.assign(surface_.triangle.size(), -1);
    for (std::size_t seed = 0; seed < surface_.triangle.size(); ++seed) {
      if (owner(static_cast<int>(seed)) >= 0 || region_[seed] != -1 || is_wall(static_cast<int>(seed))) continue;
      const int number = static_cast<int>(region_ends_.size());
      std::vector<int> open{static_cast<int>(seed)};
      std::set<int> ends;
      std::set<int> beside;  // tubes
      bool walled = false;
      region_[seed] = number;
      for (std::size_t i = 0; i < open.size(); ++i)
        for (const int n : surface_.neighbour[at(open[i])]) {
          if (n < 0) continue;
          const int tube = owner(n);
          if (tube >= 0) {
            beside.insert(tube);
            note_contact(tube, n, ends);
          } else if (is_wall(n)) {
            walled = true;
          } else if (region_[at(n)] == -1) {
            region_[at(n)] = number;
            open.push_back(n);
          }
        }
      if (ends.empty() && beside.size() == 1) take_strays(*beside.begin(), open);
      region_ends_.emplace_back(ends.begin(), ends.end());
      region_walled_.push_back(walled);
      region_apart_.push_back(meet_far_off(region_ends_.back()));
      if (region_apart_.back()) continue;
      for (const int end : ends) sets.unite(*ends.begin(), end);
    }
  }

  // A few faces in the midst of a flat tube are its own: far out on a thin twisted one they lean to the sections beside them.
  void take_strays(int tube, const std::vector<int>& triangles) {
    constexpr std::size_t kFew = 8;
    if (lines_[at(tube)].kind != TubeKind::Flat || triangles.size() > kFew) return;
    std::vector<int>& own = triangles_[at(tube)];
    own.insert(own.end(), triangles.begin(), triangles.end());
    for (const int t : triangles) region_[at(t)] = kTaken;
  }

  // Three or more tubes that end on one panel or block do not meet in it: their axes do nowhere near.
  [[nodiscard]] bool meet_far_off(const std::vector<int>& ends) const {
    constexpr double kFar = 12;  // radii of the thickest
    if (ends.size() < 3) return false;
    const Vec3 node = meeting_point(ends);
    double thickest = 0;
    double farthest = 0;
    for (const int end : ends) {
      thickest = std::max(thickest, end_radius(end));
      farthest = std::max(farthest, (end_point(end) - node).norm());
    }
    return farthest > kFar * thickest;
  }

  // A tube ends at the far plane of what closes it: on a surface that was meshed anew its last round section is nearer.
  void reach_caps() {
    regions_.resize(region_ends_.size());
    for (std::size_t t = 0; t < region_.size(); ++t)
      if (region_[t] >= 0) regions_[at(region_[t])].push_back(static_cast<int>(t));
    caps_.assign(regions_.size(), false);
    for (std::size_t r = 0; r < regions_.size(); ++r) {
      if (region_ends_[r].size() != 1 || !is_cap(regions_[r], region_ends_[r].front())) continue;
      caps_[r] = true;
      const int end = region_ends_[r].front();
      double far = 0;
      for (const int t : regions_[r])
        for (const int corner : surface_.triangle[at(t)])
          far = std::max(far, (surface_.point[at(corner)] - end_point(end)).dot(end_direction(end)));
      if (!(far > 0.05 * end_radius(end))) continue;
      CentreLine& line = lines_[at(end / 2)];
      line.centre.insert(end % 2 == 0 ? line.centre.begin() : line.centre.end(),
                         end_point(end) + far * end_direction(end));
      line.radius.insert(end % 2 == 0 ? line.radius.begin() : line.radius.end(), end_radius(end));
      for (std::vector<double>* bound : {&line.centre_bound, &line.radius_bound})
        bound->insert(end % 2 == 0 ? bound->begin() : bound->end(), end % 2 == 0 ? bound->front() : bound->back());
    }
  }

  // The tube that has a triangle; −1: none, or one that is no branch.
  [[nodiscard]] int owner(int triangle) const {
    const int traced = trace_.owner[at(triangle)];
    const int tube = traced < 0 ? -1 : tube_of_[at(traced)];
    return tube >= 0 && dropped_[at(tube)] ? -1 : tube;
  }

  // Of the inner wall of a pipe: nothing goes on along it, or the faces at both ends of the pipe would be one.
  [[nodiscard]] bool is_wall(int triangle) const {
    const int traced = trace_.owner[at(triangle)];
    return traced >= 0 && tube_of_[at(traced)] >= 0 && dropped_[at(tube_of_[at(traced)])];
  }

  void note_contact(int tube, int triangle, std::set<int>& ends) const {
    const CentreLine& line = lines_[at(tube)];
    const LinePlace place = nearest_on(line.centre, line.radius, surface_.centroid(triangle));
    const double length = line.length();
    // long triangles reach from end to end: the nearer one counts if the triangle touches it
    double least = length;
    double most = 0;
    for (const int corner : surface_.triangle[at(triangle)]) {
      const double s = nearest_on(line.centre, line.radius, surface_.point[at(corner)]).s;
      least = std::min(least, s);
      most = std::max(most, s);
    }
    if (least < 1.2 * place.radius && place.s < length / 2) ends.insert(2 * tube);
    if (length - most < 1.2 * place.radius && place.s >= length / 2) ends.insert(2 * tube + 1);
  }

  // Ends of shells that lie in one another: at an end they unite, along a tube they split it.
  void join_shells(Sets& sets) {
    const NearLines near(lines_);
    for (std::size_t a = 0; a < lines_.size(); ++a) {
      if (dropped_[a]) continue;
      for (const int side : {0, 1}) {
        const int end = 2 * static_cast<int>(a) + side;
        for (const std::size_t b : near.at(end_point(end), 0.1 * end_radius(end))) {
          if (a == b || dropped_[b]) continue;
          const LinePlace place = nearest_on(lines_[b].centre, lines_[b].radius, end_point(end));
          if (place.distance > place.radius + 0.1 * end_radius(end)) continue;
          const double reach = 1.2 * std::max(place.radius, end_radius(end));
          const double length = lines_[b].length();
          if (place.s < reach)
            sets.unite(end, 2 * static_cast<int>(b));
          else if (length - place.s < reach)
            sets.unite(end, 2 * static_cast<int>(b) + 1);
          else
            splits_.push_back({end, static_cast<int>(b), place.s});
        }
      }
    }
  }

  struct Split {
    int end;
    int tube;
    double s;
  };

  // Branches of a tube: whole, or between the places where others join it.
  void split_trunks(Sets& sets) {
    std::sort(splits_.begin(), splits_.end(),
              [](const Split& a, const Split& b) { return std::tie(a.tube, a.s) < std::tie(b.tube, b.s); });
    auto split = splits_.begin();
    for (std::size_t b = 0; b < lines_.size(); ++b) {
      if (dropped_[b]) continue;
      // places that are one node: their ends hang together, or they are near
      std::vector<std::pair<double, std::vector<int>>> places;
      for (; split != splits_.end() && split->tube == static_cast<int>(b); ++split) {
        const double near = 0.5 * lines_[b].radius.front();
        if (!places.empty() && split->s - places.back().first < near)
          places.back().second.push_back(split->end);
        else
          places.push_back({split->s, {split->end}});
      }
      std::vector<double> cuts{0};
      std::vector<int> joints{2 * static_cast<int>(b)};
      for (auto& [s, ends] : places) {
        for (const int end : ends) sets.unite(end, ends.front());
        cuts.push_back(s);
        joints.push_back(ends.front());
      }
      cuts.push_back(lines_[b].length());
      joints.push_back(2 * static_cast<int>(b) + 1);
      for (std::size_t k = 1; k < cuts.size(); ++k)
        pieces_.push_back({static_cast<int>(b), cuts[k - 1], cuts[k], joints[k - 1], joints[k]});
    }
  }

  struct Piece {
    int tube;
    double from;
    double to;
    int start;  // an end of a tube, which stands for its node
    int end;
  };

  // ---- nodes

  void make_nodes(Sets& sets) {
    std::vector<std::vector<int>> members(2 * lines_.size());
    for (std::size_t e = 0; e < members.size(); ++e)
      if (!dropped_[e / 2]) members[at(sets.find(static_cast<int>(e)))].push_back(static_cast<int>(e));
    std::vector<int> node_of(members.size(), -1);  // of each end
    for (const std::vector<int>& ends : members) {
      if (ends.empty()) continue;
      const std::array<std::vector<int>, 2> groups = parted(ends);
      for (const std::vector<int>& group : groups) {
        if (group.empty()) continue;
        for (const int end : group) node_of[at(end)] = static_cast<int>(tree_.nodes.size());
        tree_.nodes.emplace_back().position = meeting_point(group);
      }
      if (!groups[1].empty()) add_link(ends);
    }
    for (const Piece& piece : pieces_) add_branch(piece, node_of[at(piece.start)], node_of[at(piece.end)]);
    join_in_line(tree_);
  }

  void note_ring() {
    tree_.notes.emplace_back("a tube that is closed in itself, with no end to begin at, is left as a piece");
  }

  // A branch whose ends meet each other and nothing else is closed in itself, though it was not followed all round.
  void set_rings_aside() {
    const auto is_ring = [&](const TreeBranch& branch) {
      return branch.start == branch.end && tree_.nodes[at(branch.start)].degree == 2;
    };
    for (TreeBranch& branch : tree_.branches) {
      if (!is_ring(branch)) continue;
      note_ring();
      tree_.pieces.push_back(std::move(branch.triangles));
      branch.triangles.clear();
    }
    std::erase_if(tree_.branches, is_ring);
    for (TreeNode& node : tree_.nodes) node.degree = 0;
    for (const TreeBranch& branch : tree_.branches)
      for (const int node : {branch.start, branch.end}) ++tree_.nodes[at(node)].degree;
    drop_lone_nodes(tree_);
  }

  // Ends that hang together but do not aim at one point may meet in two that lie near each other, with a piece of tube
  // between them too short to be found: the second group is empty where they do not.
  [[nodiscard]] std::array<std::vector<int>, 2> parted(const std::vector<int>& ends) const {
    constexpr double kAside = 0.25;   // radii by which axes pass their one point, at least
    constexpr double kBetter = 0.35;  // share of that by which they may pass their two points
    constexpr unsigned kMostEnds = 8;
    std::array<std::vector<int>, 2> best{ends, {}};
    const auto count = static_cast<unsigned>(ends.size());
    if (count < 4 || count > kMostEnds || trunk_of(ends)) return best;
    const double one = passed(ends);
    if (one < kAside) return best;
    double nearest = std::numeric_limits<double>::max();
    for (unsigned choice = 1; choice < 1u << (count - 1); ++choice) {
      std::array<std::vector<int>, 2> groups;
      for (unsigned i = 0; i < count; ++i) groups[choice >> i & 1u].push_back(ends[i]);
      if (groups[0].size() < 2 || groups[1].size() < 2) continue;
      if (std::max(passed(groups[0]), passed(groups[1])) > kBetter * one) continue;
      // of several ways the one with the shortest pieces to add
      double added = 0;
      for (const std::vector<int>& group : groups)
        for (const int end : group) added += (meeting_point(group) - end_point(end)).norm();
      if (added >= nearest) continue;
      nearest = added;
      best = std::move(groups);
    }
    return best;
  }

  // How far the axes of ends pass the point where they meet, at most, in radii of the thinnest; far where that is behind
  // one of them.
  [[nodiscard]] double passed(const std::vector<int>& ends) const {
    const Vec3 point = meeting_point(ends);
    double farthest = 0;
    double thinnest = std::numeric_limits<double>::max();
    for (const int end : ends) {
      const Vec3 off = point - end_point(end);
      const double ahead = off.dot(end_direction(end));
      thinnest = std::min(thinnest, end_radius(end));
      farthest = std::max(farthest, (off - ahead * end_direction(end)).norm());
      if (ahead < -end_radius(end) || ahead > 8 * end_radius(end)) farthest = std::numeric_limits<double>::max();
    }
    return farthest / thinnest;
  }

  // The piece between the last two nodes: as thick as the end that lies most in line with it.
  void add_link(const std::vector<int>& ends) {
    const int last = static_cast<int>(tree_.nodes.size()) - 1;
    TreeBranch link;
    link.start = last - 1;
    link.end = last;
    link.centre = {tree_.nodes[at(last - 1)].position, tree_.nodes[at(last)].position};
    const Vec3 way = (link.centre[1] - link.centre[0]).normalized();
    const int in_line = *std::max_element(ends.begin(), ends.end(), [&](int a, int b) {
      return std::abs(end_direction(a).dot(way)) < std::abs(end_direction(b).dot(way));
    });
    link.radius.assign(2, end_radius(in_line));
    ++tree_.nodes[at(last - 1)].degree;
    ++tree_.nodes[at(last)].degree;
    tree_.branches.push_back(std::move(link));
  }

  // Where the axes of the ends come nearest to each other, with a slight pull to where they end; a trunk that goes
  // through counts most.
  [[nodiscard]] Vec3 meeting_point(const std::vector<int>& ends) const {
    if (ends.size() == 1 && !trunk_of(ends)) return end_point(ends.front());
    constexpr double kPull = 1e-4;  // (how far axes are off / how far ends are from their node)²
    Mat3 sum = Mat3::Zero();
    Vec3 right = Vec3::Zero();
    const auto add_line = [&](const Vec3& p, const Vec3& direction, double weight) {
      const Mat3 across = Mat3::Identity() - direction * direction.transpose();
      sum += weight * across;
      right += weight * across * p;
    };
    for (const int end : ends) {
      const double weight = end_radius(end) * end_radius(end);
      add_line(end_point(end), end_direction(end), weight);
      sum += kPull * weight * Mat3::Identity();
      right += kPull * weight * end_point(end);
    }
    if (const auto split = trunk_of(ends)) {
      const CentreLine& trunk = lines_[at(split->tube)];
      const LinePlace place = nearest_on(trunk.centre, trunk.radius, end_point(split->end));
      const Vec3 a = trunk.centre[place.after - 1];
      const Vec3 b = trunk.centre[place.after];
      add_line(a + place.share * (b - a), (b - a).normalized(), 100 * place.radius * place.radius);
    }
    return sum.inverse() * right;
  }

  [[nodiscard]] std::optional<Split> trunk_of(const std::vector<int>& ends) const {
    for (const Split& split : splits_)
      if (std::find(ends.begin(), ends.end(), split.end) != ends.end()) return split;
    return std::nullopt;
  }

  // Part of a tube, from node to node: straight on to them.
  void add_branch(const Piece& piece, int start, int end) {
    const CentreLine& line = lines_[at(piece.tube)];
    TreeBranch branch;
    branch.start = start;
    branch.end = end;
    branch.wall = walls_[at(piece.tube)];
    branch.kind = line.kind;
    branch.half = line.half;
    branch.fill = line.fill;
    if (line.kind == TubeKind::Flat) {
      TreeBranch whole = branch;
      whole.centre = line.centre;
      whole.wide = line.start_wide;
      whole.turns = line.turns;
      branch.wide = whole.wide_at(piece.from);
      branch.turns = turns_between(line.turns, piece.from / line.length(), piece.to / line.length());
    }
    double s = 0;
    for (std::size_t i = 0; i < line.centre.size(); ++i) {
      if (i > 0) s += (line.centre[i] - line.centre[i - 1]).norm();
      if (s < piece.from - 1e-12 || s > piece.to + 1e-12) continue;
      branch.centre.push_back(line.centre[i]);
      branch.radius.push_back(line.radius[i]);
    }
    if (branch.centre.empty()) return;
    take_bounds(branch, line, piece);
    meet(branch, tree_.nodes[at(start)].position, true);
    meet(branch, tree_.nodes[at(end)].position, false);
    if (branch.centre.size() < 2) return;
    for (const int t : triangles_[at(piece.tube)])
      if (surface_.source[at(t)] >= 0) branch.triangles.push_back(surface_.source[at(t)]);
    ++tree_.nodes[at(start)].degree;
    ++tree_.nodes[at(end)].degree;
    tree_.branches.push_back(std::move(branch));
  }

  // The largest of its points that are far from its ends; of all if none is.
  static void take_bounds(TreeBranch& branch, const CentreLine& line, const Piece& piece) {
    for (const double apart : {kFromEnd, 0.0}) {
      double s = 0;
      double centre = -1;
      double radius = -1;
      for (std::size_t i = 0; i < line.centre.size(); ++i) {
        if (i > 0) s += (line.centre[i] - line.centre[i - 1]).norm();
        if (std::min(s - piece.from, piece.to - s) < apart * line.radius[i]) continue;
        centre = std::max(centre, line.centre_bound[i]);
        radius = std::max(radius, line.radius_bound[i]);
      }
      if (centre < 0) continue;
      branch.centre_bound = centre;
      branch.radius_bound = radius;
      return;
    }
  }

  // Ends at the node: points beyond it go, and the node comes last.
  static void meet(TreeBranch& branch, const Vec3& node, bool at_start) {
    if (at_start) {
      std::reverse(branch.centre.begin(), branch.centre.end());
      std::reverse(branch.radius.begin(), branch.radius.end());
    }
    // what lies farther along than the node, seen along the end
    while (branch.centre.size() > 2) {
      const Vec3& last = branch.centre.back();
      const Vec3& before = branch.centre[branch.centre.size() - 2];
      if ((node - before).dot(last - before) > (last - before).squaredNorm() * (1 - 1e-9)) break;
      if ((node - last).norm() < 1e-9 * branch.radius.back()) break;
      branch.centre.pop_back();
      branch.radius.pop_back();
    }
    if ((node - branch.centre.back()).norm() > 1e-6 * branch.radius.back()) {
      branch.centre.push_back(node);
      branch.radius.push_back(branch.radius.back());
    } else {
      branch.centre.back() = node;
    }
    if (at_start) {
      std::reverse(branch.centre.begin(), branch.centre.end());
      std::reverse(branch.radius.begin(), branch.radius.end());
    }
  }

  // ---- pieces

  // Regions without a tube, those with one end that are larger than a cap, and those whose tubes do not meet.
  void make_pieces() {
    std::vector<geometry::Box> places;
    for (const TreeNode& node : tree_.nodes) places.push_back({node.position, node.position});
    geometry::BoxTree nodes;
    nodes.build(places);
    for (std::size_t r = 0; r < regions_.size(); ++r) {
      if ((region_ends_[r].size() > 1 && !region_apart_[r]) || caps_[r]) continue;
      if (region_ends_[r].empty() && region_walled_[r]) continue;  // closes an inner wall
      std::vector<int> piece;
      geometry::Box box;
      for (const int t : regions_[r]) {
        if (surface_.source[at(t)] >= 0) piece.push_back(surface_.source[at(t)]);
        for (const int corner : surface_.triangle[at(t)]) box.add(surface_.point[at(corner)]);
      }
      if (piece.empty()) continue;  // nothing but a filled hole
      // free ends in it are held by it
      const Vec3 slack = 0.02 * (box.high - box.low);
      nodes.near({box.low - slack, box.high + slack}, 0, [&](int n) {
        if (tree_.nodes[at(n)].degree == 1) tree_.nodes[at(n)].piece = static_cast<int>(tree_.pieces.size());
      });
      tree_.pieces.push_back(std::move(piece));
    }
  }

  [[nodiscard]] bool is_cap(const std::vector<int>& region, int end) const {
    const Vec3 origin = end_point(end);
    const Vec3 out = end_direction(end);
    const double radius = std::max(end_radius(end), lines_[at(end / 2)].half.norm());
    for (const int t : region)
      for (const int corner : surface_.triangle[at(t)]) {
        const Vec3 off = surface_.point[at(corner)] - origin;
        const double along = off.dot(out);
        if (along > 1.6 * radius || (off - along * out).norm() > 1.35 * radius) return false;
      }
    return true;
  }

  Surface surface_;
  Trace trace_;
  std::vector<int> tube_of_;  // of each traced tube: its line, −1: none
  std::vector<CentreLine> lines_;
  std::vector<std::vector<int>> triangles_;
  std::vector<double> walls_;
  std::vector<bool> dropped_;
  static constexpr int kTaken = -2;
  std::vector<int> region_;  // of each triangle: −1: none, kTaken: a stray of a tube
  std::vector<std::vector<int>> region_ends_;
  std::vector<bool> region_walled_;        // of each region: does it border on an inner wall?
  std::vector<bool> region_apart_;         // of each region: do its tubes end on it without meeting?
  std::vector<std::vector<int>> regions_;  // triangles of each
  std::vector<bool> caps_;                 // of each region: does it only close a tube?
  std::vector<Split> splits_;
  std::vector<Piece> pieces_;
  TubeTree tree_;
};

}  // namespace

TubeTree find_tubes(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles) {
  return TreeFinder(points, triangles).run();
}

}  // namespace filum::flexible
