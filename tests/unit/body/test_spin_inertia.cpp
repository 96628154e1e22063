#include "body/spin_inertia.hpp"

#include "math/rotation.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace filum;
using namespace filum::body;

namespace {

const Mat3 kInertia = (Mat3() << 2, 0.3, 0.1, 0.3, 3, -0.2, 0.1, -0.2, 4).finished();
const Mat3 kStart = math::exp_so3(Vec3(0.3, -0.8, 1.1));
const Vec3 kSpin(0.4, 5, -0.7);
constexpr double kStep = 0.05;

}  // namespace

TEST_CASE("the torque's tangent is its derivative by a left increment of the rotation") {
  for (const bool midpoint : {true, false}) {
    CAPTURE(midpoint);
    const SpinScheme scheme{midpoint, midpoint ? 2 / kStep : 1 / kStep, 1 / kStep};
    const Mat3 now = math::exp_so3(Vec3(0.2, 0.3, -0.1)) * kStart;
    const Vec3 known_spin = midpoint ? Vec3(-kSpin) : Vec3::Zero();
    const Vec3 known = kStart * kInertia * kSpin / kStep;
    const SpinInertia told = spin_inertia(kInertia, kStart, now, scheme, known_spin, known);
    for (int k = 0; k < 3; ++k) {
      const double d = 1e-6;
      const auto moved = [&](double by) {
        return spin_inertia(kInertia, kStart, math::exp_so3(by * Vec3::Unit(k)) * now, scheme, known_spin, known)
            .torque;
      };
      const Vec3 found = (moved(d) - moved(-d)) / (2 * d);
      CHECK((told.tangent.col(k) - found).norm() < 1e-8 * told.tangent.norm());
    }
  }
}

TEST_CASE("the mean arm's derivative is right, and its ties do no work") {
  const Vec3 arm(0.3, -0.2, 0.5);
  const Vec3 half(0.1, 0.25, -0.3);
  const Mat3 middle = math::exp_so3(half) * kStart;
  const Mat3 end = math::exp_so3(2 * half) * kStart;
  const MeanArm told = mean_arm(kStart, middle, arm);
  for (int k = 0; k < 3; ++k) {
    const double d = 1e-6;
    const Vec3 found = (mean_arm(kStart, math::exp_so3(d * Vec3::Unit(k)) * middle, arm).value -
                        mean_arm(kStart, math::exp_so3(-d * Vec3::Unit(k)) * middle, arm).value) /
                       (2 * d);
    CHECK((told.by_rotation.col(k) - found).norm() < 1e-8);
  }
  // what the point moves is Cayley's vector times the mean arm
  const Vec3 cayley = 2 * std::tan(half.norm()) * half.normalized();
  CHECK((end * arm - kStart * arm - cayley.cross(told.value)).norm() < 1e-15);
}

TEST_CASE("a body under no torque keeps momentum and energy through a midpoint step") {
  const SpinScheme scheme{true, 2 / kStep, 1 / kStep};
  const Vec3 momentum = kStart * kInertia * kSpin;
  Mat3 middle = kStart;
  SpinInertia balance;
  for (int k = 0; k < 20; ++k) {
    balance = spin_inertia(kInertia, kStart, middle, scheme, -kSpin, momentum / kStep);
    if (k < 19) middle = math::exp_so3(-balance.tangent.partialPivLu().solve(balance.torque)) * middle;
  }
  REQUIRE(balance.torque.norm() < 1e-12 * momentum.norm() / kStep);
  const Mat3 turn = middle * kStart.transpose();
  CHECK((turn * turn * kStart * kInertia * balance.spin - momentum).norm() < 1e-13 * momentum.norm());
  CHECK(balance.spin.dot(kInertia * balance.spin) == doctest::Approx(kSpin.dot(kInertia * kSpin)).epsilon(1e-13));
}
