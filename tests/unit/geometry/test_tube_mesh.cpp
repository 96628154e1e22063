// The tube mesh: watertight, facing outwards, with the volume of the solid it stands for.
#include "geometry/tube_mesh.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>

namespace filum::test_tube_mesh {

using namespace filum::geometry;

namespace {

constexpr double kPi = std::numbers::pi;

struct Path {
  std::vector<Vec3> position;
  std::vector<Quat> frame;
  std::vector<Vec2> outline;
  std::vector<double> scalar;
  [[nodiscard]] Tube tube(bool closed = false) const { return {position, frame, outline, scalar, closed}; }
};

Path straight(int stations, double length, const Vec2& outline) {
  Path path;
  const Quat turn(Eigen::AngleAxisd(0.9, Vec3(1, 2, -1).normalized()));
  for (int i = 0; i < stations; ++i) {
    path.position.push_back(Vec3(7, 8, 9) + turn * Vec3(0, 0, length * i / (stations - 1)));
    path.frame.push_back(turn);
    path.outline.push_back(outline);
    path.scalar.push_back(i);
  }
  return path;
}

// A ring in the xy plane, d1 radial, d3 along the circle.
Path ring(int stations, double radius, const Vec2& outline) {
  Path path;
  for (int i = 0; i <= stations; ++i) {
    const double u = 2 * kPi * (i % stations) / stations;
    Mat3 frame;
    frame.col(0) = Vec3(std::cos(u), std::sin(u), 0);
    frame.col(2) = Vec3(-std::sin(u), std::cos(u), 0);
    frame.col(1) = frame.col(2).cross(frame.col(0));
    path.position.push_back(radius * frame.col(0));
    path.frame.emplace_back(frame);
    path.outline.push_back(outline);
  }
  return path;
}

// Every edge is walked once in each direction, vertices in the same place counted as one.
void check_watertight(const TriangleMesh& mesh) {
  std::map<std::array<long long, 3>, int> places;
  std::vector<int> place;
  for (const Vec3& p : mesh.position) {
    const std::array<long long, 3> key{std::llround(p.x() * 1e9), std::llround(p.y() * 1e9), std::llround(p.z() * 1e9)};
    place.push_back(places.try_emplace(key, static_cast<int>(places.size())).first->second);
  }
  std::map<std::pair<int, int>, int> walked;
  for (const auto& t : mesh.triangle)
    for (int k = 0; k < 3; ++k) ++walked[{place[t[k]], place[t[(k + 1) % 3]]}];
  int wrong = 0;
  for (const auto& [edge, count] : walked)
    if (count != 1 || walked.count({edge.second, edge.first}) == 0) ++wrong;
  CHECK(wrong == 0);
}

// Vertex normals have unit length and lie on the outer side of their triangles.
void check_normals(const TriangleMesh& mesh) {
  REQUIRE(mesh.normal.size() == mesh.position.size());
  double smallest = 1;
  for (const auto& t : mesh.triangle) {
    const Vec3 face = (mesh.position[t[1]] - mesh.position[t[0]]).cross(mesh.position[t[2]] - mesh.position[t[0]]);
    for (const int vertex : t) smallest = std::min(smallest, face.normalized().dot(mesh.normal[vertex]));
  }
  // half a side's turn of a 24-sided ellipse 3:1 and of the ring's bands stays well within 60°
  CHECK(smallest > 0.5);
  for (const Vec3& normal : mesh.normal) CHECK(normal.norm() == doctest::Approx(1).epsilon(1e-14));
}

}  // namespace

TEST_CASE("a straight elliptic tube is watertight and has the prism's volume exactly") {
  const int sides = 24;
  const TriangleMesh mesh = tube_mesh(straight(5, 2, Vec2(0.3, 0.1)).tube(), sides);
  check_watertight(mesh);
  check_normals(mesh);
  CHECK(mesh.triangle.size() == 4 * 2 * sides + 2 * sides);
  // area of the inscribed polygon: ½ n a b sin(2π/n)
  CHECK(enclosed_volume(mesh) == doctest::Approx(0.5 * sides * 0.03 * std::sin(2 * kPi / sides) * 2).epsilon(1e-12));
  CHECK(enclosed_volume(tube_mesh(straight(5, 2, Vec2(0.3, 0.1)).tube(), 400)) ==
        doctest::Approx(kPi * 0.03 * 2).epsilon(1e-4));
}

TEST_CASE("vertices carry their station's scalar") {
  const TriangleMesh mesh = tube_mesh(straight(5, 2, Vec2(0.3, 0.1)).tube(), 8);
  REQUIRE(mesh.scalar.size() == mesh.position.size());
  CHECK(mesh.scalar.front() == 0);
  CHECK(mesh.scalar[8] == 1);
  CHECK(mesh.scalar.back() == 4);
  Path plain = straight(5, 2, Vec2(0.3, 0.1));
  plain.scalar.clear();
  CHECK(tube_mesh(plain.tube(), 8).scalar.empty());
}

TEST_CASE("a closed ring is watertight without caps and has Pappus' volume") {
  const TriangleMesh mesh = tube_mesh(ring(96, 2, Vec2(0.4, 0.2)).tube(true), 24);
  check_watertight(mesh);
  check_normals(mesh);
  CHECK(mesh.position.size() == 96 * 24);
  CHECK(mesh.triangle.size() == 96 * 24 * 2);
  // 2π·2·π·0.08 less about (2π)²/6 (1/24² + 1/96²) ≈ 1.3 % of inscribed polygons
  CHECK(enclosed_volume(mesh) == doctest::Approx(4 * kPi * kPi * 0.08).epsilon(0.015));
}

TEST_CASE("too little to sweep gives an empty mesh, a flat section a finite one") {
  CHECK(tube_mesh(Tube{}).triangle.empty());
  CHECK(tube_mesh(straight(2, 1, Vec2(1, 1)).tube(true)).position.empty());
  for (const Vec2& outline : {Vec2(0, 0), Vec2(0, 1), Vec2(1, 0)}) {
    const TriangleMesh mesh = tube_mesh(straight(3, 1, outline).tube(), 2);
    CHECK(mesh.triangle.size() == 2 * 2 * 3 + 2 * 3);
    for (const Vec3& normal : mesh.normal) CHECK(normal.norm() == doctest::Approx(1).epsilon(1e-14));
  }
}

}  // namespace filum::test_tube_mesh
