// Tubes and what is none: single shapes. How near the lines come is measured over random trees by the validation case
// mesh-tubes.
#include "flexible/tube_tree.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace filum::test_tubes {

namespace {

// A grid on the surface of revolution or the like: rows by columns of quads, closed both ways if asked.
struct Grid {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};
template <class At>
Grid grid(int rows, int columns, bool closed_rows, const At& point_at) {
  Grid made;
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k) made.points.push_back(point_at(i, k));
  for (int i = 0; i + (closed_rows ? 0 : 1) < rows; ++i)
    for (int k = 0; k < columns; ++k) {
      const int a = i * columns + k;
      const int b = i * columns + (k + 1) % columns;
      const int c = (i + 1) % rows * columns + (k + 1) % columns;
      const int d = (i + 1) % rows * columns + k;
      made.triangles.push_back({a, b, c});
      made.triangles.push_back({a, c, d});
    }
  return made;
}
Vec3 round(double radius, int k, int count, double z) {
  const double angle = 2 * std::numbers::pi * k / count;
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

}  // namespace

TEST_CASE("what is no tube is none") {
  // a block, finely divided
  Grid block = grid(4, 40, false, [](int i, int k) {
    const double t = 4.0 * k / 40;
    const double x = t < 1 ? t : t < 2 ? 1 : t < 3 ? 3 - t : 0;
    const double y = t < 1 ? 0 : t < 2 ? t - 1 : t < 3 ? 1 : 4 - t;
    return Vec3(x, y, i / 3.0);
  });
  CHECK(flexible::find_tubes(block.points, block.triangles).branches.empty());
  // a sphere
  Grid sphere = grid(20, 24, false, [](int i, int k) {
    const double polar = std::numbers::pi * (i + 0.5) / 20;
    return round(std::sin(polar), k, 24, std::cos(polar));
  });
  CHECK(flexible::find_tubes(sphere.points, sphere.triangles).branches.empty());
  // a torus has no end
  Grid torus = grid(60, 16, true, [](int i, int k) {
    const double along = 2 * std::numbers::pi * i / 60;
    const Vec3 ring = round(1, k, 16, 0);
    return Vec3((5 + ring.x()) * std::cos(along), (5 + ring.x()) * std::sin(along), ring.y());
  });
  const flexible::TubeTree closed = flexible::find_tubes(torus.points, torus.triangles);
  CHECK(closed.branches.empty());
  CHECK(closed.notes.size() == 1);
  // nothing at all
  CHECK(flexible::find_tubes({}, {}).branches.empty());
}

TEST_CASE("a pipe with an inner wall is one branch with a wall") {
  Grid outer = grid(2, 20, false, [](int i, int k) { return round(5, k, 20, 100.0 * i); });
  const Grid inner = grid(2, 20, false, [](int i, int k) { return round(4, k, 20, 100.0 * i); });
  const int first = static_cast<int>(outer.points.size());
  outer.points.insert(outer.points.end(), inner.points.begin(), inner.points.end());
  for (const auto& [a, b, c] : inner.triangles) outer.triangles.push_back({a + first, b + first, c + first});
  const flexible::TubeTree pipe = flexible::find_tubes(outer.points, outer.triangles);
  REQUIRE(pipe.branches.size() == 1);
  CHECK(pipe.branches[0].wall == doctest::Approx(1).epsilon(1e-6));
  CHECK(pipe.branches[0].mean_radius() == doctest::Approx(5).epsilon(1e-6));
  CHECK(pipe.branches[0].length() == doctest::Approx(100).epsilon(1e-6));
}

TEST_CASE("a hose as one solid, with ring faces between its outer and its inner wall, is one branch with a wall") {
  // out along the inner wall and back along the outer one, as a profile that is turned about the axis
  const std::array<Vec2, 4> profile{Vec2(4, 0), Vec2(4, 100), Vec2(5, 100), Vec2(5, 0)};
  const Grid hose = grid(4, 20, true, [&](int i, int k) {
    const Vec2& p = profile[static_cast<std::size_t>(i)];
    return round(p.x(), k, 20, p.y());
  });
  const flexible::TubeTree pipe = flexible::find_tubes(hose.points, hose.triangles);
  REQUIRE(pipe.branches.size() == 1);
  CHECK(pipe.pieces.empty());
  CHECK(pipe.nodes.size() == 2);
  CHECK(pipe.branches[0].wall == doctest::Approx(1).epsilon(1e-6));
  CHECK(pipe.branches[0].mean_radius() == doctest::Approx(5).epsilon(1e-6));
  CHECK(pipe.branches[0].length() == doctest::Approx(100).epsilon(1e-6));
}

