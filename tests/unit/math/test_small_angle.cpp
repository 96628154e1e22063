#include "math/small_angle.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_small_angle {

using namespace filum::math;

TEST_CASE("small angles and their sines agree with the library to round-off, across the limit of the series") {
  for (double a = -0.2; a <= 0.2; a += 1.7e-4) {
    const SinCos found = sin_cos(a);
    CHECK(std::abs(found.sine - std::sin(a)) <= 2e-16 * std::abs(a) + 1e-300);
    CHECK(std::abs(found.cosine - std::cos(a)) <= 2.3e-16);
    CHECK(std::abs(angle_of(std::sin(a), std::cos(a)) - a) <= 4e-16 * std::abs(a) + 1e-300);
  }
}

TEST_CASE("angles beyond a quarter turn are told by the cosine's sign") {
  CHECK(angle_of(0.01, -1.0) == doctest::Approx(std::atan2(0.01, -1)));
  CHECK(angle_of(-0.01, -1.0) == doctest::Approx(std::atan2(-0.01, -1)));
}

}  // namespace filum::test_small_angle
