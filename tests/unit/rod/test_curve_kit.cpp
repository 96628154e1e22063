// The discrete curve kit: identities of curvature binormal and parallel transport, conversions between the three
// descriptions of a framed curve, and fold-backs.
#include "rod/curve_kit.hpp"

#include "math/frame.hpp"
#include "math/rotation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::test_curve_kit {

using namespace filum::rod;
using math::kPi;

namespace {

// A smooth random walk: neighbouring tangents differ by up to about one radian.
std::vector<Vec3> random_curve(int nodes, unsigned seed, double bend = 0.6) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Vec3> points{Vec3::Zero()};
  Vec3 tangent = Vec3::UnitX();
  for (int i = 1; i < nodes; ++i) {
    tangent = (tangent + bend * Vec3(normal(random), normal(random), normal(random))).normalized();
    points.push_back(points.back() + (0.5 + 0.1 * normal(random)) * tangent);
  }
  return points;
}

Vec3 random_unit(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}

}  // namespace

TEST_CASE("curvature binormal, turning angle and vertex tangent satisfy their identities") {
  std::mt19937 random(7);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 t0 = random_unit(random);
    const Vec3 t1 = random_unit(random);
    const Vec3 kb = curvature_binormal(t0, t1);
    const double phi = turning_angle(t0, t1);
    const Vec3 tv = vertex_tangent(t0, t1);
    // rounding grows with the binormal itself
    const double tolerance = 1e-13 * (1 + kb.squaredNorm());
    CHECK(std::cos(phi) == doctest::Approx(t0.dot(t1)).epsilon(1e-13));
    CHECK(std::abs(kb.norm() - 2 * std::tan(phi / 2)) < tolerance);
    CHECK((kb.cross(tv) - (t1 - t0)).norm() < tolerance);
    CHECK(std::abs(kb.dot(tv)) < tolerance);
    CHECK(std::abs(kb.dot(t1 - t0)) < tolerance);
    CHECK(std::abs(tv.dot(t1 - t0)) < 1e-15);
    // the Cayley rotation of the binormal is the parallel transport
    CHECK((math::cayley(kb) * t0 - t1).norm() < 1e-14 * (1 + kb.squaredNorm()));
    CHECK((math::cayley(kb) - math::parallel_transport(t0, t1)).norm() < 1e-13 * (1 + kb.squaredNorm()));
  }
}

TEST_CASE("small turning angles keep their digits") {
  for (const double phi : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Vec3 t1(std::cos(phi), std::sin(phi), 0);
    CHECK(turning_angle(Vec3::UnitX(), t1) == doctest::Approx(phi).epsilon(1e-13));
    CHECK(curvature_binormal(Vec3::UnitX(), t1).z() == doctest::Approx(2 * std::tan(phi / 2)).epsilon(1e-13));
  }
  CHECK(curvature_binormal(Vec3::UnitX(), Vec3::UnitX()) == Vec3::Zero());
}

TEST_CASE("a fold-back is reported and stays finite") {
  const std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0)};
  const JointShape shape = joint_shape(edge_tangents(points), false);
  REQUIRE(shape.binormal.size() == 3);
  CHECK(shape.folded == std::vector<std::size_t>{1});
  CHECK(shape.turning[1] == doctest::Approx(kPi).epsilon(1e-15));
  for (const Vec3& kb : shape.binormal) CHECK(kb.allFinite());
  CHECK(shape.binormal[1].norm() > 1e6);
  CHECK(std::abs(shape.binormal[1].x()) < 1e-6);

  // approaching the fold nothing jumps: the binormal grows up to the limit and keeps its axis
  double previous = 0;
  for (double gap = 0.1; gap > 1e-9; gap /= 2) {
    const Vec3 t1(-std::cos(gap), std::sin(gap), 0);
    const Vec3 kb = curvature_binormal(Vec3::UnitX(), t1);
    CHECK(kb.norm() >= previous * (1 - 1e-9));
    CHECK(kb.z() == doctest::Approx(kb.norm()));
    CHECK(folds_back(Vec3::UnitX(), t1) == (2 * std::sin(gap / 2) < kFoldAngle));
    previous = kb.norm();
  }

  // frames and twists over the fold are finite, too
  const std::vector<Quat> frames = bishop_frames(edge_tangents(points), Vec3::UnitZ());
  for (const Quat& frame : frames) CHECK(frame.norm() == doctest::Approx(1).epsilon(1e-14));
  for (const double twist : joint_twists(frames, false)) CHECK(std::isfinite(twist));
}

