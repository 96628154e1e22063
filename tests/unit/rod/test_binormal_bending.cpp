// The binormal measure of bending: its derivatives against differences, its invariances, and closed forms.
#include "rod/binormal_bending.hpp"

#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/curve_kit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace filum::test_binormal_bending {

using namespace filum::rod;

namespace {

Mat3 random_frame(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Quat(normal(random), normal(random), normal(random), normal(random)).normalized().toRotationMatrix();
}

Vec3 random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

// A frame turned from `frame` by at most about `size`.
Mat3 near(const Mat3& frame, double size, std::mt19937& random) {
  return math::exp_so3(size * random_vector(random)) * frame;
}

// Strain with the twist measured from the frames, nearest to a given one.
Vec3 measured(const Mat3& f0, const Mat3& f1, double twist_near) {
  return binormal_strain(f0, f1, joint_strain(f0, f1, twist_near).twist).value;
}

const JointElasticity kFlat{{3.0, 0.7, 1.9}, {0.2, -0.1, 0.3}};

}  // namespace

TEST_CASE("components of the binormal have its length and the mid frame's directions") {
  std::mt19937 random(1);
  for (int k = 0; k < 20; ++k) {
    const Mat3 f0 = random_frame(random);
    const Mat3 f1 = near(f0, 0.4, random);
    const JointStrain by_angle = joint_strain(f0, f1, 0);
    const BinormalStrain strain = binormal_strain(f0, f1, by_angle.twist);
    CHECK(strain.value.head<2>().norm() ==
          doctest::Approx(curvature_binormal(f0.col(2), f1.col(2)).norm()).epsilon(1e-13));
    // the same directions as the turning angle's components, 2 tan(φ/2) in length
    const double scale = 2 * std::tan(0.5 * by_angle.angle) / by_angle.angle;
    CHECK((strain.value.head<2>() - scale * by_angle.bend).norm() < 1e-13);
  }
}

TEST_CASE("the gradient of the binormal strain agrees with differences") {
  std::mt19937 random(2);
  const double h = 1e-5;
  for (int k = 0; k < 50; ++k) {
    const Mat3 f0 = random_frame(random);
    const Mat3 f1 = near(f0, k % 5 == 0 ? 1e-9 : 0.5, random);
    const double twist = joint_strain(f0, f1, 0).twist;
    const BinormalStrain strain = binormal_strain(f0, f1, twist);
    const Vec3 w0 = random_vector(random);
    const Vec3 w1 = random_vector(random);
    const Vec3 forward = measured(math::exp_so3(h * w0) * f0, math::exp_so3(h * w1) * f1, twist);
    const Vec3 backward = measured(math::exp_so3(-h * w0) * f0, math::exp_so3(-h * w1) * f1, twist);
    const Vec3 difference = (forward - backward) / (2 * h);
    // central differences at 1e-5: third derivatives of some hundred leave 1e-8
    CHECK((strain.gradient.transpose() * (w1 - w0) - difference).norm() < 1e-7);
  }
}

TEST_CASE("the moment of a round joint is that of the general one, and the slope of its energy") {
  std::mt19937 random(3);
  const JointElasticity round{{1.3, 1.3, 0.9}, Vec3::Zero()};
  for (int k = 0; k < 20; ++k) {
    const Mat3 f0 = random_frame(random);
    const Mat3 f1 = near(f0, 0.5, random);
    const double twist = joint_strain(f0, f1, 0).twist;
    const BinormalStrain strain = binormal_strain(f0, f1, twist);
    const Vec3 general = strain.gradient * round.stiffness.cwiseProduct(strain.value);
    const Vec3 direct = round_moment(f0.col(2), f1.col(2), 1.3, 0.9 * twist);
    CHECK((general - direct).norm() < 1e-13 * general.norm());
    CHECK(binormal_energy(strain.value, round) ==
          doctest::Approx(round_energy(f0.col(2), f1.col(2), 1.3) + 0.45 * twist * twist).epsilon(1e-12));
    // a turn of both frames costs nothing, so the moments on the two sides are opposite
    const Mat3 turn = random_frame(random);
    CHECK(binormal_energy(binormal_strain(turn * f0, turn * f1, twist).value, kFlat) ==
          doctest::Approx(binormal_energy(strain.value, kFlat)).epsilon(1e-12));
  }
}

TEST_CASE("derivatives by the angles of the frames agree with differences") {
  std::mt19937 random(4);
  const double h = 1e-5;
  for (int k = 0; k < 20; ++k) {
    const Mat3 f0 = random_frame(random);
    const Mat3 f1 = near(f0, 0.5, random);
    const double twist = joint_strain(f0, f1, 0).twist;
    auto energy = [&](double angle0, double angle1) {
      const Mat3 a = f0 * Eigen::AngleAxisd(angle0, Vec3::UnitZ()).toRotationMatrix();
      const Mat3 b = f1 * Eigen::AngleAxisd(angle1, Vec3::UnitZ()).toRotationMatrix();
      Vec3 value = binormal_strain(a, b, twist + angle1 - angle0).value;
      value[2] = kFlat.rest[2];
      return binormal_energy(value, kFlat);
    };
    const AngleDerivatives d = angle_derivatives(binormal_strain(f0, f1, twist).value.head<2>(), kFlat);
    // only the mean of the two angles counts
    CHECK(energy(0.3, -0.3) == doctest::Approx(energy(0, 0)).epsilon(1e-12));
    CHECK((energy(h, h) - energy(-h, -h)) / (2 * h) == doctest::Approx(d.first).epsilon(1e-7));
    CHECK((energy(100 * h, 0) - energy(-100 * h, 0)) / (200 * h) == doctest::Approx(0.5 * d.first).epsilon(1e-5));
    const double step = 1e-3;
    const double second = (energy(step, step) - 2 * energy(0, 0) + energy(-step, -step)) / (step * step);
    CHECK(second == doctest::Approx(d.second).epsilon(1e-4));
  }
}

TEST_CASE("the energy of a ring in the binormal measure is 2αN² tan²(π/N)/L") {
  const double length = 2;
  const double bending = 0.7;
  for (const int n : {10, 40, 160}) {
    double energy = 0;
    for (int i = 0; i < n; ++i) {
      const double a = 2 * std::numbers::pi * i / n;
      const double b = 2 * std::numbers::pi * (i + 1) / n;
      energy += round_energy({std::cos(a), std::sin(a), 0}, {std::cos(b), std::sin(b), 0}, bending * n / length);
    }
    const double tan = std::tan(std::numbers::pi / n);
    CHECK(energy == doctest::Approx(2 * bending * n * n * tan * tan / length).epsilon(1e-12));
    const double smooth = 2 * std::numbers::pi * std::numbers::pi * bending / length;
    // second order: (2/3)(π/N)², the next term is (17/45)(π/N)⁴
    const double x = std::numbers::pi / n;
    CHECK(energy / smooth - 1 == doctest::Approx(2.0 / 3 * x * x).epsilon(x * x));
  }
}

TEST_CASE("a joint folded flat stays finite") {
  const Mat3 f0 = Mat3::Identity();
  const Mat3 f1 = Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX()).toRotationMatrix();
  CHECK(binormal_strain(f0, f1, 0).gradient.allFinite());
  CHECK(round_moment(f0.col(2), f1.col(2), 1, 1).allFinite());
}

}  // namespace filum::test_binormal_bending