namespace {

// A hose as one solid, of few long triangles: out along its inner wall, back along the outer one, straight or on an arc.
struct Hose {
  int sides;
  int rings;
  double inner;
  double outer;
  double length;
  double bend;   // rad
  double phase;  // of the corners of the outer wall, sides
};

Grid mesh_of(const Hose& hose, const Quat& turned) {
  return grid(2 * hose.rings + 2, hose.sides, true, [&](int row, int k) {
    const bool back = row > hose.rings;
    const double share = static_cast<double>(back ? 2 * hose.rings + 1 - row : row) / hose.rings;
    const double angle = hose.bend * share;
    const double around = 2 * std::numbers::pi * (k + (back ? hose.phase : 0)) / hose.sides;
    const Vec2 corner = (back ? hose.outer : hose.inner) * Vec2(std::cos(around), std::sin(around));
    const double bend_radius = hose.bend > 0 ? hose.length / hose.bend : 0;
    const Vec3 out(std::cos(angle), 0, -std::sin(angle));
    const Vec3 centre = hose.bend > 0 ? Vec3(bend_radius * (Vec3::UnitX() - out)) : Vec3(0, 0, hose.length * share);
    return Vec3(turned * Vec3(centre + corner.x() * out + corner.y() * Vec3::UnitY()));
  });
}

}  // namespace

TEST_CASE("coarse hoses that are one solid are branches with a wall, none of them closed in itself") {
  // planes across the faces at their ends cut all of their long triangles
  std::mt19937 random(20261119);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  for (int n = 0; n < 1500; ++n) {
    CAPTURE(n);
    Hose hose{.sides = 6 + static_cast<int>(random() % 11),
              .rings = 1 + static_cast<int>(random() % 4),
              .inner = between(0.3, 0.95),
              .outer = 1,
              .length = between(2.2, 60),
              .bend = random() % 2 == 0 ? between(0.2, 1.2) : 0,
              .phase = random() % 2 == 0 ? between(0, 1) : 0};
    if (hose.length < 4 * hose.bend) hose.bend = 0;
    if (hose.bend > 0) hose.rings = 4;
    Grid mesh = mesh_of(hose, Quat(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)).normalized());
    // triangles are listed in any order
    for (std::size_t i = mesh.triangles.size(); i > 1; --i)
      std::swap(mesh.triangles[i - 1], mesh.triangles[random() % i]);
    const flexible::TubeTree tree = flexible::find_tubes(mesh.points, mesh.triangles);
    CHECK(tree.notes.empty());
    CHECK(tree.pieces.empty());
    REQUIRE(tree.branches.size() == 1);
    CHECK(tree.nodes.size() == 2);
    // in bends the middle of a chord counts as thick as the ring that it leans to
    CHECK(tree.branches[0].mean_radius() == doctest::Approx(hose.outer).epsilon(0.01));
    CHECK(tree.branches[0].wall == doctest::Approx(hose.outer - hose.inner).epsilon(0.03));
  }
}

TEST_CASE("a tube that ends on the side of another splits it") {
  Grid trunk = grid(2, 16, false, [](int i, int k) { return round(5, k, 16, 100.0 * i); });
  const Grid side = grid(2, 12, false, [](int i, int k) {
    const Vec3 ring = round(3, k, 12, 0);
    return Vec3(2 + 60.0 * i, ring.x(), 40 + ring.y());
  });
  const int first = static_cast<int>(trunk.points.size());
  trunk.points.insert(trunk.points.end(), side.points.begin(), side.points.end());
  for (const auto& [a, b, c] : side.triangles) trunk.triangles.push_back({a + first, b + first, c + first});
  const flexible::TubeTree tree = flexible::find_tubes(trunk.points, trunk.triangles);
  REQUIRE(tree.branches.size() == 3);
  REQUIRE(tree.nodes.size() == 4);
  const auto node = std::find_if(tree.nodes.begin(), tree.nodes.end(),
                                 [](const flexible::TreeNode& each) { return each.degree == 3; });
  REQUIRE(node != tree.nodes.end());
  CHECK((node->position - Vec3(0, 0, 40)).norm() < 0.05);
}

TEST_CASE("a round connector over the end of a cable is a piece that holds it") {
  Grid cable = grid(2, 16, false, [](int i, int k) { return round(3, k, 16, 100.0 * i); });
  const Grid plug = grid(2, 24, false, [](int i, int k) { return round(7, k, 24, 96 + 25.0 * i); });
  const int first = static_cast<int>(cable.points.size());
  cable.points.insert(cable.points.end(), plug.points.begin(), plug.points.end());
  for (const auto& [a, b, c] : plug.triangles) cable.triangles.push_back({a + first, b + first, c + first});
  const flexible::TubeTree tree = flexible::find_tubes(cable.points, cable.triangles);
  REQUIRE(tree.branches.size() == 1);
  CHECK(tree.branches[0].length() == doctest::Approx(100).epsilon(1e-6));
  REQUIRE(tree.pieces.size() == 1);
  CHECK(tree.pieces[0].size() == 48);
  CHECK(tree.nodes[0].piece + tree.nodes[1].piece == -1);
}

