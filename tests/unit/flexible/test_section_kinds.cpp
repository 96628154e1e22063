// Tubes that are not plainly round: corrugated, oval and flat ones, twisted ribbons; junctions near each other.
#include "flexible/tube_path.hpp"
#include "validation/swept_trees.hpp"

#include <Eigen/Geometry>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace filum::test_section_kinds {

using std::numbers::pi;

namespace {

struct Sweep {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  double length = 0;
  // the centre line itself: straight, bent, straight, bent, straight
  std::vector<Vec3> line;
};

// A section is given by an angle and an arc length; places are random, by the seed.
struct SweepOptions {
  unsigned seed = 1;
  int sides = 24;
  double ring = 1.5;  // between rings
  double bend = 8;    // radius
  double twist = 0;   // over all, rad
  double ragged = 0;  // share of the way between rings over which their vertices are strewn: then they are none
};
Sweep sweep(const SweepOptions& options, const std::function<Vec2(double, double)>& section) {
  std::mt19937 random(options.seed);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  Sweep made;
  Vec3 p(between(-5, 5), between(-5, 5), between(-5, 5));
  Mat3 frame = Quat(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)).normalized().toRotationMatrix();
  struct Place {
    Vec3 p;
    Mat3 frame;
    double s;
  };
  std::vector<Place> fine{{p, frame, 0}};
  std::vector<std::size_t> rings{0};  // which of the places
  made.line.push_back(p);
  constexpr int kFine = 40;  // places between two rings
  const auto add = [&](double step) {
    made.length += step;
    made.line.push_back(p);
    fine.push_back({p, frame, made.length});
    if (fine.size() % kFine == 1) rings.push_back(fine.size() - 1);
  };
  const auto straight = [&](double length) {
    const int count = static_cast<int>(std::ceil(length / options.ring));
    for (int i = 0; i < count * kFine; ++i) {
      p += length / (count * kFine) * frame.col(2);
      add(length / (count * kFine));
    }
  };
  const auto bend = [&](double angle) {
    const double plane = between(0, 6);
    const Vec3 towards = std::cos(plane) * frame.col(0) + std::sin(plane) * frame.col(1);
    const Vec3 centre = p + options.bend * towards;
    const Vec3 axis = frame.col(2).cross(towards);
    const int count = static_cast<int>(std::ceil(std::max(options.bend * angle / options.ring, angle / 0.2)));
    for (int i = 0; i < count * kFine; ++i) {
      const Mat3 turn = Eigen::AngleAxisd(angle / (count * kFine), axis).toRotationMatrix();
      p = centre + turn * (p - centre);
      frame = turn * frame;
      add(options.bend * angle / (count * kFine));
    }
  };
  straight(15);
  bend(1.2);
  straight(12);
  bend(0.8);
  straight(14);
  const int sides = options.sides;
  for (std::size_t i = 0; i < rings.size(); ++i)
    for (int k = 0; k < sides; ++k) {
      const bool inside = i > 0 && i + 1 < rings.size();
      const double strewn = inside && options.ragged > 0 ? kFine * options.ragged * between(-0.5, 0.5) : 0;
      const Place& place = fine[static_cast<std::size_t>(static_cast<double>(rings[i]) + std::round(strewn))];
      const Eigen::Rotation2Dd turned(options.twist * place.s / made.length);
      const Vec2 corner = turned * section(2 * pi * k / sides, place.s);
      made.points.push_back(place.p + corner.x() * place.frame.col(0) + corner.y() * place.frame.col(1));
    }
  const int count = static_cast<int>(rings.size());
  for (int i = 0; i + 1 < count; ++i)
    for (int k = 0; k < sides; ++k) {
      const int a = i * sides + k;
      const int b = i * sides + (k + 1) % sides;
      made.triangles.push_back({a, b, b + sides});
      made.triangles.push_back({a, b + sides, a + sides});
    }
  for (const int ring : {0, count - 1}) {
    made.points.push_back(fine[rings[static_cast<std::size_t>(ring)]].p);
    for (int k = 0; k < sides; ++k)
      made.triangles.push_back(
          {static_cast<int>(made.points.size()) - 1, ring * sides + k, ring * sides + (k + 1) % sides});
  }
  return made;
}

