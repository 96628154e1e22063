// Bounds told by what circles leave of their points. That they hold for lines found in meshes is measured over random
// trees by the validation case mesh-tubes.
#include "flexible/line_bound.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

using namespace filum;
using namespace filum::flexible;

namespace {

// Corners of a regular polygon, some of them, each off by up to `noise`.
std::vector<Vec3> corners(int sides, int used, double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Vec3> points;
  for (int k = 0; k < used; ++k) {
    const double angle = 2 * std::numbers::pi * k / sides;
    const double off = noise * (2.0 * static_cast<double>(random()) / 4294967295.0 - 1);
    points.push_back((1 + off) * Vec3(std::cos(angle), std::sin(angle), 0));
  }
  return points;
}

}  // namespace

TEST_CASE("a centre that is off is seen by the distances of the points, whatever the way") {
  const std::vector<Vec3> points = corners(6, 6, 0, 0);
  const std::vector<double> weights(points.size(), 1);
  for (int k = 0; k < 60; ++k) {
    const double angle = 2 * std::numbers::pi * k / 60;
    Circle circle;
    circle.centre = 0.01 * Vec3(std::cos(angle), std::sin(angle), 0);
    circle.radius = 1.003;
    circle.gap = std::numbers::pi / 3;
    const CircleRest rest = rest_of(points, weights, circle, Vec3::UnitZ());
    // to the first order: the second is 0.01²/2
    CHECK(centre_bound(rest, 0) > 0.01 - 1e-4);
    CHECK(centre_bound(rest, 0) < 0.01 / std::cos(circle.gap / 2) + 1e-4);
    CHECK(radius_bound(rest, 0) > 0.003);
  }
}

TEST_CASE("errors of fitted circles are within their bounds when points are off") {
  constexpr double kNoise = 0.02;
  for (const int sides : {6, 9, 32})
    for (unsigned seed = 1; seed <= 200; ++seed) {
      const std::vector<Vec3> points = corners(sides, sides - sides / 6, kNoise, seed);
      const std::vector<double> weights(points.size(), 1);
      const Circle circle = fit_circle(points, weights, Vec3::UnitZ());
      REQUIRE(circle.found);
      const CircleRest rest = rest_of(points, weights, circle, Vec3::UnitZ());
      CHECK(circle.centre.norm() <= centre_bound(rest, kNoise));
      CHECK(std::abs(circle.radius - 1) <= radius_bound(rest, kNoise));
    }
}

TEST_CASE("a plane that leans is seen by the distances of the points from it") {
  const std::vector<Vec3> points = corners(8, 8, 0, 0);
  const std::vector<double> weights(points.size(), 1);
  Circle circle;
  circle.radius = 1;
  circle.gap = std::numbers::pi / 4;
  for (int k = 0; k < 16; ++k) {
    const double angle = std::numbers::pi * k / 16;
    const Vec3 normal = Vec3(0.02 * std::cos(angle), 0.02 * std::sin(angle), 1).normalized();
    const double bound = lean_bound(rest_of(points, weights, circle, normal), 0, 1);
    CHECK(bound > 0.02 - 1e-4);
    CHECK(bound < 0.02 / std::cos(circle.gap / 2) + 1e-4);
  }
}

TEST_CASE("points on one side alone bound nothing") {
  CircleRest rest;
  rest.gap = 3.5;
  CHECK(std::isinf(centre_bound(rest, 0)));
}
