// Grégoire's circles: exact on sweeps of few corners, and where they fail, as the head of the file says.
#include "published/gregoire_circles.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_circles {

namespace {

struct Tube {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<Vec3> centres;
};

// Straight along x, then a quarter of a circle in the plane of x and y, in open rings of unit radius.
Tube tube(int sides, double step) {
  Tube made;
  const auto ring = [&](const Vec3& centre, const Vec3& across) {
    made.centres.push_back(centre);
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      made.points.push_back(centre + std::cos(angle) * across + std::sin(angle) * Vec3::UnitZ());
    }
  };
  for (int i = 0; i < 4; ++i) ring(Vec3(3.0 * i, 0, 0), Vec3::UnitY());
  const int count = static_cast<int>(std::round(std::numbers::pi / 2 / step));
  constexpr double kBend = 5;
  for (int i = 1; i <= count; ++i) {
    const double angle = std::numbers::pi / 2 * i / count;
    ring(Vec3(9 + kBend * std::sin(angle), kBend * (1 - std::cos(angle)), 0),
         Vec3(-std::sin(angle), std::cos(angle), 0));
  }
  for (int i = 0; i + 1 < static_cast<int>(made.centres.size()); ++i)
    for (int k = 0; k < sides; ++k) {
      const int a = i * sides + k;
      const int b = i * sides + (k + 1) % sides;
      made.triangles.push_back({a, b, b + sides});
      made.triangles.push_back({a, b + sides, a + sides});
    }
  return made;
}

// Rings of the tube that are found with their centre and radius.
int rings_found(const Tube& made, const published::CircleTrace& trace) {
  int found = 0;
  for (const Vec3& centre : made.centres)
    for (const published::TracedCircle& circle : trace.circles)
      if ((circle.centre - centre).norm() < 1e-9 && std::abs(circle.radius - 1) < 1e-9) {
        ++found;
        break;
      }
  return found;
}

}  // namespace

TEST_CASE("circles of sweeps with 6 to 12 corners are exact, one a ring, linked along the tube") {
  for (const int sides : {6, 8, 12}) {
    CAPTURE(sides);
    const Tube made = tube(sides, 0.2);
    const published::CircleTrace trace = published::trace_circles(made.points, made.triangles);
    CHECK(trace.open == 0);
    REQUIRE(trace.circles.size() == made.centres.size());
    CHECK(rings_found(made, trace) == static_cast<int>(made.centres.size()));
    CHECK(trace.links.size() == made.centres.size() - 1);
  }
}

TEST_CASE("circles are lost where the tube bends more from ring to ring than from corner to corner") {
  // 20 corners turn by 18°, rings of the bend by 30°
  const Tube made = tube(20, 0.52);
  const published::CircleTrace trace = published::trace_circles(made.points, made.triangles);
  CHECK_FALSE((trace.open == 0 && trace.circles.size() == made.centres.size()));
}

}  // namespace filum::test_circles