double farthest_off(const flexible::TreeBranch& branch, const std::vector<Vec3>& line) {
  double farthest = 0;
  for (const Vec3& p : branch.centre) {
    double nearest = 1e300;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Vec3 way = line[i] - line[i - 1];
      const double t = std::clamp((p - line[i - 1]).dot(way) / way.squaredNorm(), 0.0, 1.0);
      nearest = std::min(nearest, (line[i - 1] + t * way - p).norm());
    }
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

// Errors are within what is told, farther than 2.5 radii from the ends.
void check_bounds(const flexible::TreeBranch& branch, const Sweep& made) {
  REQUIRE(std::isfinite(branch.centre_bound));
  const double radius = branch.mean_radius();
  flexible::TreeBranch inner = branch;
  inner.centre.clear();
  double s = 0;
  for (std::size_t i = 0; i < branch.centre.size(); ++i) {
    if (i > 0) s += (branch.centre[i] - branch.centre[i - 1]).norm();
    if (std::min(s, branch.length() - s) > 2.5 * radius) inner.centre.push_back(branch.centre[i]);
  }
  REQUIRE(inner.centre.size() > 10);
  CHECK(farthest_off(inner, made.line) < branch.centre_bound * radius);
}

// One branch from end to end and nothing else; the centre within so much.
flexible::TreeBranch only_branch(const Sweep& made, double within) {
  const flexible::TubeTree tree = flexible::find_tubes(made.points, made.triangles);
  REQUIRE(tree.branches.size() == 1);
  CHECK(tree.pieces.empty());
  CHECK(farthest_off(tree.branches[0], made.line) < within);
  return tree.branches[0];
}

// Corners of a box, from four angles.
Vec2 box_corner(double angle, double half_width) {
  const int k = static_cast<int>(std::round(angle / (pi / 2))) % 4;
  return {k == 0 || k == 3 ? half_width : -half_width, k < 2 ? 1 : -1};
}

}  // namespace