TEST_CASE("missing triangles do not break a tube") {
  Grid tube = grid(30, 12, false, [](int i, int k) { return round(5, k, 12, 5.0 * i); });
  // single ones, two beside each other, three in a row
  for (const std::size_t t : {690u, 601u, 600u, 402u, 401u, 400u, 123u, 17u})
    tube.triangles.erase(tube.triangles.begin() + static_cast<long>(t));
  const flexible::TubeTree tree = flexible::find_tubes(tube.points, tube.triangles);
  REQUIRE(tree.branches.size() == 1);
  CHECK(tree.branches[0].length() == doctest::Approx(145).epsilon(1e-6));
  CHECK(tree.branches[0].mean_radius() == doctest::Approx(5).epsilon(1e-6));
  CHECK(tree.branches[0].triangles.size() == tube.triangles.size());
}

TEST_CASE("tubes that end on one panel do not meet in it") {
  // each stands on a wide flange, and the flanges hang together
  constexpr int kSides = 24;
  constexpr double kApart = 60;  // radii
  Grid made;
  for (int tube = 0; tube < 3; ++tube) {
    const auto profile = [](int i) { return i < 4 ? Vec2(30 - 29.0 * i / 3, 0) : Vec2(1, 4.0 * (i - 3)); };
    const Grid one = grid(9, kSides, false, [&](int i, int k) {
      return Vec3(round(profile(i).x(), k, kSides, profile(i).y()) + Vec3(tube * kApart, 0, 0));
    });
    const int first = static_cast<int>(made.points.size());
    made.points.insert(made.points.end(), one.points.begin(), one.points.end());
    for (const auto& [a, b, c] : one.triangles) made.triangles.push_back({a + first, b + first, c + first});
    if (tube == 0) continue;
    // the outermost corners of this flange and of the one before; those on the line between them are one by welding
    const int before = first - static_cast<int>(one.points.size());
    made.triangles.push_back({before, before + 1, first + kSides / 2 - 1});
  }
  const flexible::TubeTree tree = flexible::find_tubes(made.points, made.triangles);
  REQUIRE(tree.branches.size() == 3);
  for (const flexible::TreeBranch& branch : tree.branches) CHECK(branch.length() < 25);
  CHECK(tree.nodes.size() == 6);
  CHECK(tree.pieces.size() == 1);
}

TEST_CASE("an open sheet costs no more than a closed surface") {
  // wavy, 125 000 triangles: no plane cuts a closed polygon out of it
  constexpr int kRows = 250;
  Grid sheet;
  for (int i = 0; i <= kRows; ++i)
    for (int k = 0; k <= kRows; ++k) sheet.points.emplace_back(i, k, 8 * std::sin(0.06 * i + 0.04 * k));
  for (int i = 0; i < kRows; ++i)
    for (int k = 0; k < kRows; ++k) {
      const int a = i * (kRows + 1) + k;
      sheet.triangles.push_back({a, a + 1, a + kRows + 2});
      sheet.triangles.push_back({a, a + kRows + 2, a + kRows + 1});
    }
  const std::clock_t before = std::clock();
  const flexible::TubeTree tree = flexible::find_tubes(sheet.points, sheet.triangles);
  CHECK(tree.branches.empty());
  CHECK(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 5);  // 0.2 s; seed by seed it was half a minute
}

TEST_CASE("a stub on a large panel is found") {
  // one skin, turned about its axis: up the stub, out over the panel, back below
  constexpr int kSides = 32;
  constexpr int kRings = 60;
  for (const double wide : {100, 300, 1000})
    for (const double high : {10, 20, 50}) {
      CAPTURE(wide);
      CAPTURE(high);
      constexpr double kRadius = 5;
      std::vector<std::pair<double, double>> profile{{1e-3, high}, {kRadius, high}, {kRadius, 0}};
      for (int i = 1; i <= kRings; ++i) profile.emplace_back(kRadius + (wide - kRadius) * i / kRings, 0);
      for (int i = kRings; i >= 1; --i) profile.emplace_back(wide * i / kRings, -3);
      const Grid skin = grid(static_cast<int>(profile.size()), kSides, false, [&](int i, int k) {
        const auto& [out, up] = profile[static_cast<std::size_t>(i)];
        return round(out, k, kSides, up);
      });
      const flexible::TubeTree tree = flexible::find_tubes(skin.points, skin.triangles);
      REQUIRE(tree.branches.size() == 1);
      CHECK(tree.branches[0].mean_radius() == doctest::Approx(kRadius).epsilon(1e-6));
      CHECK(tree.branches[0].length() == doctest::Approx(high).epsilon(0.05));
      CHECK(tree.pieces.size() == 1);
    }
}

}  // namespace filum::test_tubes
