// Parallel transport against what defines it: it maps the tangents, does not twist, and its holonomy is the solid
// angle.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <random>

#include "math/frame.hpp"
#include "math/rotation.hpp"

namespace filum::test_frame {

using namespace filum::math;

namespace {

Vec3 random_direction(std::mt19937& engine) {
  std::normal_distribution<double> normal;
  return Vec3(normal(engine), normal(engine), normal(engine)).normalized();
}

}  // namespace

TEST_CASE("transport maps the tangents by the smallest rotation") {
  std::mt19937 engine(3);
  for (int i = 0; i < 300; ++i) {
    const Vec3 t0 = random_direction(engine), t1 = random_direction(engine), v = random_direction(engine);
    const Mat3 r = parallel_transport(t0, t1);
    CHECK((r * t0 - t1).norm() < 1e-14);
    CHECK((r.transpose() * r - Mat3::Identity()).norm() < 1e-14);
    CHECK(r.determinant() == doctest::Approx(1).epsilon(1e-14));
    CHECK((transport(v, t0, t1) - r * v).norm() < 1e-15 * 4);
    // no twist: the rotation vector is square to both tangents; a small angle between them or pi - angle spoils the
    // axis
    const Vec3 w = log_so3(r);
    CHECK(std::abs(w.dot(t0)) + std::abs(w.dot(t1)) < 1e-12);
    CHECK(w.norm() == doctest::Approx(std::atan2(t0.cross(t1).norm(), t0.dot(t1))).epsilon(1e-12));
  }
}

TEST_CASE("transport stays a rotation up to opposite tangents") {
  std::mt19937 engine(4);
  for (double gap : {1e-3, 1e-7, 1e-10, 1e-13, 1e-15, 0.0}) {
    const Vec3 t0 = random_direction(engine);
    const Vec3 t1 = (-t0 + gap * any_perpendicular(t0)).normalized();
    const Mat3 r = parallel_transport(t0, t1);
    CHECK((r * t0 - t1).norm() < 1e-14);
    CHECK((r.transpose() * r - Mat3::Identity()).norm() < 1e-14);
    CHECK(r.determinant() == doctest::Approx(1).epsilon(1e-14));
    CHECK((transport(t0, t0, t1) - t1).norm() < 1e-14);
  }
  CHECK((parallel_transport(Vec3::UnitX(), Vec3::UnitX()) - Mat3::Identity()).norm() == 0.0);
}

TEST_CASE("a planar curve keeps its normal and a closed planar ring closes") {
  const int edges = 500;
  Vec3 binormal = Vec3::UnitZ(), inward = Vec3::UnitY(), tangent = Vec3::UnitX();
  for (int i = 1; i <= edges; ++i) {
    const double angle = 2 * kPi * i / edges;
    const Vec3 next(std::cos(angle), std::sin(angle), 0);
    binormal = transport(binormal, tangent, next);
    inward = transport(inward, tangent, next);
    tangent = next;
    REQUIRE((binormal - Vec3::UnitZ()).norm() == 0.0);
  }
  // 500 transports, each a few roundings
  CHECK((inward - Vec3::UnitY()).norm() < 1e-13);
}

TEST_CASE("the holonomy of a loop of tangents is its solid angle") {
  // three right angles on the sphere: an octant, solid angle pi / 2; each leg cut into steps
  const int steps = 30;
  const Vec3 corners[] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()};
  Vec3 tangent = corners[0], director = Vec3::UnitY();
  for (int leg = 0; leg < 3; ++leg) {
    for (int i = 1; i <= steps; ++i) {
      const double angle = kPi / 2 * i / steps;
      const Vec3 next = std::cos(angle) * corners[leg] + std::sin(angle) * corners[leg + 1];
      director = transport(director, tangent, next);
      tangent = next;
    }
  }
  CHECK(signed_angle(Vec3::UnitY(), director, Vec3::UnitX()) == doctest::Approx(kPi / 2).epsilon(1e-13));
}

TEST_CASE("frames stay orthonormal through a million transports") {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> change(-0.3, 0.3);
  Vec3 tangent = Vec3::UnitX();
  Vec3 bare1 = Vec3::UnitY(), bare2 = Vec3::UnitZ(), kept = Vec3::UnitY();
  for (int i = 0; i < 1000000; ++i) {
    const Vec3 next = (tangent + Vec3(change(engine), change(engine), change(engine))).normalized();
    bare1 = transport(bare1, tangent, next);
    bare2 = transport(bare2, tangent, next);
    kept = orthonormalise(transport(kept, tangent, next), next);
    tangent = next;
  }
  Mat3 frame;
  frame << bare1, bare2, tangent;
  CHECK((frame.transpose() * frame - Mat3::Identity()).norm() < 1e-10);
  CHECK(std::abs(kept.dot(tangent)) < 1e-15);
  CHECK(std::abs(kept.norm() - 1) < 1e-15);
  // the helper removes drift only: it does not turn the director
  CHECK((kept - bare1).norm() < 1e-10);
}

TEST_CASE("a frame takes the tangent and the normal made square, or any perpendicular") {
  const Mat3 frame = frame_from(Vec3(0, 0, 3), Vec3(2, 0, 5));
  CHECK((frame - Mat3::Identity()).norm() < 1e-15);
  std::mt19937 engine(6);
  for (int i = 0; i < 100; ++i) {
    const Vec3 t = random_direction(engine);
    // parallel, opposite, zero and nearly parallel normals
    for (const Vec3& n : {t, Vec3(-2 * t), Vec3(Vec3::Zero()), Vec3(t + 1e-9 * any_perpendicular(t))}) {
      const Mat3 f = frame_from(t, n);
      CHECK((f.transpose() * f - Mat3::Identity()).norm() < 1e-14);
      CHECK(f.determinant() == doctest::Approx(1).epsilon(1e-14));
      CHECK((f.col(2) - t).norm() < 1e-15);
    }
  }
}

}  // namespace filum::test_frame
