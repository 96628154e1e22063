// Bending over a step in time: its work is the change of energy, its derivatives are right.
#include "rod/bending_average.hpp"

#include <doctest/doctest.h>

namespace filum::rod::test_bending_average {

namespace {

const Vec3 kV0(0.9, 0.2, -0.1), kA0(0.3, -1.4, 0.8), kV(0.7, 0.4, 0.2), kA(-0.5, 0.9, 1.1);
constexpr double kK = 1.7;

double energy(const Vec3& v, const Vec3& a) {
  const double A = v.squaredNorm(), G = v.dot(a);
  return kK * (a.squaredNorm() / A - G * G / (A * A));
}

}  // namespace

TEST_CASE("The work of averaged bending is the change of its energy, and it makes no moment") {
  const BendingAverage f = bending_average(kV0, kA0, kV, kA, kK);
  const double work = 2 * f.on_v.dot(kV - kV0) + 2 * f.on_a.dot(kA - kA0);
  CHECK(work == doctest::Approx(energy(2 * kV - kV0, 2 * kA - kA0) - energy(kV0, kA0)).epsilon(1e-13));
  CHECK((kV.cross(f.on_v) + kA.cross(f.on_a)).norm() < 1e-14);
  CHECK(f.energy == doctest::Approx(energy(2 * kV - kV0, 2 * kA - kA0)));
}

TEST_CASE("Derivatives of averaged bending") {
  const BendingAverage f = bending_average(kV0, kA0, kV, kA, kK);
  const double d = 1e-5;
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = d * Vec3::Unit(i);
    const BendingAverage v_up = bending_average(kV0, kA0, kV + e, kA, kK);
    const BendingAverage v_down = bending_average(kV0, kA0, kV - e, kA, kK);
    const BendingAverage a_up = bending_average(kV0, kA0, kV, kA + e, kK);
    const BendingAverage a_down = bending_average(kV0, kA0, kV, kA - e, kK);
    CHECK(((v_up.on_v - v_down.on_v) / (2 * d) - f.vv.col(i)).norm() < 1e-7);
    CHECK(((a_up.on_v - a_down.on_v) / (2 * d) - f.va.col(i)).norm() < 1e-7);
    CHECK(((v_up.on_a - v_down.on_a) / (2 * d) - f.av.col(i)).norm() < 1e-7);
    CHECK(((a_up.on_a - a_down.on_a) / (2 * d) - f.aa.col(i)).norm() < 1e-7);
  }
}

}  // namespace filum::rod::test_bending_average
