// Joint rows: values, and derivatives against central differences.
#include "body/joint_rows.hpp"

#include "math/rotation.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <random>

namespace filum::test_joint_rows {

using namespace filum::body;

namespace {

Vec3 random_vector(std::mt19937& random, double size = 1) {
  std::normal_distribution<double> normal;
  return size * Vec3(normal(random), normal(random), normal(random));
}

// Central differences with h = 1e-5: truncation about 1e-10, rounding 1e-11.
Mat3 differences(const std::function<Vec3(const Vec3&)>& function) {
  constexpr double h = 1e-5;
  Mat3 out;
  for (int i = 0; i < 3; ++i) out.col(i) = (function(h * Vec3::Unit(i)) - function(-h * Vec3::Unit(i))) / (2 * h);
  return out;
}

}  // namespace

TEST_CASE("attachment rows have the right value and derivatives") {
  std::mt19937 random(4);
  for (int i = 0; i < 50; ++i) {
    const Quat q = math::exp_quat(random_vector(random));
    const Vec3 r = random_vector(random);
    const Vec3 x = random_vector(random);
    const Vec3 p = random_vector(random);
    const Vec3 lambda = random_vector(random);
    const AttachmentRows rows = attachment_rows(q, r, x, p);
    CHECK((rows.value - (q * x + r - p)).norm() < 1e-15);

    // in the body, in translation, in the point
    const auto turned = [&](const Vec3& w) { return Quat(math::exp_quat(w) * q); };
    CHECK((differences([&](const Vec3& w) { return attachment_rows(turned(w), r, x, p).value; }) - rows.by_rotation)
              .norm() < 1e-8);
    CHECK(
        (differences([&](const Vec3& d) { return attachment_rows(q, r + d, x, p).value; }) - Mat3::Identity()).norm() <
        1e-8);
    CHECK(
        (differences([&](const Vec3& d) { return attachment_rows(q, r, x, p + d).value; }) + Mat3::Identity()).norm() <
        1e-8);

    // the second derivative of λ·C along any direction: f(hd) + f(−hd) − 2 f(0) over h², good to about 1e-7
    const Mat3 curvature = attachment_curvature(q, x, lambda);
    CHECK((curvature - curvature.transpose()).norm() == 0);
    const auto along = [&](const Vec3& w) { return lambda.dot(attachment_rows(turned(w), r, x, p).value); };
    const Vec3 d = random_vector(random).normalized();
    const double h = 1e-4;
    CHECK((along(h * d) + along(-h * d) - 2 * along(Vec3::Zero())) / (h * h) ==
          doctest::Approx(d.dot(curvature * d)).epsilon(1e-6));
  }
}

TEST_CASE("orientation rows have the right value and derivatives") {
  std::mt19937 random(6);
  for (int i = 0; i < 50; ++i) {
    // from frames that agree to relative turns of up to about 2.5 rad
    const Quat a = math::exp_quat(random_vector(random));
    const Vec3 relative = random_vector(random).normalized() * (2.5 * i / 49);
    const Quat b = a * math::exp_quat(relative);
    const OrientationRows rows = orientation_rows(a, b);
    CHECK((rows.value - relative).norm() < 1e-14);
    const Mat3 by_b = differences([&](const Vec3& w) { return orientation_rows(a, math::exp_quat(w) * b).value; });
    const Mat3 by_a = differences([&](const Vec3& w) { return orientation_rows(math::exp_quat(w) * a, b).value; });
    CHECK((by_b - rows.by_rotation_b).norm() < 1e-8);
    CHECK((by_a + rows.by_rotation_b).norm() < 1e-8);
  }
  // q and −q are one rotation
  const Quat q = math::exp_quat(Vec3(0.1, 0.2, 0.3));
  CHECK(orientation_rows(q, Quat(-q.coeffs())).value.norm() < 1e-15);
}

}  // namespace filum::test_joint_rows