TEST_CASE("corrugated tubes: one branch along the axis with the radius of the crests") {
  struct Kind {
    double depth;
    double pitch;
    double ring;
  };
  for (const auto& each :
       {Kind{0.08, 0.5, 0.0625}, Kind{0.15, 0.5, 0.0625}, Kind{0.25, 0.6, 0.075}, Kind{0.15, 0.5, 0.025}}) {
    const auto& depth = each.depth;
    const auto& pitch = each.pitch;
    const auto& ring = each.ring;
    CAPTURE(depth);
    for (const unsigned seed : {11u, 13u, 16u, 20u, 22u}) {
      CAPTURE(seed);
      const Sweep made = sweep({.seed = seed, .sides = 16, .ring = ring}, [&](double angle, double s) {
        const double r = 1 - depth / 2 + depth / 2 * std::cos(2 * pi * s / pitch);
        return Vec2(r * std::cos(angle), r * std::sin(angle));
      });
      const flexible::TreeBranch branch = only_branch(made, 0.02);
      CHECK(branch.kind == flexible::TubeKind::Corrugated);
      CHECK(branch.mean_radius() == doctest::Approx(1).epsilon(0.01));
      CHECK(branch.length() == doctest::Approx(made.length).epsilon(1e-3));
    }
  }
  // steep flanks
  const Sweep steep = sweep({.seed = 12, .sides = 14, .ring = 0.2, .bend = 10}, [](double angle, double s) {
    const double r = s / 0.8 - std::floor(s / 0.8) < 0.5 ? 1 : 0.8;
    return Vec2(r * std::cos(angle), r * std::sin(angle));
  });
  CHECK(only_branch(steep, 0.02).mean_radius() == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE("a corrugated tube that is closed in itself has no end to begin at") {
  // a tight one is followed by its sections, a wide one by its bands
  for (const double wide : {6, 12, 40}) {
    CAPTURE(wide);
    const int rings = static_cast<int>(std::round(2 * pi * wide / 0.1 / 8)) * 8;
    constexpr int kSides = 16;
    Sweep made;
    for (int i = 0; i < rings; ++i)
      for (int k = 0; k < kSides; ++k) {
        const double along = 2 * pi * i / rings;
        const double round = 2 * pi * k / kSides;
        const double r = 1 - 0.05 * (1 - std::cos(2 * pi * i / 8));
        const double out = wide + r * std::cos(round);
        made.points.emplace_back(out * std::cos(along), out * std::sin(along), r * std::sin(round));
        const int a = i * kSides + k;
        const int b = i * kSides + (k + 1) % kSides;
        const int on = (i + 1) % rings * kSides;
        made.triangles.push_back({a, b, on + (k + 1) % kSides});
        made.triangles.push_back({a, on + (k + 1) % kSides, on + k});
      }
    const flexible::TubeTree tree = flexible::find_tubes(made.points, made.triangles);
    CHECK(tree.branches.empty());
    CHECK(tree.notes.size() == 1);
    CHECK(tree.pieces.size() == 1);
  }
}

TEST_CASE("a plain tube whose radius wavers by 2 % is not corrugated") {
  const Sweep made = sweep({.seed = 13, .sides = 16, .ring = 0.1}, [](double angle, double s) {
    const double r = 1 + 0.01 * std::cos(2 * pi * s / 0.7);
    return Vec2(r * std::cos(angle), r * std::sin(angle));
  });
  CHECK(only_branch(made, 0.02).kind == flexible::TubeKind::Round);
}

TEST_CASE("oval tubes and ribbons: half widths, and the way in which they are wide") {
  for (const double wide : {1.3, 2.0, 4.0}) {
    CAPTURE(wide);
    const Sweep made = sweep({.seed = 21, .bend = 4 * wide},
                             [&](double angle, double) { return Vec2(wide * std::cos(angle), std::sin(angle)); });
    const flexible::TreeBranch branch = only_branch(made, 0.01);
    CHECK(branch.kind == flexible::TubeKind::Flat);
    // outermost corners of 24 lie on both axes
    CHECK(branch.half.x() == doctest::Approx(wide).epsilon(0.005));
    CHECK(branch.half.y() == doctest::Approx(1).epsilon(0.005));
    CHECK(branch.fill == doctest::Approx(pi / 4).epsilon(0.03));
    CHECK(std::abs(turn_at(branch.turns, 1)) < 0.05);
    CHECK(branch.length() == doctest::Approx(made.length).epsilon(1e-3));
    check_bounds(branch, made);
    CHECK(branch.centre_bound < 0.02);
  }
  for (const double wide : {2.0, 5.0, 10.0}) {
    CAPTURE(wide);
    const Sweep made = sweep({.seed = 22, .sides = 4, .bend = 3 * wide},
                             [&](double angle, double) { return box_corner(angle, wide); });
    const flexible::TreeBranch branch = only_branch(made, 0.01);
    CHECK(branch.half.x() == doctest::Approx(wide).epsilon(0.005));
    CHECK(branch.half.y() == doctest::Approx(1).epsilon(0.005));
    CHECK(branch.fill == doctest::Approx(1).epsilon(0.01));
    // along the wide edge of the ring where the branch begins; two points close the ends
    const Vec3& begin = branch.centre.front();
    const bool first = (begin - made.line.front()).norm() < (begin - made.line.back()).norm();
    const std::size_t ring = first ? 0 : made.points.size() - 2 - 4;
    const Vec3 across = (made.points[ring + 1] - made.points[ring]).normalized();
    CHECK(std::abs(branch.wide.dot(across)) == doctest::Approx(1).epsilon(1e-3));
    check_bounds(branch, made);
    CHECK(branch.centre_bound < 0.02);
  }
}

TEST_CASE("flat tubes tell how far they may be off, also where their vertices are") {
  for (const unsigned seed : {51u, 52u, 53u, 54u, 55u, 56u})
    for (const double noise : {0.002, 0.01, 0.02})
      for (const bool oval : {true, false}) {
        CAPTURE(seed);
        CAPTURE(noise);
        CAPTURE(oval);
        std::mt19937 random(seed);
        const auto off = [&] { return noise * (2 * static_cast<double>(random()) / 4294967296.0 - 1); };
        const double wide = 2 + seed % 3;
        const Sweep made = sweep({.seed = seed, .sides = oval ? 20 : 4, .bend = 5 * wide}, [&](double angle, double) {
          const Vec2 corner = oval ? Vec2(wide * std::cos(angle), std::sin(angle)) : box_corner(angle, wide);
          return Vec2(corner + Vec2(off(), off()));
        });
        const flexible::TreeBranch branch = only_branch(made, 0.1);
        check_bounds(branch, made);
        const double told = branch.radius_bound * branch.mean_radius();
        CHECK((branch.half - Vec2(wide, 1)).cwiseAbs().maxCoeff() < told);
        // not a bound that nothing could break
        CHECK(branch.centre_bound < 0.02 + 10 * noise);
      }
}

TEST_CASE("flat tubes whose vertices form no rings tell how far they may be off") {
  for (const unsigned seed : {61u, 62u, 63u, 64u})
    for (const double noise : {0.0, 0.01})
      for (const double twist : {0.0, 2.0})
        for (const bool oval : {true, false}) {
          CAPTURE(seed);
          CAPTURE(noise);
          CAPTURE(twist);
          CAPTURE(oval);
          std::mt19937 random(seed);
          const auto off = [&] { return noise * (2 * static_cast<double>(random()) / 4294967296.0 - 1); };
          const double wide = 2 + seed % 3;
          const int sides = 32;
          const Sweep made =
              sweep({.seed = seed, .sides = sides, .ring = 0.4, .bend = 5 * wide, .twist = twist, .ragged = 0.9},
                    [&](double angle, double) {
                      Vec2 corner(wide * std::cos(angle), std::sin(angle));
                      // a ribbon with round edges
                      if (!oval) corner.x() = (std::cos(angle) > 0 ? wide - 1 : 1 - wide) + std::cos(angle);
                      return Vec2(corner + Vec2(off(), off()));
                    });
          const flexible::TreeBranch branch = only_branch(made, 0.1);
          REQUIRE(branch.kind == flexible::TubeKind::Flat);
          check_bounds(branch, made);
          const double told = branch.radius_bound * branch.mean_radius();
          CHECK((branch.half - Vec2(wide, 1)).cwiseAbs().maxCoeff() < told);
          // not a bound that nothing could break
          CHECK(branch.centre_bound < 0.05 + 10 * noise);
        }
}

TEST_CASE("flat tubes that are twisted turn about themselves as much as they do") {
  struct Kind {
    double wide;
    bool oval;
    double twist;
  };
  // the edges of the last one lean by half a radian
  for (const auto& each : {Kind{2, true, 3}, Kind{3, true, -8}, Kind{5, false, 2}, Kind{5, false, 6}}) {
    const auto& wide = each.wide;
    const auto& oval = each.oval;
    const auto& twist = each.twist;
    CAPTURE(wide);
    CAPTURE(twist);
    const Sweep made = sweep({.seed = 41, .sides = oval ? 24 : 4, .ring = 0.5, .bend = 4 * wide, .twist = twist},
                             [&](double angle, double) {
                               if (oval) return Vec2(wide * std::cos(angle), std::sin(angle));
                               return box_corner(angle, wide);
                             });
    const flexible::TreeBranch branch = only_branch(made, 0.02);
    REQUIRE(branch.kind == flexible::TubeKind::Flat);
    // faces of a twisted ribbon are folded along their diagonals
    CHECK(branch.half.x() == doctest::Approx(wide).epsilon(0.01));
    CHECK(branch.half.y() == doctest::Approx(1).epsilon(oval ? 0.01 : 0.03));
    CHECK(turn_at(branch.turns, 1) == doctest::Approx(twist).epsilon(0.02));
    check_bounds(branch, made);
    CHECK(branch.length() == doctest::Approx(made.length).epsilon(2e-3));
  }
}

TEST_CASE("bars: square and nearly square sections are found by their corners, bent and twisted") {
  std::mt19937 random(20261119);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  for (int n = 0; n < 24; ++n) {
    const double wide = n < 4 ? 1 : between(1, 1.8);
    const double twist = n % 2 == 0 ? 0 : between(-6, 6);
    CAPTURE(n);
    CAPTURE(wide);
    CAPTURE(twist);
    const Sweep made = sweep({.seed = 500 + static_cast<unsigned>(n), .sides = 4, .ring = 0.4, .twist = twist},
                             [&](double angle, double) { return box_corner(angle, wide); });
    // in a bend the middle of a face lies on a chord
    const flexible::TreeBranch branch = only_branch(made, 0.02);
    REQUIRE(branch.kind == flexible::TubeKind::Flat);
    CHECK(branch.half.maxCoeff() == doctest::Approx(wide).epsilon(0.005));
    CHECK(branch.half.minCoeff() == doctest::Approx(1).epsilon(0.005));
    CHECK(branch.fill == doctest::Approx(1).epsilon(0.01));
    CHECK(branch.length() == doctest::Approx(made.length).epsilon(2e-3));
    CHECK(turn_at(branch.turns, 1) == doctest::Approx(twist).epsilon(0.02).scale(5));
  }
}

TEST_CASE("a short bar is no tube") {
  // as long as nine times its width, where ten count
  const Sweep bar =
      sweep({.seed = 31, .sides = 4, .bend = 24}, [](double angle, double) { return Vec2(5 * box_corner(angle, 1)); });
  CHECK(bar.length < 20 * 5);
  CHECK(flexible::find_tubes(bar.points, bar.triangles).branches.empty());
}

TEST_CASE("part of a ribbon: nothing is lost where it is cut, and it is wide the same way") {
  const Sweep made =
      sweep({.seed = 23, .sides = 4, .bend = 12}, [](double angle, double) { return box_corner(angle, 4); });
  const flexible::TubeTree tree = flexible::find_tubes(made.points, made.triangles);
  REQUIRE(tree.branches.size() == 1);
  const std::vector<flexible::PathPiece> path{{0, 5, 30}};
  const flexible::CutMesh cut = flexible::cut_out(made.points, made.triangles, tree, path);
  const auto area = [](const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles) {
    double sum = 0;
    for (const auto& [a, b, c] : triangles) {
      const Vec3& p = points[static_cast<std::size_t>(a)];
      sum += (points[static_cast<std::size_t>(b)] - p).cross(points[static_cast<std::size_t>(c)] - p).norm() / 2;
    }
    return sum;
  };
  CHECK(area(cut.points, cut.flexible) + area(cut.points, cut.rest) ==
        doctest::Approx(area(made.points, made.triangles)).epsilon(1e-10));
  // twice the width and the height, along 25
  CHECK(area(cut.points, cut.flexible) == doctest::Approx(25 * 20).epsilon(0.01));
  flexible::TreeBranch part = flexible::part_of(tree.branches[0], 5, 30);
  const Vec3 before = part.wide;
  turn_round(part);
  turn_round(part);
  CHECK((part.wide - before).norm() < 0.02);
}

TEST_CASE("junctions of one skin that are nearer than three radii are two") {
  using namespace filum::validation;
  for (const double apart : {1.2, 1.6, 2.2, 2.8}) {
    CAPTURE(apart);
    const double r = 4;
    const double d = apart * r;
    const double reach = 12 * r;
    TrueTree tree;
    // a trunk along x and two side branches that leave it at the angles of a clock's hands
    tree.nodes = {{-reach, 0, 0},
                  {0, 0, 0},
                  {d, 0, 0},
                  {d + reach, 0, 0},
                  Vec3(0.2, 1, 0.3).normalized() * reach,
                  Vec3(d, 0, 0) + Vec3(0.1, -0.6, -1).normalized() * reach};
    tree.degree = {1, 3, 3, 1, 1, 1};
    const auto add = [&](int from, int to, double radius) {
      TrueBranch& branch = tree.branches.emplace_back();
      branch.start = from;
      branch.end = to;
      const Vec3 a = tree.nodes[static_cast<std::size_t>(from)];
      const Vec3 b = tree.nodes[static_cast<std::size_t>(to)];
      const int count = std::max(4, static_cast<int>((b - a).norm() / (0.2 * radius)));
      for (int k = 0; k <= count; ++k) {
        branch.centre.push_back(a + (b - a) * k / count);
        branch.radius.push_back(radius);
      }
    };
    add(0, 1, r);
    add(1, 2, r);
    add(2, 3, r);
    add(1, 4, 0.8 * r);
    add(2, 5, 0.7 * r);
    mesh_anew(tree, 0.35 * r);
    const flexible::TubeTree found = flexible::find_tubes(tree.points, tree.triangles);
    REQUIRE(found.branches.size() == 5);
    std::vector<Vec3> joints;
    for (const flexible::TreeNode& node : found.nodes)
      if (node.degree == 3) joints.push_back(node.position);
    REQUIRE(joints.size() == 2);
    std::sort(joints.begin(), joints.end(), [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); });
    CHECK(joints[0].norm() < 0.1 * r);
    CHECK((joints[1] - Vec3(d, 0, 0)).norm() < 0.1 * r);
  }
}

}  // namespace filum::test_section_kinds
