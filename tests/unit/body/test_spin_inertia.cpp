#include "body/spin_inertia.hpp"

#include "math/rotation.hpp"

#include <doctest/doctest.h>

#include <functional>

namespace filum::test_spin_inertia {

using namespace filum::body;

namespace {

const Mat3 kInertia = (Mat3() << 2, 0.3, 0.1, 0.3, 3, -0.2, 0.1, -0.2, 4).finished();
const Mat3 kStart = math::exp_so3(Vec3(0.3, -0.8, 1.1));
const Vec3 kSpin(0.4, 5, -0.7);
constexpr double kStep = 0.05;

}  // namespace

TEST_CASE("the torque's tangent is its derivative by a left increment of the rotation") {
  const Mat3 end = math::exp_so3(Vec3(0.2, 0.3, -0.1)) * kStart;
  const Vec3 known = kStart * kInertia * kSpin / kStep;
  const std::function<SpinInertia(const Mat3&)> rules[] = {
      [&](const Mat3& r) {
        return spin_inertia(kInertia, kStart, r, {1 / kStep, 1 / kStep}, Vec3::Zero(), known);
      },
      [&](const Mat3& r) { return spin_over_step(kInertia, kStart, r, kStep, kSpin); },
      [&](const Mat3& r) { return spin_over_step(kInertia, kStart, r, kStep, kSpin, 1); }};
  for (const auto& rule : rules) {
    const Mat3 told = rule(end).tangent;
    for (int k = 0; k < 3; ++k) {
      const double d = 1e-6;
      const auto moved = [&](double by) { return rule(math::exp_so3(by * Vec3::Unit(k)) * end).torque; };
      const Vec3 found = (moved(d) - moved(-d)) / (2 * d);
      CHECK((told.col(k) - found).norm() < 1e-8 * told.norm());
    }
  }
}

TEST_CASE("what a point of a body moves is Cayley's vector times its mean arm: ties do no work") {
  const Vec3 arm(0.3, -0.2, 0.5);
  const Mat3 end = math::exp_so3(Vec3(0.2, 0.5, -0.6)) * kStart;
  const Vec3 turn = math::cayley_vector(end * kStart.transpose());
  CHECK((end * arm - kStart * arm - turn.cross(0.5 * (kStart + end) * arm)).norm() < 1e-15);
}

TEST_CASE("a body under no torque keeps momentum and energy through a step") {
  const Vec3 momentum = kStart * kInertia * kSpin;
  Mat3 end = kStart;
  SpinInertia balance;
  for (int k = 0; k < 20; ++k) {
    balance = spin_over_step(kInertia, kStart, end, kStep, kSpin);
    if (k < 19) end = math::exp_so3(-balance.tangent.partialPivLu().solve(balance.torque)) * end;
  }
  REQUIRE(balance.torque.norm() < 1e-12 * momentum.norm() / kStep);
  CHECK((end * kInertia * balance.spin - momentum).norm() < 1e-13 * momentum.norm());
  CHECK(balance.spin.dot(kInertia * balance.spin) == doctest::Approx(kSpin.dot(kInertia * kSpin)).epsilon(1e-13));
}

}  // namespace filum::test_spin_inertia
