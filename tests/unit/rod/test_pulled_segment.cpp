// The segment under an internal force: every derivative against differences.
#include "rod/pulled_segment.hpp"

#include <doctest/doctest.h>

namespace filum::test_pulled_segment {

namespace {

constexpr double kLength = 0.3;
constexpr double kStiffness = 7;

// Λ with the elongation at its stationary value, EA ε = σ: −l (σ + σ²/(2 EA)).
double condensed(const rod::PulledSegment& s, const Vec3& turn, const Vec3& force_step) {
  const Vec3 d = math::exp_so3(turn) * s.direction;
  const double along = (s.force + force_step).dot(d);
  return -kLength * (along + along * along / (2 * kStiffness));
}

rod::PulledSegment sample() {
  const Vec3 direction = Vec3(0.2, -0.5, 0.8).normalized();
  const Vec3 force(1.1, 0.4, -0.7);
  return rod::pulled_segment(direction, force, force.dot(direction), kLength, kStiffness);
}

}  // namespace

TEST_CASE("a segment's gradient is that of its energy") {
  const rod::PulledSegment s = sample();
  const double h = 1e-5;
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = h * Vec3::Unit(i);
    const double by_turn = (condensed(s, e, Vec3::Zero()) - condensed(s, -e, Vec3::Zero())) / (2 * h);
    const double by_force = (condensed(s, Vec3::Zero(), e) - condensed(s, Vec3::Zero(), -e)) / (2 * h);
    CHECK(s.moment()[i] == doctest::Approx(by_turn).epsilon(1e-8));
    CHECK(s.settled_moment()[i] == doctest::Approx(by_turn).epsilon(1e-8));
    CHECK(-s.way()[i] == doctest::Approx(by_force).epsilon(1e-8));
    CHECK(-s.settled_way()[i] == doctest::Approx(by_force).epsilon(1e-8));
  }
}

TEST_CASE("a segment's second derivatives are those of its energy") {
  const rod::PulledSegment s = sample();
  const double h = 1e-4;
  const auto mixed = [&](const Vec3& a, const Vec3& b, const Vec3& m, const Vec3& n) {
    return (condensed(s, a + b, m + n) - condensed(s, a - b, m - n) - condensed(s, b - a, n - m) +
            condensed(s, -a - b, -m - n)) /
           (4 * h * h);
  };
  const Vec3 zero = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3 a = h * Vec3::Unit(i);
      const Vec3 b = h * Vec3::Unit(j);
      CHECK(s.turning_stiffness()(i, j) == doctest::Approx(mixed(a, b, zero, zero)).epsilon(1e-6));
      CHECK(s.coupling()(i, j) == doctest::Approx(mixed(a, zero, zero, b)).epsilon(1e-6));
      CHECK(s.way_by_turn()(j, i) == doctest::Approx(mixed(a, zero, zero, b)).epsilon(1e-6));
      CHECK(-s.compliance()(i, j) == doctest::Approx(mixed(zero, zero, a, b)).epsilon(1e-6));
    }
}

TEST_CASE("Newton's axial force follows turn and force to first order") {
  const rod::PulledSegment s = sample();
  const Vec3 turn(1e-5, -2e-5, 3e-5);
  const Vec3 step(2e-5, 1e-5, -1e-5);
  const double exact = (s.force + step).dot(math::exp_so3(turn) * s.direction);
  CHECK(s.next_pull(turn, step) == doctest::Approx(exact).epsilon(1e-8));
}

}  // namespace filum::test_pulled_segment
