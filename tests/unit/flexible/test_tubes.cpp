// Tubes in meshes against the truth they were made from, over random trees.
//
// Errors are shares of the local radius at the 99th percentile, farther than 2.5 radii from a node.
#include "swept_trees.hpp"

#include "flexible/tube_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace filum;

namespace {

struct Score {
  int meshes = 0;
  int right = 0;   // topology
  int within = 0;  // and centre within 2 %, radius within 1 %
  std::vector<double> centre;
  std::vector<double> radius;
  double node = 0;
};

double percentile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// Every true node met by one of its degree, every branch between the same nodes.
bool same_topology(const test::TrueTree& truth, const flexible::TubeTree& found, double& farthest) {
  if (found.branches.size() != truth.branches.size() || found.nodes.size() != truth.nodes.size()) return false;
  std::vector<int> met(truth.nodes.size());
  for (std::size_t i = 0; i < truth.nodes.size(); ++i) {
    double radius = 0;
    for (const test::TrueBranch& branch : truth.branches) {
      if (branch.start == static_cast<int>(i)) radius = std::max(radius, branch.radius.front());
      if (branch.end == static_cast<int>(i)) radius = std::max(radius, branch.radius.back());
    }
    double nearest = 1e300;
    for (std::size_t k = 0; k < found.nodes.size(); ++k) {
      const double off = (found.nodes[k].position - truth.nodes[i]).norm();
      if (off >= nearest) continue;
      nearest = off;
      met[i] = static_cast<int>(k);
    }
    farthest = std::max(farthest, nearest / radius);
    if (nearest > radius || found.nodes[static_cast<std::size_t>(met[i])].degree != truth.degree[i]) return false;
  }
  return std::all_of(truth.branches.begin(), truth.branches.end(), [&](const test::TrueBranch& branch) {
    const int a = met[static_cast<std::size_t>(branch.start)];
    const int b = met[static_cast<std::size_t>(branch.end)];
    return std::any_of(found.branches.begin(), found.branches.end(), [&](const flexible::TreeBranch& other) {
      return (other.start == a && other.end == b) || (other.start == b && other.end == a);
    });
  });
}

Score score(test::TreeOptions options, int meshes, unsigned first_seed) {
  Score all;
  for (int i = 0; i < meshes; ++i) {
    options.branches = 3 + i % 10;
    if (options.subdivide > 0) options.subdivide = 1 + i % 2;
    const test::TrueTree truth = test::TreeMaker(first_seed + static_cast<unsigned>(i), options).make();
    const flexible::TubeTree found = flexible::find_tubes(truth.points, truth.triangles);
    std::vector<double> centre;
    std::vector<double> radius;
    for (const flexible::TreeBranch& branch : found.branches)
      for (std::size_t k = 0; k < branch.centre.size(); ++k) {
        const test::NearTruth near = test::near_truth(truth, branch.centre[k]);
        if (near.from_node < 2.5) continue;
        centre.push_back(near.off);
        radius.push_back(std::abs(branch.radius[k] / near.radius - 1));
      }
    ++all.meshes;
    const bool right = same_topology(truth, found, all.node);
    all.right += right ? 1 : 0;
    all.within += right && percentile(centre, 0.99) < 0.02 && percentile(radius, 0.99) < 0.01 ? 1 : 0;
    all.centre.insert(all.centre.end(), centre.begin(), centre.end());
    all.radius.insert(all.radius.end(), radius.begin(), radius.end());
  }
  return all;
}

struct Category {
  std::string name;
  test::TreeOptions options;
  double centre;  // allowed, 99th percentile over the family
  double radius;
  double share;  // of meshes that are within 2 % and 1 % by themselves
};

std::vector<Category> categories() {
  const auto with = [](auto set) {
    test::TreeOptions options;
    set(options);
    return options;
  };
  using O = test::TreeOptions;
  return {
      {"clean", {}, 0.002, 0.001, 1},
      {"open", with([](O& o) { o.caps = false; }), 0.002, 0.001, 1},
      {"taper", with([](O& o) { o.taper = true; }), 0.002, 0.001, 1},
      {"hexagon", with([](O& o) { o.most_sides = 6; }), 0.002, 0.001, 1},
      {"coarse bend", with([](O& o) { o.least_turn = 20, o.most_turn = 35; }), 0.002, 0.001, 1},
      {"tight bend", with([](O& o) { o.tight = true; }), 0.002, 0.001, 1},
      {"soup", with([](O& o) { o.soup = true; }), 0.002, 0.001, 1},
      {"connectors", with([](O& o) { o.connectors = true; }), 0.002, 0.001, 1},
      {"uneven", with([](O& o) { o.uneven = 1; }), 0.02, 0.01, 0.95},
      {"subdivided", with([](O& o) { o.subdivide = 1; }), 0.02, 0.01, 0.95},
      {"noise", with([](O& o) { o.noise = 0.02; }), 0.02, 0.01, 0.9},
      {"all", with([](O& o) { o.taper = o.soup = o.connectors = true, o.uneven = 1, o.noise = 0.02; }), 0.03, 0.01,
       0.75},
  };
}

void judge(int meshes, unsigned first_seed) {
  for (const Category& category : categories()) {
    CAPTURE(category.name);
    Score got = score(category.options, meshes, first_seed);
    MESSAGE(category.name << ": topology " << got.right << ", within 2 % and 1 % " << got.within << " of " << got.meshes
                          << "; centre p99 " << 100 * percentile(got.centre, 0.99) << " %, largest "
                          << 100 * percentile(got.centre, 1) << " %; radius p99 " << 100 * percentile(got.radius, 0.99)
                          << " %; node " << got.node << " r");
    CHECK(got.right == got.meshes);
    CHECK(got.within >= category.share * got.meshes);
    CHECK(percentile(got.centre, 0.99) < category.centre);
    CHECK(percentile(got.radius, 0.99) < category.radius);
    CHECK(got.node < 0.1);
  }
}

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

TEST_CASE("random trees of swept tubes: topology, centre lines and radii") {
  judge(12, 5000);
}

TEST_SUITE("long") {
  TEST_CASE("a hundred random trees of each kind") {
    judge(100, 20000);
  }
}

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
