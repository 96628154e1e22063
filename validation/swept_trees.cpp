#include "validation/swept_trees.hpp"

#include "base/index.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace filum::validation {

namespace swept_trees_case {
namespace {

class TreeMaker {
 public:
  TreeMaker(unsigned seed, const TreeOptions& options) : random_(seed), options_(options) {}

  TrueTree make() {
    while (!grow()) tree_ = {};
    add_side_branches();
    if (options_.welded) contour();
    if (options_.connectors) add_connectors();
    for (int i = 0; i < options_.subdivide; ++i) subdivide();
    if (options_.holes > 0) make_holes();
    if (options_.soup) make_soup();
    return std::move(tree_);
  }

 private:
  struct Ring {
    Vec3 centre;
    Vec3 tangent;
    Vec3 normal;
    double s;
  };

  // no distribution of the standard library is the same everywhere
  double between(double low, double high) { return low + (high - low) * static_cast<double>(random_()) / 4294967296.0; }
  Vec3 direction() {
    while (true) {
      const Vec3 v(between(-1, 1), between(-1, 1), between(-1, 1));
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }

  // Straight pieces and arcs; rings where a tessellator would put them.
  struct Path {
    std::vector<Ring> rings;
    std::vector<Vec3> dense;
    std::vector<double> s;
    Vec3 end, tangent;
    double length = 0;
  };

  Path path(const Vec3& from, const Vec3& tangent, double radius) {
    Path made;
    Vec3 p = from;
    Vec3 t = tangent;
    Vec3 n = (std::abs(t.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY());
    n = (n - n.dot(t) * t).normalized();
    const auto note = [&](bool ring) {
      if (ring) made.rings.push_back({p, t, n, made.length});
      made.dense.push_back(p);
      made.s.push_back(made.length);
    };
    const auto straight = [&](double length) {
      const int inner = options_.uneven > 0 ? static_cast<int>(random_() % 12) : 0;
      std::vector<double> cuts;
      for (int i = 1; i <= inner; ++i)
        cuts.push_back(length * (i + options_.uneven * between(-0.5, 0.5)) / (inner + 1));
      double gone = 0;
      for (const double cut : cuts) {
        p += (cut - gone) * t;
        made.length += cut - gone;
        gone = cut;
        note(true);
      }
      const int steps = std::max(2, static_cast<int>(length / (0.2 * radius)));
      const Vec3 begin = p;
      const double at = made.length;
      for (int i = 1; i <= steps; ++i) {
        p = begin + (length - gone) * t * i / steps;
        made.length = at + (length - gone) * i / steps;
        note(i == steps);
      }
    };
    note(true);
    straight(between(5, 12) * radius);
    const int bends = 1 + static_cast<int>(random_() % 3);
    for (int b = 0; b < bends; ++b) {
      const double angle = between(25, 110) * std::numbers::pi / 180;
      const double bend = (options_.tight ? 2.0 : between(2.0, 12)) * radius;
      Vec3 axis = direction();
      axis = (axis - axis.dot(t) * t).normalized();
      const double per_ring = between(options_.least_turn, options_.most_turn) * std::numbers::pi / 180;
      const int count = std::max(1, static_cast<int>(std::ceil(angle / per_ring)));
      const Vec3 start = p;
      const Vec3 forward = t;
      const Vec3 across = axis.cross(forward);
      const Vec3 old_normal = n;
      const double begun = made.length;
      const auto turn_to = [&](double turned) {
        p = start + bend * (std::sin(turned) * forward + (1 - std::cos(turned)) * across);
        t = std::cos(turned) * forward + std::sin(turned) * across;
        n = Eigen::AngleAxisd(turned, axis) * old_normal;
        made.length = begun + bend * turned;
      };
      for (int i = 1; i < count; ++i) {
        turn_to(angle * (i + options_.uneven * between(-0.35, 0.35)) / count);
        made.rings.push_back({p, t, n, made.length});
      }
      const int fine = 32 * count;
      for (int i = 1; i <= fine; ++i) {
        turn_to(angle * i / fine);
        note(i == fine);
      }
      straight(between(4, 10) * radius);
    }
    made.end = p;
    made.tangent = t;
    return made;
  }

  bool grow() {
    struct Tip {
      int node;
      Vec3 tangent;
      double radius;
    };
    tree_.nodes = {Vec3::Zero()};
    tree_.degree = {0};
    std::vector<Tip> tips{{0, direction(), between(1e-3, 10e-3)}};
    while (!tips.empty()) {
      const Tip tip = tips.front();
      tips.erase(tips.begin());
      bool done = false;
      for (int attempt = 0; attempt < 40 && !done; ++attempt) done = add_branch(tip.node, tip.tangent, tip.radius);
      if (!done) return false;
      const TrueBranch& made = tree_.branches.back();
      // two or three go on, well apart from each other
      const Vec3 last = (made.centre.back() - made.centre[made.centre.size() - 2]).normalized();
      const int wanted = 2 + static_cast<int>(random_() % 2);
      if (static_cast<int>(tree_.branches.size() + tips.size()) + wanted > options_.branches) continue;
      std::vector<Vec3> ways;
      for (int tries = 0; tries < 400 && static_cast<int>(ways.size()) < wanted; ++tries) {
        const Vec3 way = direction();
        bool apart = way.dot(last) > -0.2;
        for (const Vec3& other : ways) apart = apart && way.dot(other) < 0.35;
        if (apart) ways.push_back(way);
      }
      if (static_cast<int>(ways.size()) < wanted) return false;
      for (const Vec3& way : ways) tips.push_back({made.end, way, made.radius.back() * between(0.6, 1.0)});
    }
    return !tree_.branches.empty();
  }

  // `hidden`: how far from its node the shell begins; `trunk`: a branch that goes through its node.
  bool add_branch(int node, const Vec3& tangent, double radius, double hidden = 0, int trunk = -1) {
    Path way = path(tree_.nodes[at(node)], tangent, radius);
    const double end_radius = options_.taper ? radius * between(0.6, 1.0) : radius;
    TrueBranch branch;
    branch.start = node;
    branch.centre = way.dense;
    for (const double s : way.s) branch.radius.push_back(radius + (end_radius - radius) * s / way.length);
    if (!is_clear(branch, trunk)) return false;
    branch.end = static_cast<int>(tree_.nodes.size());
    tree_.nodes.push_back(way.end);
    tree_.degree.push_back(1);
    ++tree_.degree[at(node)];
    tree_.branches.push_back(branch);
    way.rings.front().centre += hidden * tangent;
    way.rings.front().s = hidden;
    sweep(way, radius, end_radius);
    return true;
  }

  // Some branches start on the side of a straight piece of another one, which they split.
  void add_side_branches() {
    const int wanted = options_.branches / 4;
    for (int tries = 0, made = 0; tries < 40 && made < wanted; ++tries) {
      const std::size_t trunk = random_() % tree_.branches.size();
      const std::size_t where = random_() % tree_.branches[trunk].centre.size();
      const TrueBranch whole = tree_.branches[trunk];
      if (!is_straight(whole, where)) continue;
      const Vec3 along = (whole.centre[where + 1] - whole.centre[where]).normalized();
      const Vec3 way = direction();
      if (std::abs(way.dot(along)) > 0.5) continue;
      const double radius = whole.radius[where] * between(0.5, 0.95);
      const double surface = whole.radius[where] / std::sqrt(1 - way.dot(along) * way.dot(along));
      // the trunk in two, so that its second half is no obstacle at the node
      const int node = static_cast<int>(tree_.nodes.size());
      tree_.nodes.push_back(whole.centre[where]);
      tree_.degree.push_back(2);
      if (!add_branch(node, way, radius, options_.touch ? surface * between(0.97, 1.02) : 0.5 * surface,
                      static_cast<int>(trunk))) {
        tree_.nodes.pop_back();
        tree_.degree.pop_back();
        continue;
      }
      TrueBranch second = whole;
      const auto cut = static_cast<long>(where);
      second.centre.erase(second.centre.begin(), second.centre.begin() + cut);
      second.radius.erase(second.radius.begin(), second.radius.begin() + cut);
      second.start = node;
      TrueBranch& first = tree_.branches[trunk];
      first.centre.resize(where + 1);
      first.radius.resize(where + 1);
      first.end = node;
      tree_.branches.push_back(std::move(second));
      ++made;
    }
  }

  // For five radii either way.
  static bool is_straight(const TrueBranch& branch, std::size_t where) {
    const double reach = 5 * branch.radius[where];
    const Vec3& here = branch.centre[where];
    if ((here - branch.centre.front()).norm() < 1.6 * reach || (here - branch.centre.back()).norm() < 1.6 * reach)
      return false;
    const Vec3 along = (branch.centre[where + 1] - here).normalized();
    for (std::size_t i = 1; i < branch.centre.size(); ++i)
      if ((branch.centre[i] - here).norm() < reach &&
          (branch.centre[i] - branch.centre[i - 1]).normalized().dot(along) < 1 - 1e-9)
        return false;
    return true;
  }

  // No nearer to another branch, or to itself, than 1.4 of both radii, but to those at its own start.
  bool is_clear(const TrueBranch& branch, int trunk) const {
    const Vec3& start = branch.centre.front();
    for (std::size_t i = 0; i < branch.centre.size(); i += 2) {
      for (const TrueBranch& other : tree_.branches) {
        const bool meets = other.start == branch.start || other.end == branch.start ||
                           (trunk >= 0 && &other == &tree_.branches[at(trunk)]);
        for (std::size_t k = 0; k < other.centre.size(); k += 2) {
          const double reach = 1.4 * (branch.radius[i] + other.radius[k]);
          if ((branch.centre[i] - other.centre[k]).norm() > reach) continue;
          const bool at_start = (branch.centre[i] - start).norm() < 4 * (branch.radius[i] + other.radius[k]) &&
                                (other.centre[k] - start).norm() < 4 * (branch.radius[i] + other.radius[k]);
          if (!meets || !at_start) return false;
        }
      }
      double along = 0;
      for (std::size_t k = i + 1; k < branch.centre.size(); ++k) {
        along += (branch.centre[k] - branch.centre[k - 1]).norm();
        if (along > 6 * branch.radius[i] && (branch.centre[i] - branch.centre[k]).norm() < 2.8 * branch.radius[i])
          return false;
      }
    }
    return true;
  }

  void sweep(const Path& way, double radius, double end_radius) {
    const int sides =
        options_.least_sides +
        static_cast<int>(random_() % static_cast<unsigned>(options_.most_sides - options_.least_sides + 1));
    std::vector<double> angles;
    for (int k = 0; k < sides; ++k)
      angles.push_back(2 * std::numbers::pi * (k + options_.uneven * between(-0.3, 0.3)) / sides);
    const int first = static_cast<int>(tree_.points.size());
    for (const Ring& ring : way.rings) {
      const double r = radius + (end_radius - radius) * ring.s / way.length;
      const Vec3 other = ring.tangent.cross(ring.normal);
      for (const double angle : angles)
        add_point(ring.centre + r * (std::cos(angle) * ring.normal + std::sin(angle) * other), r);
    }
    const int rings = static_cast<int>(way.rings.size());
    for (int i = 0; i + 1 < rings; ++i)
      for (int k = 0; k < sides; ++k) {
        const int a = first + i * sides + k;
        const int b = first + i * sides + (k + 1) % sides;
        const int c = b + sides;
        const int d = a + sides;
        if (options_.uneven > 0 && random_() % 2) {
          tree_.triangles.push_back({a, b, d});
          tree_.triangles.push_back({b, c, d});
        } else {
          tree_.triangles.push_back({a, b, c});
          tree_.triangles.push_back({a, c, d});
        }
      }
    if (!options_.caps) return;
    for (const int ring : {0, rings - 1}) {
      const int centre = static_cast<int>(tree_.points.size());
      tree_.points.push_back(way.rings[at(ring)].centre);
      for (int k = 0; k < sides; ++k)
        tree_.triangles.push_back({centre, first + ring * sides + k, first + ring * sides + (k + 1) % sides});
    }
  }

  void add_point(const Vec3& p, double radius) {
    tree_.points.push_back(options_.noise > 0 ? Vec3(p + options_.noise * radius * between(0, 1) * direction()) : p);
  }

  void add_connectors() {
    for (const TrueBranch& branch : tree_.branches) {
      if (tree_.degree[at(branch.end)] != 1 || between(0, 1) > 0.7) continue;
      const Vec3 z = (branch.centre.back() - branch.centre[branch.centre.size() - 2]).normalized();
      const Vec3 x = (std::abs(z.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY()).cross(z).normalized();
      const Vec3 y = z.cross(x);
      const double r = branch.radius.back();
      const Vec3 middle = branch.centre.back() + between(0.5, 1.5) * r * z;
      const Vec3 half(between(1.6, 2.5) * r, between(1.6, 2.5) * r, between(1.8, 2.5) * r);
      const int first = static_cast<int>(tree_.points.size());
      for (int i = 0; i < 8; ++i)
        tree_.points.push_back(middle + (i & 1 ? 1 : -1) * half.x() * x + (i & 2 ? 1 : -1) * half.y() * y +
                               (i & 4 ? 1 : -1) * half.z() * z);
      for (const auto& [a, b, c, d] : std::array<std::array<int, 4>, 6>{
               {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}}}) {
        tree_.triangles.push_back({first + a, first + b, first + c});
        tree_.triangles.push_back({first + a, first + c, first + d});
      }
    }
  }

  // One skin instead of the shells.
  void contour() {
    double least = 1;
    for (const TrueBranch& branch : tree_.branches)
      for (const double radius : branch.radius) least = std::min(least, radius);
    mesh_anew(tree_, between(0.45, 0.7) * least);
    if (options_.noise > 0)
      for (Vec3& p : tree_.points) p += options_.noise * least * between(0, 1) * direction();
  }

  void make_holes() {
    std::vector<std::array<int, 3>> kept;
    for (const auto& triangle : tree_.triangles)
      if (between(0, 1) >= options_.holes) kept.push_back(triangle);
    tree_.triangles = std::move(kept);
  }

  // Each triangle in four, its new corners half way: shared ones are made once per edge.
  void subdivide() {
    std::vector<std::array<int, 3>> finer;
    const auto half = [&](int a, int b) {
      tree_.points.push_back((tree_.points[at(a)] + tree_.points[at(b)]) / 2);
      return static_cast<int>(tree_.points.size()) - 1;
    };
    // welding joins what is made twice
    for (const auto& [a, b, c] : tree_.triangles) {
      const int ab = half(a, b);
      const int bc = half(b, c);
      const int ca = half(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    tree_.triangles = std::move(finer);
  }

  void make_soup() {
    for (std::size_t i = tree_.triangles.size(); i > 1; --i)
      std::swap(tree_.triangles[i - 1], tree_.triangles[random_() % i]);
    std::vector<Vec3> points;
    for (auto& triangle : tree_.triangles) {
      if (random_() % 2) std::swap(triangle[0], triangle[1]);
      for (int& corner : triangle) {
        points.push_back(tree_.points[at(corner)].cast<float>().cast<double>());
        corner = static_cast<int>(points.size()) - 1;
      }
    }
    tree_.points = std::move(points);
  }

  std::mt19937 random_;
  TreeOptions options_;
  TrueTree tree_;
};

}  // namespace
}  // namespace swept_trees_case

TrueTree make_tree(unsigned seed, const TreeOptions& options) {
  return swept_trees_case::TreeMaker(seed, options).make();
}

}  // namespace filum::validation
