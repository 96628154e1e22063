// Mass properties of solids: of a mesh against closed forms, of round ones against each other.
#include "geometry/solid_mass.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_solid_mass {

using namespace filum::geometry;

namespace {

// A box of twelve triangles, moved and turned.
MeshSurface box_mesh(const Vec3& edges, const Vec3& centre, const Quat& turn) {
  std::vector<Vec3> corners;
  for (int c = 0; c < 8; ++c)
    corners.push_back(centre +
                      turn * (0.5 * edges.cwiseProduct(Vec3((c & 1) ? 1 : -1, (c & 2) ? 1 : -1, (c & 4) ? 1 : -1))));
  const std::vector<std::array<int, 3>> triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return {corners, triangles};
}

// A prism of many sides, as long along z as it is to be.
MeshSurface prism(double radius, double length, int sides) {
  std::vector<Vec3> corners = {Vec3(0, 0, -length / 2), Vec3(0, 0, length / 2)};
  std::vector<std::array<int, 3>> triangles;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * k / sides;
    for (const double z : {-length / 2, length / 2})
      corners.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  for (int k = 0; k < sides; ++k) {
    const int a = 2 + 2 * k;
    const int b = 2 + 2 * ((k + 1) % sides);
    triangles.push_back({0, b, a});
    triangles.push_back({1, a + 1, b + 1});
    triangles.push_back({a, b, a + 1});
    triangles.push_back({b, b + 1, a + 1});
  }
  return {corners, triangles};
}

}  // namespace

TEST_CASE("a box of triangles has the volume, centre and inertia of the box, wherever it lies") {
  const Vec3 edges(1, 2, 3);
  const Vec3 centre(100, -20, 5);
  const Quat turn = Quat(0.8, 0.1, 0.4, -0.2).normalized();
  const MeshSurface mesh = box_mesh(edges, centre, turn);
  REQUIRE(mesh.closed());
  const SolidMass mass = mass_of_mesh(mesh);
  CHECK(mass.volume == doctest::Approx(6).epsilon(1e-12));
  CHECK((mass.centre - centre).norm() < 1e-11);
  const Mat3 axes = turn.toRotationMatrix();
  CHECK((axes.transpose() * mass.inertia * axes - mass_of_box(edges).inertia).norm() < 1e-10);
}

TEST_CASE("a prism of many sides comes to the cylinder, as the square of their number") {
  const SolidMass exact = mass_of_cylinder(0.5, 2);
  const auto off = [&](int sides) {
    return (mass_of_mesh(prism(0.5, 2, sides)).inertia - exact.inertia).norm() / exact.inertia.norm();
  };
  CHECK(off(200) < 4e-4);
  CHECK(off(100) / off(200) == doctest::Approx(4).epsilon(0.01));
}

TEST_CASE("a capsule without length is a sphere, and its inertia is that of its slices") {
  CHECK((mass_of_capsule(0.4, 0).inertia - mass_of_sphere(0.4).inertia).norm() < 1e-15);
  const double radius = 0.3;
  const double length = 0.7;
  const SolidMass capsule = mass_of_capsule(radius, length);
  // discs along z: I = Σ dm (r²/4 + z²)
  double volume = 0;
  double across = 0;
  double along = 0;
  constexpr int kSlices = 200000;
  const double half = length / 2 + radius;
  for (int k = 0; k < kSlices; ++k) {
    const double z = half * (2 * (k + 0.5) / kSlices - 1);
    const double beyond = std::max(0.0, std::abs(z) - length / 2);
    const double square = radius * radius - beyond * beyond;
    const double slice = std::numbers::pi * square * 2 * half / kSlices;
    volume += slice;
    across += slice * (square / 4 + z * z);
    along += slice * square / 2;
  }
  CHECK(capsule.volume == doctest::Approx(volume).epsilon(1e-8));
  CHECK(capsule.inertia(0, 0) == doctest::Approx(across).epsilon(1e-8));
  CHECK(capsule.inertia(2, 2) == doctest::Approx(along).epsilon(1e-8));
}

}  // namespace filum::test_solid_mass
