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
  std::vector<TubeSection> section;
  std::vector<double> scalar;
  [[nodiscard]] Tube tube(bool closed = false) const { return {position, frame, section, scalar, closed}; }
};

Path straight(int stations, double length, const Vec2& half) {
  Path path;
  const Quat turn(Eigen::AngleAxisd(0.9, Vec3(1, 2, -1).normalized()));
  for (int i = 0; i < stations; ++i) {
    path.position.push_back(Vec3(7, 8, 9) + turn * Vec3(0, 0, length * i / (stations - 1)));
    path.frame.push_back(turn);
    path.section.push_back({half});
    path.scalar.push_back(i);
  }
  return path;
}

// A ring in the xy plane, d1 radial, d3 along the circle.
Path ring(int stations, double radius, const Vec2& half) {
  Path path;
  for (int i = 0; i <= stations; ++i) {
    const double u = 2 * kPi * (i % stations) / stations;
    Mat3 frame;
    frame.col(0) = Vec3(std::cos(u), std::sin(u), 0);
    frame.col(2) = Vec3(-std::sin(u), std::cos(u), 0);
    frame.col(1) = frame.col(2).cross(frame.col(0));
    path.position.push_back(radius * frame.col(0));
    path.frame.emplace_back(frame);
    path.section.push_back({half});
  }
  return path;
}

// Every edge is walked once in each direction, vertices in the same place counted as one; where the ends of two parts
// lie on each other, twice.
void check_watertight(const TriangleMesh& mesh, int most = 1) {
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
    if (const auto back = walked.find({edge.second, edge.first});
        count > most || back == walked.end() || back->second != count)
      ++wrong;
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
  for (const Vec2& half : {Vec2(0, 0), Vec2(0, 1), Vec2(1, 0)}) {
    const TriangleMesh mesh = tube_mesh(straight(3, 1, half).tube(), 2);
    CHECK(mesh.triangle.size() == 2 * 2 * 3 + 2 * 3);
    for (const Vec3& normal : mesh.normal) CHECK(normal.norm() == doctest::Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("a rectangle keeps its corners, a pipe its bore") {
  Path path = straight(5, 2, Vec2(0.3, 0.1));
  for (TubeSection& section : path.section) section.angular = true;
  const TriangleMesh bar = tube_mesh(path.tube());
  check_watertight(bar);
  CHECK(enclosed_volume(bar) == doctest::Approx(2 * 0.6 * 0.2).epsilon(1e-12));
  // every triangle lies flat on its face
  for (const auto& [a, b, c] : bar.triangle) {
    const Vec3 face = (bar.position[b] - bar.position[a]).cross(bar.position[c] - bar.position[a]).normalized();
    for (const int vertex : {a, b, c}) CHECK(face.dot(bar.normal[vertex]) == doctest::Approx(1).epsilon(1e-9));
  }

  path = straight(4, 2, Vec2(0.2, 0.2));
  for (TubeSection& section : path.section) section.bore = 0.75;
  const int sides = 24;
  const TriangleMesh pipe = tube_mesh(path.tube(), sides);
  check_watertight(pipe);
  check_normals(pipe);
  const double polygon = 0.5 * sides * 0.04 * std::sin(2 * kPi / sides);
  CHECK(enclosed_volume(pipe) == doctest::Approx(polygon * (1 - 0.75 * 0.75) * 2).epsilon(1e-12));
  // a ring of pipe has no ends, and an inner wall all the way
  path = ring(96, 2, Vec2(0.4, 0.4));
  for (TubeSection& section : path.section) section.bore = 0.5;
  const TriangleMesh torus = tube_mesh(path.tube(true), 24);
  check_watertight(torus);
  CHECK(torus.triangle.size() == 2 * 96 * 24 * 2);
  CHECK(enclosed_volume(torus) == doctest::Approx(0.75 * 4 * kPi * kPi * 0.16).epsilon(0.015));
}

TEST_CASE("where the section becomes one of another kind the skin ends and a new one begins") {
  for (const bool closed : {false, true}) {
    CAPTURE(closed);
    const int stations = 9;
    Path path = closed ? ring(stations - 1, 1, Vec2(0.1, 0.1)) : straight(stations, 8, Vec2(0.1, 0.1));
    for (int i : {3, 4, 5}) path.section[i].angular = true;
    path.section[7].bore = 0.5;
    if (!closed) path.section[8].bore = 0.5;
    std::vector<int> station;
    const TriangleMesh mesh = tube_mesh(path.tube(closed), 12, &station);
    check_watertight(mesh, 2);
    REQUIRE(station.size() == mesh.position.size());
    // its places are those of its stations
    for (std::size_t v = 0; v < station.size(); ++v) {
      CHECK(mesh.scalar.size() == (closed ? 0 : station.size()));
      const Vec3 local = path.frame[station[v]].conjugate() * (mesh.position[v] - path.position[station[v]]);
      CHECK(std::abs(local.z()) < 1e-12);
      CHECK(local.norm() < 0.15);
    }
    if (closed) continue;
    const double polygon = 0.5 * 12 * 0.01 * std::sin(2 * kPi / 12);
    CHECK(enclosed_volume(mesh) == doctest::Approx(3 * polygon + 3 * 0.04 + 2 * 0.75 * polygon).epsilon(1e-9));
  }
}

TEST_CASE("pieces do not hang together") {
  const Path path = straight(6, 5, Vec2(0.1, 0.1));
  const std::vector<int> piece{0, 0, 0, 1, 1, 1};
  Tube tube = path.tube();
  tube.piece = piece;
  const TriangleMesh mesh = tube_mesh(tube);
  check_watertight(mesh);
  const double polygon = 0.5 * 16 * 0.01 * std::sin(2 * kPi / 16);
  CHECK(enclosed_volume(mesh) == doctest::Approx(4 * polygon).epsilon(1e-9));
}

}  // namespace filum::test_tube_mesh