TEST_CASE("edges without length borrow a tangent") {
  const Vec3 a(0, 0, 0);
  const Vec3 b(0, 2, 0);
  CHECK(edge_tangents(std::vector<Vec3>{a, a, b, b}) == std::vector<Vec3>{Vec3::UnitY(), Vec3::UnitY(), Vec3::UnitY()});
  CHECK(edge_tangents(std::vector<Vec3>{a, a}) == std::vector<Vec3>{Vec3::UnitX()});
  CHECK(edge_tangents(std::vector<Vec3>{a}).empty());
  CHECK(edge_tangents({}).empty());
  CHECK(joint_shape({}, true).turning.empty());
}

TEST_CASE("Bishop frames stay orthonormal over a million joints") {
  // a random tangent each step, the hardest case
  std::mt19937 random(3);
  std::vector<Vec3> tangents;
  for (int i = 0; i < 1000000; ++i) tangents.push_back(random_unit(random));
  const std::vector<Quat> frames = bishop_frames(tangents, Vec3::UnitZ());
  double worst = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    worst = std::max(worst, std::abs(frames[i].norm() - 1));
    worst = std::max(worst, (frames[i] * Vec3::UnitZ() - tangents[i]).norm());
  }
  CHECK(worst < 1e-13);
}

TEST_CASE("a planar ring has no holonomy, its plane's normal is transported onto itself") {
  std::vector<Vec3> points;
  const int n = 37;
  for (int i = 0; i <= n; ++i) points.emplace_back(std::cos(2 * kPi * i / n), 2 * std::sin(2 * kPi * i / n), 0);
  points.back() = points.front();
  const std::vector<Vec3> tangents = edge_tangents(points);
  const std::vector<Quat> frames = bishop_frames(tangents, Vec3::UnitZ());
  for (const Quat& frame : frames) CHECK((frame * Vec3::UnitX() - Vec3::UnitZ()).norm() < 1e-14);
  CHECK(std::abs(total_twist(joint_twists(frames, true))) < 1e-13);
}

TEST_CASE("Cosserat, curve-angle and curve-twist convert into each other and keep whole turns") {
  const std::vector<Vec3> tangents = edge_tangents(random_curve(200, 5));
  const Vec3 normal(0.2, 1, -0.4);
  // up to 3 rad a joint, 60 turns in all
  std::mt19937 random(9);
  std::uniform_real_distribution<double> twist(0.7, 3.0);
  std::vector<double> angles{25.0};
  while (angles.size() < tangents.size()) angles.push_back(angles.back() + twist(random));
  REQUIRE(angles.back() > 40 * kPi);

  const std::vector<Quat> frames = material_frames(tangents, normal, angles);
  for (std::size_t i = 0; i < frames.size(); ++i) CHECK((frames[i] * Vec3::UnitZ() - tangents[i]).norm() < 1e-14);

  // joint twists from pairs of frames are the differences of the angles, |τ| < π
  const std::vector<double> twists = joint_twists(frames, false);
  const std::vector<double> expected = twists_of_angles(angles);
  REQUIRE(twists.size() == expected.size());
  for (std::size_t i = 0; i < twists.size(); ++i) CHECK(std::abs(twists[i] - expected[i]) < 1e-12);
  CHECK(total_twist(twists) == doctest::Approx(angles.back() - angles.front()).epsilon(1e-13));

  // back to angles: the neighbours tell the turns but for the first, which `near` tells
  const std::vector<double> with_near = material_angles(tangents, normal, frames, angles);
  const std::vector<double> without = material_angles(tangents, normal, frames);
  const std::vector<double> summed = angles_of_twists(angles.front(), twists);
  REQUIRE(summed.size() == angles.size());
  const double lost = angles.front() - without.front();
  CHECK(lost == doctest::Approx(8 * kPi).epsilon(1e-13));
  for (std::size_t i = 0; i < angles.size(); ++i) {
    CHECK(std::abs(with_near[i] - angles[i]) < 1e-12);
    CHECK(std::abs(without[i] + lost - angles[i]) < 1e-12);
    CHECK(std::abs(summed[i] - angles[i]) < 1e-11);
  }

  // and back to the same frames
  const std::vector<Quat> again = material_frames(tangents, normal, with_near);
  for (std::size_t i = 0; i < frames.size(); ++i) CHECK(frames[i].angularDistance(again[i]) < 1e-12);
}

TEST_CASE("joint twist is unwrapped near the given value") {
  const Quat a = Quat::Identity();
  const Quat b = math::exp_quat(Vec3(0, 0, 0.5));
  CHECK(joint_twist(a, b) == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(joint_twist(b, a) == doctest::Approx(-0.5).epsilon(1e-15));
  CHECK(joint_twist(a, b, 20) == doctest::Approx(0.5 + 6 * kPi).epsilon(1e-15));
  CHECK(joint_twist(a, b, -7) == doctest::Approx(0.5 - 2 * kPi).epsilon(1e-15));
}

}  // namespace filum::test_curve_kit
