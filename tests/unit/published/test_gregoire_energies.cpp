// Grégoire's energies: gradients and Hessians equal differences, for quaternions on and off the unit sphere, with and
// without integral forces.
#include "published/gregoire_energies.hpp"

#include "unit/published/differences.hpp"

#include <doctest/doctest.h>
#include <cmath>
#include <random>

namespace filum::test_gregoire_energies {

using namespace filum::published;

namespace {

std::mt19937 rng(11);
double uniform(double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(rng);
}
template <int N>
Eigen::Matrix<double, N, 1> random_vector() {
  return Eigen::Matrix<double, N, 1>::NullaryExpr([] { return uniform(-1, 1); });
}
// A segment's vector and a quaternion of the given length; |Δx| about one, so that derivatives are, too.
Vec3 random_delta() {
  return random_vector<3>().normalized() * uniform(0.7, 1.3);
}
Vec4 random_quaternion(double size) {
  return random_vector<4>().normalized() * size;
}

// Compares with differences of the energy and of the gradient. Derivatives are of order one here; five-point
// differences of step 1e-3 are good to some 1e-10 where the sixth derivatives (of 1/|q|) are large.
template <int N, class Energy>
void check_derivatives(const Energy& energy, const Eigen::Matrix<double, N, 1>& x) {
  const Term<N> term = energy(x);
  const auto gradient = test::gradient_of<N>([&](const Eigen::Matrix<double, N, 1>& y) { return energy(y).energy; }, x);
  const auto hessian = test::hessian_of<N>([&](const Eigen::Matrix<double, N, 1>& y) { return energy(y).gradient; }, x);
  const double scale = 1 + term.hessian.norm();
  CHECK((term.gradient - gradient).norm() / scale < 1e-8);
  CHECK((term.hessian - hessian).norm() / scale < 1e-8);
  CHECK((term.hessian - term.hessian.transpose()).norm() / scale < 1e-15);
}

constexpr double kSizes[] = {1, 0.6, 1.7};  // of quaternions
constexpr int kTrials = 20;

}  // namespace

TEST_CASE("weight and length: derivatives are those of the energy") {
  for (int trial = 0; trial < kTrials; ++trial) {
    const Vec3 w = random_vector<3>();
    check_derivatives<3>([&](const Vec3& x) { return weight(x, w); }, random_vector<3>());
    // stretched and compressed, with either sign of the integral force
    const Spring spring{uniform(0.5, 2), uniform(-1, 1)};
    const double rest = uniform(0.5, 1.5);
    check_derivatives<3>([&](const Vec3& x) { return length(x, rest, spring); }, random_delta());
  }
}

TEST_CASE("length: eigenvalues are k along the segment and k (1 − rest/length) across, negative in compression") {
  const Vec3 delta(0, 0.8, 0);
  const Term<3> term = length(delta, 1, {3, 0});
  CHECK(term.hessian(1, 1) == doctest::Approx(3));
  CHECK(term.hessian(0, 0) == doctest::Approx(3 * (1 - 1 / 0.8)));
  // its integral force pulls as the spring does
  CHECK(length(delta, 1, {3, 0.5}).gradient[1] == doctest::Approx(3 * (0.8 - 1) + 0.5));
}

TEST_CASE("bending: derivatives with rest strain and unequal stiffnesses, off the unit sphere, too") {
  for (const double size : kSizes)
    for (int trial = 0; trial < kTrials; ++trial) {
      const JointSpring joint{Vec3(uniform(0.5, 2), uniform(0.5, 2), uniform(0.5, 2)), random_vector<3>(),
                              uniform(0.7, 1.3)};
      Eigen::Matrix<double, 8, 1> q;
      q << random_quaternion(size), random_quaternion(uniform(0.6, 1.7));
      check_derivatives<8>(
          [&](const Eigen::Matrix<double, 8, 1>& x) { return bending(x.head<4>(), x.tail<4>(), joint); }, q);
    }
}

TEST_CASE("bending: the strain is that of the relative rotation, with torsion about the second axis") {
  const Quat first = math::exp_quat(Vec3(0.3, -1.2, 0.7));
  const double angle = 0.4;
  for (int axis = 0; axis < 3; ++axis) {
    // turned by `angle` about an axis of the first segment's own frame
    const Quat second = first * math::exp_quat(angle * Vec3::Unit(axis));
    const Vec3 strain = joint_strain(math::to_vec4(first), math::to_vec4(second), 0.1);
    CHECK((strain - 2 / 0.1 * std::sin(angle / 2) * Vec3::Unit(axis)).norm() < 1e-13);
  }
}

TEST_CASE("norm: derivatives of both energies; only the one in use keeps away from zero") {
  for (const double size : kSizes)
    for (int trial = 0; trial < kTrials; ++trial) {
      const Spring spring{uniform(0.5, 2), uniform(-1, 1)};
      check_derivatives<4>([&](const Vec4& q) { return norm(q, spring); }, random_quaternion(size));
      check_derivatives<4>([&](const Vec4& q) { return plain_norm(q, spring); }, random_quaternion(size));
    }
  const Vec4 tiny(1e-3, 0, 0, 0);
  CHECK(norm(tiny, {1, 0}).energy > 1e5);
  CHECK(plain_norm(tiny, {1, 0}).energy < 0.5);
}

TEST_CASE("coherence: derivatives with integral forces, off the unit sphere, too") {
  for (const double size : kSizes)
    for (int trial = 0; trial < kTrials; ++trial) {
      const VectorSpring spring{uniform(0.5, 2), random_vector<3>()};
      Eigen::Matrix<double, 7, 1> x;
      x << random_delta(), random_quaternion(size);
      check_derivatives<7>(
          [&](const Eigen::Matrix<double, 7, 1>& y) { return coherence(y.head<3>(), y.tail<4>(), spring); }, x);
    }
}

TEST_CASE("coherence: no energy where the quaternion turns the reference onto the segment") {
  for (int trial = 0; trial < kTrials; ++trial) {
    const Quat q = math::exp_quat(3 * random_vector<3>());
    const Vec3 delta = 0.3 * (q * Vec3::UnitY());
    CHECK((turned_reference(math::to_vec4(q)) - q * Vec3::UnitY()).norm() < 1e-15);
    const Term<7> term = coherence(delta, math::to_vec4(q), {2, Vec3::Zero()});
    CHECK(term.energy < 1e-30);
    CHECK(term.gradient.norm() < 1e-14);
  }
}

TEST_CASE("handles: derivatives of the springs to a point, to the middle of a segment, to a mean quaternion") {
  for (int trial = 0; trial < kTrials; ++trial) {
    const double k = uniform(0.5, 2);
    const Vec3 place = random_vector<3>();
    const Vec4 orientation = random_quaternion(1);
    check_derivatives<3>([&](const Vec3& x) { return attachment<3>(x, place, k); }, random_vector<3>());
    check_derivatives<4>([&](const Vec4& x) { return attachment<4>(x, orientation, k); }, random_quaternion(1.2));
    check_derivatives<6>(
        [&](const Eigen::Matrix<double, 6, 1>& x) { return mean_attachment<3>(x.head<3>(), x.tail<3>(), place, k); },
        random_vector<6>());
    check_derivatives<8>(
        [&](const Eigen::Matrix<double, 8, 1>& x) {
          return mean_attachment<4>(x.head<4>(), x.tail<4>(), orientation, k);
        },
        random_vector<8>());
  }
}

}  // namespace filum::test_gregoire_energies
