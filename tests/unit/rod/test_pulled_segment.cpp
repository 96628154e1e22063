// The segment under an internal force: every derivative against differences.
#include "rod/pulled_segment.hpp"

#include <doctest/doctest.h>

using namespace filum;

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
  rod::PulledSegment s;
  s.direction = Vec3(0.2, -0.5, 0.8).normalized();
  s.force = Vec3(1.1, 0.4, -0.7);
  s.law = rod::elastic_law(s.along(), kLength, kStiffness);
  return s;
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

namespace {

// A segment in the middle of a step, its axial force such that n·d = ρ for the given direction and force.
struct Averaged {
  rod::AxialStart start{Vec3(0.05, 0.21, -0.2), Vec3(0.05, 0.21, -0.2).norm(), 0.4};
  double chi = 0.3;
  double viscosity = 0.02;
  double step = 0.01;

  rod::PulledSegment at(const Vec3& direction, const Vec3& force) const {
    rod::PulledSegment s;
    s.direction = direction;
    s.force = force;
    double pull = force.dot(direction);
    for (int k = 0; k < 50; ++k) {
      s.law = law(pull, direction);
      pull += (s.along() - s.law.force) / s.law.force_by_pull;
    }
    return s;
  }
  rod::AxialLaw law(double pull, const Vec3& direction) const {
    return rod::averaged_law(pull, direction, start, kLength, kStiffness, chi, viscosity, step);
  }
};

}  // namespace

TEST_CASE("the length over a step belongs to the averaged tension") {
  const Averaged averaged;
  const Vec3 d = Vec3(0.1, 0.7, -0.6).normalized();
  const rod::PulledSegment s = averaged.at(d, Vec3(1.1, 0.4, -0.7));
  const rod::AxialAverage a =
      rod::axial_average(averaged.start, s.way(), kLength, kStiffness, averaged.chi, averaged.viscosity, averaged.step);
  CHECK(a.force == doctest::Approx(s.law.pull).epsilon(1e-12));
  CHECK((a.force * a.direction).dot(d) == doctest::Approx(s.along()).epsilon(1e-12));
  CHECK(a.strain_rate == doctest::Approx(s.law.strain_rate).epsilon(1e-10));
}

TEST_CASE("derivatives of a segment over a step are those of its way and moment") {
  const Averaged averaged;
  const Vec3 d = Vec3(0.1, 0.7, -0.6).normalized();
  const Vec3 n(1.1, 0.4, -0.7);
  const rod::PulledSegment s = averaged.at(d, n);
  const double h = 1e-6;
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = h * Vec3::Unit(i);
    const auto turned = [&](const Vec3& w) { return averaged.at(math::exp_so3(w) * d, n); };
    const Vec3 way = (turned(e).way() - turned(-e).way()) / (2 * h);
    const Vec3 moment = (turned(e).moment() - turned(-e).moment()) / (2 * h);
    const Vec3 way_by_force = (averaged.at(d, n + e).way() - averaged.at(d, n - e).way()) / (2 * h);
    const Vec3 moment_by_force = (averaged.at(d, n + e).moment() - averaged.at(d, n - e).moment()) / (2 * h);
    CHECK((s.way_by_turn().col(i) + way).norm() < 1e-7);
    CHECK((s.compliance().col(i) - way_by_force).norm() < 1e-7);
    CHECK((s.coupling().col(i) - moment_by_force).norm() < 1e-7);
    // in exponential coordinates the turning of the moment itself counts half
    const Vec3 half = 0.5 * Vec3::Unit(i).cross(s.moment());
    CHECK((s.turning_stiffness().col(i) - (moment - half)).norm() < 1e-7);
    const double next = turned(e).law.pull;
    CHECK(s.next_pull(e, Vec3::Zero()) == doctest::Approx(next).epsilon(1e-8));
  }
}
