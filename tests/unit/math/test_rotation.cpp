// Rotations against their defining identities, at random vectors and at the degenerate angles 0 and pi.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <random>

#include "math/rotation.hpp"
#include "math/rotation_kernel.hpp"

namespace filum::test_rotation {

using namespace filum::math;

namespace {

struct Random {
  std::mt19937 engine{7};
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 direction() {
    Vec3 v;
    do v = Vec3(number(-1, 1), number(-1, 1), number(-1, 1));
    while (v.norm() > 1 || v.norm() < 0.1);
    return v.normalized();
  }
  Quat quaternion() { return exp_quat(number(0, kPi) * direction()); }
};

}  // namespace

TEST_CASE("the exponential is a rotation about w by |w|") {
  Random random;
  for (double angle : {0.0, 1e-12, 1e-6, 0.009, 0.011, 0.5, 3.0, kPi, 5.0}) {
    const Vec3 axis = random.direction();
    const Mat3 r = exp_so3(angle * axis);
    const Mat3 reference = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    CHECK((r - reference).norm() < 2e-15);
    CHECK((exp_quat(angle * axis).toRotationMatrix() - reference).norm() < 2e-15);
    CHECK((r.transpose() * r - Mat3::Identity()).norm() < 2e-15);
  }
}

TEST_CASE("the logarithm inverts the exponential from 0 to just below pi") {
  Random random;
  for (double angle : {0.0, 1e-15, 1e-9, 1e-3, 0.019, 0.021, 1.0, 3.0, kPi - 1e-3, kPi - 1e-7, kPi - 1e-10}) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 w = angle * random.direction();
      CHECK((log_quat(exp_quat(w)) - w).norm() < 4e-15);
      // conversion from a matrix costs a few more roundings, of entries of order one
      CHECK((log_so3(exp_so3(w)) - w).norm() < 2e-14);
    }
  }
  // the two quaternions of a rotation have one logarithm, also at the half turn
  const Quat q = random.quaternion();
  CHECK((log_quat(q) - log_quat(Quat(-q.coeffs()))).norm() == 0.0);
  CHECK(log_so3(Vec3(1, -1, -1).asDiagonal()).norm() == doctest::Approx(kPi).epsilon(1e-15));
}

TEST_CASE("the Cayley map is Rodrigues with the angle 2 atan(|w| / 2)") {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const Vec3 axis = random.direction();
    const double size = std::pow(10, random.number(-8, 2));
    const Mat3 r = cayley(size * axis);
    CHECK((r - exp_so3(2 * std::atan(size / 2) * axis)).norm() < 1e-14);
    CHECK((r.transpose() * r - Mat3::Identity()).norm() < 1e-14);
    CHECK(std::abs(r.determinant() - 1) < 1e-14);
    // the defining form (I - [w]/2) R = I + [w]/2
    const Mat3 half = 0.5 * skew(size * axis);
    CHECK(((Mat3::Identity() - half) * r - Mat3::Identity() - half).norm() < 1e-14 * (1 + size));
  }
}

TEST_CASE("quaternion matrices equal the products") {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Quat p = random.quaternion(), q = random.quaternion();
    CHECK((quat_left(q) * to_vec4(p) - to_vec4(q * p)).norm() < 1e-15);
    CHECK((quat_right(q) * to_vec4(p) - to_vec4(p * q)).norm() < 1e-15);
    CHECK((quat_conjugate() * to_vec4(q) - to_vec4(q.conjugate())).norm() == 0.0);
  }
}

TEST_CASE("the left Jacobian is the derivative of the exponential") {
  Random random;
  const double h = 1e-5;
  for (double angle : {0.0, 1e-4, 0.0099, 0.0101, 0.7, 3.0, 4.0}) {
    const Vec3 w = angle * random.direction();
    const Mat3 jacobian = left_jacobian(w);
    for (int k = 0; k < 3; ++k) {
      const Mat3 plus = exp_so3(w + h * Vec3::Unit(k)), minus = exp_so3(w - h * Vec3::Unit(k));
      const Vec3 column = log_so3(plus * minus.transpose()) / (2 * h);
      // central differences: h^2 truncation plus rounding / h
      CHECK((column - jacobian.col(k)).norm() < 2e-9);
    }
    CHECK((left_jacobian_inverse(w) * jacobian - Mat3::Identity()).norm() < 1e-13);
  }
  // series and closed form meet at the switch
  const Vec3 below(0.009999999, 0, 0), above(0.010000001, 0, 0);
  CHECK((left_jacobian(below) - left_jacobian(above)).norm() < 3e-9);
  CHECK((left_jacobian_inverse(below) - left_jacobian_inverse(above)).norm() < 3e-9);
}

TEST_CASE("swing and twist recombine, the swing has no twist") {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const Quat q = random.quaternion();
    const Vec3 axis = random.direction();
    const SwingTwist parts = swing_twist(q, axis);
    const Quat again = parts.swing * exp_quat(parts.twist * axis);
    CHECK((again.toRotationMatrix() - q.toRotationMatrix()).norm() < 4e-15);
    CHECK(std::abs(parts.swing.vec().dot(axis)) < 1e-15);
    CHECK(std::abs(parts.twist) <= kPi);
  }
  const Quat pure = exp_quat(2.5 * Vec3::UnitY());
  CHECK(swing_twist(pure, Vec3::UnitY()).twist == doctest::Approx(2.5).epsilon(1e-15));
  // a half turn across the axis: finite, no twist
  CHECK(swing_twist(Quat(0, 1, 0, 0), Vec3::UnitY()).twist == 0.0);
}

TEST_CASE("unwrap follows an angle over many turns") {
  double followed = 0;
  for (int i = 1; i <= 100000; ++i) {
    const double angle = -0.013 * i;
    followed = unwrap(std::remainder(angle, 2 * kPi), followed);
    // 200 turns of 2 pi, each rounded: a few 1e-13
    REQUIRE(std::abs(followed - angle) < 2e-12 * (1 + std::abs(angle)) / 100);
  }
  CHECK(unwrap(3.0, -3.0) == doctest::Approx(3.0 - 2 * kPi));
  CHECK(unwrap(0.5, 0.4) == 0.5);
}

TEST_CASE("signed angle counts about the axis") {
  const Vec3 axis = Vec3(1, 2, -1).normalized();
  const Vec3 a = axis.cross(Vec3::UnitX());
  for (double angle : {-3.0, -1e-9, 0.0, 0.4, 3.1}) {
    CHECK(signed_angle(a, 2 * exp_so3(angle * axis) * a, axis) == doctest::Approx(angle).epsilon(1e-14));
  }
}

TEST_CASE("frames turned side by side turn as one alone does, by any angle") {
  const Vec3 axis = Vec3(0.3, -0.5, 0.8).normalized();
  const Mat3 frame = exp_so3(Vec3(0.7, 0.2, -1.1));
  for (const double angle : {0.0, 1e-300, 1e-9, 9.9e-5, 1.01e-4, 1e-2, 0.1, 0.5, 1.0, 3.0, 10.0}) {
    CAPTURE(angle);
    const Mat3 turned = math::turned<double>(frame, angle * axis);
    CHECK((turned - exp_so3(angle * axis) * frame).norm() < 4e-15);
  }
}

}  // namespace filum::test_rotation
