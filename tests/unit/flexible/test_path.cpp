// Part of a tree of tubes: picked, found, cut out of the mesh; tubes that run through each other.
#include "flexible/tube_clash.hpp"
#include "flexible/tube_path.hpp"
#include "validation/swept_trees.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_path {

using namespace filum::flexible;

namespace {

double area_of(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles) {
  const auto point = [&](int i) { return points[static_cast<std::size_t>(i)]; };
  double sum = 0;
  for (const auto& [a, b, c] : triangles) sum += (point(b) - point(a)).cross(point(c) - point(a)).norm() / 2;
  return sum;
}

double length_of(const std::vector<PathPiece>& path) {
  double sum = 0;
  for (const PathPiece& piece : path) sum += piece.to - piece.from;
  return sum;
}

// Straight tubes of 16 sides from here to there.
struct Tubes {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  void add(const Vec3& from, const Vec3& to, double radius) {
    const Vec3 t = (to - from).normalized();
    const Vec3 u = t.unitOrthogonal();
    const Vec3 v = t.cross(u);
    constexpr int kSides = 16;
    const int first = static_cast<int>(points.size());
    for (const Vec3& centre : {from, to})
      for (int k = 0; k < kSides; ++k) {
        const double angle = 2 * std::numbers::pi * k / kSides;
        points.push_back(centre + radius * (std::cos(angle) * u + std::sin(angle) * v));
      }
    for (int k = 0; k < kSides; ++k) {
      const int a = first + k;
      const int b = first + (k + 1) % kSides;
      triangles.push_back({a, b, b + kSides});
      triangles.push_back({a, b + kSides, a + kSides});
    }
  }
};

}  // namespace

TEST_CASE("what is cut out and what stays have together the area of the whole, whichever points are picked") {
  for (const bool welded : {false, true})
    for (unsigned seed = 1; seed <= 6; ++seed) {
      validation::TreeOptions options;
      options.welded = welded;
      options.branches = 3 + static_cast<int>(seed) % 4;
      const validation::TrueTree truth = validation::make_tree(900 + seed, options);
      const TubeTree tree = find_tubes(truth.points, truth.triangles);
      const double whole = area_of(truth.points, truth.triangles);
      for (std::size_t i = 0; i < 10; ++i) {
        const auto place = [&](std::size_t k, std::size_t sixteenth) {
          const validation::TrueBranch& branch = truth.branches[k % truth.branches.size()];
          return branch.centre[branch.centre.size() * sixteenth / 16];
        };
        const auto from = pick(tree, place(i, 4 + 2 * (i % 5)));
        const auto to = pick(tree, place(3 * i + 2, 3 + 2 * (i % 4)));
        REQUIRE(from);
        REQUIRE(to);
        const auto path = path_between(tree, *from, *to);
        REQUIRE(path);
        const CutMesh cut = cut_out(truth.points, truth.triangles, tree, *path);
        const double flexible = area_of(cut.points, cut.flexible);
        CHECK(flexible + area_of(cut.points, cut.rest) == doctest::Approx(whole).epsilon(1e-10));
        // it is the way itself that was cut out
        double skin = 0;
        for (const PathPiece& piece : *path)
          skin += 2 * std::numbers::pi * (piece.to - piece.from) *
                  tree.branches[static_cast<std::size_t>(piece.branch)].mean_radius();
        if (path->size() == 1) CHECK(flexible == doctest::Approx(skin).epsilon(0.06));
        CHECK(flexible < 1.02 * skin);
      }
    }
}

TEST_CASE("ways go along branches by the shortest route, and say when there is none") {
  Tubes tubes;
  tubes.add({0, 0, 0}, {0, 0, 100}, 5);
  tubes.add({2, 0, 40}, {60, 0, 40}, 3);
  tubes.add({0, 100, 0}, {0, 100, 100}, 5);
  const TubeTree tree = find_tubes(tubes.points, tubes.triangles);
  REQUIRE(tree.branches.size() == 4);
  const auto top = pick(tree, {0, 5, 90});
  const auto side = pick(tree, {50, 0, 40});
  const auto other = pick(tree, {0, 100, 50});
  REQUIRE((top && side && other));
  CHECK_FALSE(pick(tree, {30, 50, 50}));
  const auto way = path_between(tree, *top, *side);
  REQUIRE(way);
  CHECK(way->size() == 2);
  CHECK(length_of(*way) == doctest::Approx(50 + 50).epsilon(1e-3));
  CHECK_FALSE(path_between(tree, *top, *other));
  const auto along = path_between(tree, *pick(tree, {0, 0, 20}), *top);
  REQUIRE(along);
  CHECK(length_of(*along) == doctest::Approx(70).epsilon(1e-3));
  // long triangles are clipped: exactly the part between
  const CutMesh cut = cut_out(tubes.points, tubes.triangles, tree, *along);
  const double perimeter = 16 * 2 * 5 * std::sin(std::numbers::pi / 16);
  CHECK(area_of(cut.points, cut.flexible) == doctest::Approx(70 * perimeter).epsilon(1e-3));
}

TEST_CASE("tubes that run through each other are told, those that touch or are joined are not") {
  Tubes crossed;
  crossed.add({0, 0, -50}, {0, 0, 50}, 5);
  crossed.add({-50, 4, 0}, {50, 4, 0}, 5);
  const std::vector<TubeClash> clash = find_clashes(find_tubes(crossed.points, crossed.triangles));
  REQUIRE(clash.size() == 1);
  CHECK((clash[0].where - Vec3(0, 2, 0)).norm() < 3);
  Tubes beside;
  beside.add({0, 0, 0}, {0, 0, 100}, 5);
  beside.add({0, 9.8, 0}, {0, 9.8, 100}, 5);
  CHECK(find_clashes(find_tubes(beside.points, beside.triangles)).empty());
  const validation::TrueTree truth = validation::make_tree(77, {});
  CHECK(find_clashes(find_tubes(truth.points, truth.triangles)).empty());
}

}  // namespace filum::test_path
