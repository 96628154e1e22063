// Distances from solids and meshes: gradient and Hessian by differences, values by other means, the sign of a mesh.
#include "geometry/mesh_surface.hpp"
#include "geometry/solid_distance.hpp"
#include "geometry/tube_mesh.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace filum::test_solid_distance {

using namespace filum::geometry;

namespace {

using Solid = std::function<Distance(const Vec3&)>;

const Segment kAxis{{-0.2, 0.1, 0}, {0.5, 0.4, 0.3}};

std::vector<std::pair<const char*, Solid>> solids() {
  return {{"plane", [](const Vec3& x) { return from_plane(x, Vec3(0, 0, 0.1), Vec3(1, 2, 2) / 3); }},
          {"sphere", [](const Vec3& x) { return from_sphere(x, Vec3(0.1, 0, 0), 0.4); }},
          {"capsule", [](const Vec3& x) { return from_capsule(x, kAxis, 0.2); }},
          {"cylinder", [](const Vec3& x) { return from_cylinder(x, kAxis, 0.3); }},
          {"box", [](const Vec3& x) { return from_box(x, Vec3(0.8, 0.6, 0.5)); }}};
}

// The twelve triangles of a box about the origin, counter-clockwise from outside.
struct BoxMesh {
  std::vector<Vec3> corners;
  std::vector<std::array<int, 3>> triangles;
};
BoxMesh box_mesh(const Vec3& size) {
  BoxMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.corners.emplace_back(size.cwiseProduct(Vec3(k & 1, (k >> 1) & 1, (k >> 2) & 1) - Vec3::Constant(0.5)));
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

}  // namespace

TEST_CASE("distances from solids: unit gradient, Hessian by differences, convex") {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> dice(-1, 1);
  for (const auto& each : solids()) {
    const auto& name = std::get<0>(each);
    const auto& solid = std::get<1>(each);
    CAPTURE(name);
    int smooth = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3 x(dice(engine), dice(engine), dice(engine));
      const Vec3 y(dice(engine), dice(engine), dice(engine));
      const Distance here = solid(x);
      CHECK(here.normal.norm() == doctest::Approx(1));
      CHECK(solid(0.5 * (x + y)).value <= 0.5 * (here.value + solid(y).value) + 1e-12);
      constexpr double kStep = 1e-5;
      Vec3 gradient;
      Mat3 hessian;
      bool kink = false;
      for (int k = 0; k < 3; ++k) {
        const Distance plus = solid(x + kStep * Vec3::Unit(k));
        const Distance minus = solid(x - kStep * Vec3::Unit(k));
        gradient[k] = (plus.value - minus.value) / (2 * kStep);
        hessian.col(k) = (plus.normal - minus.normal) / (2 * kStep);
        kink = kink || (plus.hessian - minus.hessian).norm() > 0.01 * (1 + here.hessian.norm()) ||
               (plus.normal - minus.normal).norm() > 0.1;
      }
      if (kink || std::abs(here.value) < 1e-3 || here.hessian.norm() > 50) continue;
      ++smooth;
      CHECK((gradient - here.normal).norm() < 1e-6);
      CHECK((hessian - here.hessian).norm() < 1e-4 * (1 + here.hessian.norm()));
    }
    CHECK(smooth > 1000);
  }
}

TEST_CASE("a mesh of a box is that box, inside as well, however its triangles turn") {
  const Vec3 size(0.8, 0.6, 0.5);
  BoxMesh mesh = box_mesh(size);
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> dice(-1, 1);
  for (const bool inside_out : {false, true}) {
    if (inside_out)
      for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
    // corners of its own for each triangle, and one triangle without area
    std::vector<Vec3> corners;
    std::vector<std::array<int, 3>> triangles;
    for (const auto& t : mesh.triangles) {
      const int first = static_cast<int>(corners.size());
      for (const int k : t) corners.push_back(mesh.corners[static_cast<std::size_t>(k)]);
      triangles.push_back({first, first + 1, first + 2});
    }
    triangles.push_back({0, 1, 0});
    const MeshSurface surface(corners, triangles);
    CHECK(surface.closed());
    CHECK(surface.size() == 12);
    for (int i = 0; i < 5000; ++i) {
      const Vec3 x(dice(engine), dice(engine), dice(engine));
      const Distance exact = from_box(x, size);
      const Distance found = surface.distance(x);
      CHECK(found.value == doctest::Approx(exact.value).epsilon(1e-9));
      CHECK((found.normal - exact.normal).norm() < 1e-6);
      CHECK((found.hessian - exact.hessian).norm() < 1e-6 * (1 + exact.hessian.norm()));
    }
  }
}

TEST_CASE("an open mesh is a shell: outside on both sides; a segment through it has no distance") {
  BoxMesh mesh = box_mesh(Vec3(1, 1, 1));
  mesh.triangles.pop_back();
  const MeshSurface shell(mesh.corners, mesh.triangles);
  CHECK_FALSE(shell.closed());
  CHECK(shell.distance(Vec3(0, 0, 0.4)).value == doctest::Approx(0.1));
  CHECK(shell.distance(Vec3(0, 0, 0.6)).value == doctest::Approx(0.1));
  CHECK(shell.distance(Segment{{0, 0, 0.4}, {0, 0, 0.6}}).value == 0);
  // a closed one is deepest at the end that is inside
  const MeshSurface solid(box_mesh(Vec3(1, 1, 1)).corners, box_mesh(Vec3(1, 1, 1)).triangles);
  const MeshSurface::Nearest in = solid.distance(Segment{{0, 0, 0.2}, {0, 0, 0.9}});
  CHECK(in.value == doctest::Approx(-0.3));
  CHECK(in.share == 0);
  CHECK(solid.distance(Segment{{2, 0, 0}, {2, 1, 0}}).value == doctest::Approx(1.5));
}

TEST_CASE("segments against a large mesh: the tree finds what all triangles together say") {
  // a wavy tube of a few thousand triangles
  std::vector<Vec3> path;
  std::vector<Quat> frames;
  std::vector<TubeSection> sections;
  for (int i = 0; i <= 120; ++i) {
    path.emplace_back(0.02 * i, 0.2 * std::sin(0.1 * i), 0.1 * std::cos(0.13 * i));
    frames.emplace_back(Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY())) * Quat(Eigen::AngleAxisd(1.57, Vec3::UnitY())));
    sections.push_back({Vec2(0.05, 0.08)});
  }
  const TriangleMesh tube = tube_mesh({path, frames, sections, {}, false}, 16);
  const MeshSurface surface(tube.position, tube.triangle);
  CHECK(surface.closed());
  std::mt19937 engine(9);
  std::uniform_real_distribution<double> dice(-0.5, 0.5);
  for (int i = 0; i < 300; ++i) {
    const Vec3 from(1.2 + 2 * dice(engine), dice(engine), dice(engine));
    const Segment segment{from, from + 0.2 * Vec3(dice(engine), dice(engine), dice(engine))};
    double least = 1e300;
    for (std::size_t k = 0; k < surface.size(); ++k)
      least = std::min(least, closest_between(segment, surface.triangle(static_cast<int>(k))).distance);
    const double found = surface.distance(segment).value;
    CHECK((found < 0 ? true : found == least));
  }
}

}  // namespace filum::test_solid_distance
