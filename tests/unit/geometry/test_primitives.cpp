// Volume and moments of simple solids against a sum over small cubes.
#include "geometry/primitives.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

namespace filum::test_primitives {

using namespace filum::geometry;

namespace {

// Midpoint rule over n³ cells of the box ±half.
Solid brute(const Vec3& half, const std::function<bool(const Vec3&)>& inside, int n = 120) {
  Solid sum;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 p = half.cwiseProduct(Vec3((2.0 * i + 1) / n - 1, (2.0 * j + 1) / n - 1, (2.0 * k + 1) / n - 1));
        if (!inside(p)) continue;
        sum.volume += 1;
        const Vec3 squares = p.cwiseAbs2();
        sum.gyration += Vec3::Constant(squares.sum()) - squares;
      }
  sum.gyration /= sum.volume;
  sum.volume *= 8 * half.prod() / (1.0 * n * n * n);
  return sum;
}

void check_near(const Solid& solid, const Solid& sum) {
  // cells cut by the surface: about 1/n² for a smooth one, 1 % is safe at n = 120
  CHECK(solid.volume == doctest::Approx(sum.volume).epsilon(0.01));
  for (int axis = 0; axis < 3; ++axis) CHECK(solid.gyration[axis] == doctest::Approx(sum.gyration[axis]).epsilon(0.01));
}

}  // namespace

TEST_CASE("solids have the volume and moments of their points") {
  check_near(box(Vec3(2, 4, 6)), brute(Vec3(1, 2, 3), [](const Vec3&) { return true; }));
  check_near(sphere(1.5), brute(Vec3::Constant(1.5), [](const Vec3& p) { return p.norm() < 1.5; }));
  check_near(cylinder(1, 3), brute(Vec3(1, 1, 1.5), [](const Vec3& p) { return p.head<2>().norm() < 1; }));
  check_near(capsule(1, 3), brute(Vec3(1, 1, 2.5), [](const Vec3& p) {
               return (p - Vec3(0, 0, std::clamp(p.z(), -1.5, 1.5))).norm() < 1;
             }));
}

TEST_CASE("solids have their limits") {
  CHECK(capsule(2, 0).volume == doctest::Approx(sphere(2).volume).epsilon(1e-15));
  CHECK((capsule(2, 0).gyration - sphere(2).gyration).norm() < 1e-15);
  // a thin rod: length²/12 across
  CHECK(capsule(1e-9, 3).gyration.x() == doctest::Approx(0.75).epsilon(1e-8));
  CHECK(box(Vec3::Zero()).gyration == Vec3::Zero());
  CHECK(capsule(0, 0).gyration == Vec3::Zero());
}

}  // namespace filum::test_primitives
