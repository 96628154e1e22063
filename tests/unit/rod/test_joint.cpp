// The joint and edge kernels: strains rebuild the rotation, gradients and Hessians equal differences at random,
// straight, nearly folded and highly twisted states.
#include <doctest/doctest.h>

#include "rod/edge.hpp"
#include "rod/joint_kernel.hpp"

#include <cmath>
#include <functional>
#include <random>

namespace filum::test_joint {

using namespace filum::rod;

namespace {

std::mt19937 rng(7);
double uniform(double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(rng);
}
Vec3 random_vector(double size) {
  return Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)) * size;
}
Mat3 rotation(const Vec3& w) {
  const double a = w.norm();
  return a > 0 ? Eigen::AngleAxisd(a, w / a).toRotationMatrix() : Mat3::Identity();
}
Mat3 about_z(double a) {
  return Eigen::AngleAxisd(a, Vec3::UnitZ()).toRotationMatrix();
}

struct Joint {
  Mat3 frame0;
  Mat3 frame1;
  double twist;
  JointElasticity elasticity;
};

Joint random_joint(double bend, double twist) {
  Joint j;
  j.frame0 = rotation(random_vector(3));
  const double direction = uniform(-3, 3);
  const Vec3 b(bend * std::cos(direction), bend * std::sin(direction), 0);
  j.frame1 = j.frame0 * about_z(twist / 2) * rotation(b) * about_z(twist / 2);
  j.twist = twist;
  j.elasticity.stiffness = Vec3(uniform(0.5, 2), uniform(0.5, 2), uniform(0.5, 2));
  j.elasticity.rest = random_vector(0.4);
  return j;
}

double energy(const Joint& j, const Vec3& w0, const Vec3& w1) {
  return joint_energy(joint_strain(rotation(w0) * j.frame0, rotation(w1) * j.frame1, j.twist), j.elasticity);
}

// Five-point differences of a function of n variables at zero: gradient error ~ h⁴, second derivatives by polarisation.
Eigen::VectorXd gradient_of(const std::function<double(const Eigen::VectorXd&)>& f, int n, double h) {
  Eigen::VectorXd g(n);
  for (int i = 0; i < n; ++i) {
    auto at = [&](double step) {
      Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
      x[i] = step;
      return f(x);
    };
    g[i] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return g;
}
Eigen::MatrixXd hessian_of(const std::function<double(const Eigen::VectorXd&)>& f, int n, double h) {
  auto along = [&](const Eigen::VectorXd& d) {
    return (-f(2 * h * d) + 16 * f(h * d) - 30 * f(0 * d) + 16 * f(-h * d) - f(-2 * h * d)) / (12 * h * h);
  };
  Eigen::MatrixXd m(n, n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k)
      m(i, k) = m(k, i) = 0.25 * (along(Eigen::VectorXd::Unit(n, i) + Eigen::VectorXd::Unit(n, k)) -
                                  along(Eigen::VectorXd::Unit(n, i) - Eigen::VectorXd::Unit(n, k)));
  return m;
}

struct State {
  const char* name;
  double bend;
  double twist;
  double gradient_tolerance;  // differences lose digits where the fourth derivative is large: near the fold
  double hessian_tolerance;
};
const State kStates[] = {
    {"generic", 0.7, 0.4, 1e-9, 1e-6},           {"straight", 0.0, 0.0, 1e-9, 1e-6},
    {"straight, twisted", 0.0, 2.0, 1e-9, 1e-6}, {"nearly straight", 1e-7, 0.3, 1e-9, 1e-6},
    {"series border", 0.00999, 0.3, 1e-9, 1e-6}, {"past the border", 0.01001, 0.3, 1e-9, 1e-6},
    {"highly twisted", 0.5, 40.0, 1e-8, 1e-5},   {"bent far", 2.55, 0.5, 1e-7, 1e-3},
    {"right angle", 1.6, -2.9, 1e-8, 1e-5},      {"begins to fold", 2.7, 0.5, 1e-7, 1e-3},
    {"nearly folded", 3.0, -4.0, 1e-6, 1e-3},    {"all but flat", 3.12, 2.0, 1e-4, 1e-1},
};

}  // namespace

TEST_CASE("a joint's strains rebuild the rotation between its frames, whole turns kept") {
  for (const State& state : kStates) {
    CAPTURE(state.name);
    const Joint j = random_joint(state.bend, state.twist);
    const JointStrain s = joint_strain(j.frame0, j.frame1, j.twist + 0.5);
    CHECK(joint_strain_vector(j.frame0, j.frame1, j.twist + 0.5) == s.vector());
    CHECK(s.twist == doctest::Approx(state.twist).epsilon(1e-9));
    CHECK(s.angle == doctest::Approx(state.bend).epsilon(1e-9));
    CHECK(s.bend.norm() == doctest::Approx(s.bow).epsilon(1e-9));
    if (s.angle < M_PI * 5 / 6) CHECK(s.bow == s.angle);
    const double open = s.bow > 0 ? s.angle / s.bow : 1;
    const Mat3 rebuilt =
        j.frame0 * about_z(s.twist / 2) * rotation({open * s.bend[0], open * s.bend[1], 0}) * about_z(s.twist / 2);
    CHECK((rebuilt - j.frame1).norm() < 1e-8);
    CHECK((s.axes.transpose() * s.axes - Mat3::Identity()).norm() < 1e-12);
    CHECK(s.axes.determinant() == doctest::Approx(1));
  }
}

TEST_CASE("gradient and Hessian of the joint energy equal differences") {
  for (const State& state : kStates) {
    CAPTURE(state.name);
    for (int sample = 0; sample < 20; ++sample) {
      const Joint j = random_joint(state.bend, state.twist);
      const JointStrain s = joint_strain(j.frame0, j.frame1, j.twist);
      const Vec3 m = joint_moment_components(s, j.elasticity);
      const Vec3 moment = joint_moment(s, m);
      const Mat3 c = joint_stiffness(s, j.elasticity, m);
      const double scale = 1 + moment.norm();

      auto f = [&](const Eigen::VectorXd& w) { return energy(j, w.head<3>(), w.tail<3>()); };
      const Eigen::VectorXd g = gradient_of(f, 6, 1e-3);
      CHECK((g.head<3>() + moment).norm() < state.gradient_tolerance * scale);
      CHECK((g.tail<3>() - moment).norm() < state.gradient_tolerance * scale);

      Mat3 cross;
      cross << 0, -moment[2], moment[1], moment[2], 0, -moment[0], -moment[1], moment[0], 0;
      Eigen::MatrixXd h(6, 6);
      h << c, -c + 0.5 * cross, (-c + 0.5 * cross).transpose(), c;
      const double size = 1 + h.norm();
      CHECK((hessian_of(f, 6, 3e-3) - h).norm() < state.hessian_tolerance * size);
    }
  }
}

TEST_CASE("equal bending stiffnesses and no rest curvature: the bending energy does not see the twist") {
  Joint j = random_joint(0.8, 1.0);
  j.elasticity.stiffness = {1.3, 1.3, 0};
  j.elasticity.rest.setZero();
  const double before = energy(j, Vec3::Zero(), Vec3::Zero());
  for (double turn : {0.3, 1.7, 3.1})
    CHECK(energy(j, Vec3::Zero(), turn * j.frame1.col(2)) == doctest::Approx(before).epsilon(1e-13));
}

TEST_CASE("a rigid rotation of both frames leaves the joint energy alone") {
  const Joint j = random_joint(1.1, 2.2);
  const Vec3 w = random_vector(1);
  CHECK(energy(j, w, w) == doctest::Approx(energy(j, Vec3::Zero(), Vec3::Zero())).epsilon(1e-13));
}

TEST_CASE("folded flat: finite numbers") {
  Mat3 f0 = rotation(random_vector(1));
  Mat3 f1 = f0 * rotation({M_PI, 0, 0});
  SUBCASE("but for round-off") {}
  SUBCASE("exactly") {
    f0.setIdentity();
    f1 = Vec3(1, -1, -1).asDiagonal();
  }
  const JointStrain s = joint_strain(f0, f1, 0);
  JointElasticity e{{1, 2, 3}, {0.1, 0.2, 0.3}};
  const Vec3 m = joint_moment_components(s, e);
  CHECK(std::isfinite(joint_energy(s, e)));
  CHECK(joint_moment(s, m).allFinite());
  CHECK(joint_stiffness(s, e, m).allFinite());
}

TEST_CASE("a joint begins to fold without a jump in its strains, moments or stiffness") {
  const JointElasticity e{{1, 2, 3}, {0.1, 0.2, 0.3}};
  const auto joint_at = [](double angle) {
    return joint_strain(Mat3::Identity(), about_z(0.4) * rotation({0.6 * angle, 0.8 * angle, 0}) * about_z(0.4), 0);
  };
  const JointStrain below = joint_at(M_PI * 5 / 6 - 1e-9), above = joint_at(M_PI * 5 / 6 + 1e-9);
  CHECK(below.hold == 1);
  CHECK(above.hold < 1);
  CHECK((below.vector() - above.vector()).norm() < 1e-8);
  const Vec3 m = joint_moment_components(below, e);
  CHECK((joint_moment(below, m) - joint_moment(above, m)).norm() < 1e-7);
  CHECK((joint_stiffness(below, e, m) - joint_stiffness(above, e, m)).norm() < 1e-6);
}

TEST_CASE("a joint goes over the fold smoothly, on either side of it and straight through") {
  const JointElasticity e{{1, 2, 3}, {0.1, 0.2, 0.3}};
  for (const double beside : {-0.02, 0.0, 0.02}) {
    CAPTURE(beside);
    JointStrain before = joint_strain(Mat3::Identity(), rotation({2.4, 0, 0}), 0);
    double worst = 0;
    for (double angle = 2.4; angle <= 3.9; angle += 0.01) {
      // past the fold the tangents are closer again
      const Mat3 frame = rotation({angle, 0, 0}) * rotation({0, beside, 0});
      JointStrain now = joint_strain(Mat3::Identity(), frame, before.twist);
      stay_on_side(before.bend, before.twist, now);
      worst = std::max(worst, std::abs(joint_energy(now, e) - joint_energy(before, e)));
      CHECK((now.bend - before.bend).norm() < 0.12);
      before = now;
    }
    // beyond it a whole turn has been wound up, which counts more and more as the joint opens: no jump
    CHECK(std::abs(before.twist) == doctest::Approx(2 * M_PI).epsilon(0.2));
    CHECK(worst < 3);
    CHECK(before.angle < 2.5);
  }
}

TEST_CASE("edge kernel: energy of two carried frames and the stretch, gradient and Hessian on node moves and angles") {
  for (const State& state : kStates) {
    if (state.bend > 2.9) continue;  // the fold is covered above; here the edges' own terms are at stake
    CAPTURE(state.name);
    for (int sample = 0; sample < 10; ++sample) {
      const Joint j = random_joint(state.bend, state.twist);
      const double l0 = uniform(0.5, 1.5), l1 = uniform(0.5, 1.5), ea = 3, rest_length = 0.8;
      const Vec3 e0 = l0 * j.frame0.col(2), e1 = l1 * j.frame1.col(2);
      auto f = [&](const Eigen::VectorXd& v) {
        const Vec3 a = e0 + v.segment<3>(0), b = e1 + v.segment<3>(4);
        const Mat3 f0 = carried_frame(j.frame0, a, v[3]), f1 = carried_frame(j.frame1, b, v[7]);
        return joint_energy(joint_strain(f0, f1, j.twist), j.elasticity) + stretch(a.norm(), rest_length, ea).energy;
      };
      const JointStrain s = joint_strain(j.frame0, j.frame1, j.twist);
      const Vec3 m = joint_moment_components(s, j.elasticity);
      const Vec3 moment = joint_moment(s, m);
      const Mat3 c = joint_stiffness(s, j.elasticity, m);
      Mat3 cross;
      cross << 0, -moment[2], moment[1], moment[2], 0, -moment[0], -moment[1], moment[0], 0;
      const Vec3 t0 = j.frame0.col(2), t1 = j.frame1.col(2);
      const Mat34 w0 = turning(t0, l0), w1 = turning(t1, l1);
      const double n = stretch(l0, rest_length, ea).force;

      Eigen::VectorXd g(8);
      g << w0.transpose() * -moment, w1.transpose() * moment;
      g.head<3>() += n * t0;
      Eigen::MatrixXd h(8, 8);
      const Mat4 coupling = w0.transpose() * (-c + 0.5 * cross) * w1;
      h << w0.transpose() * c * w0 + turning_stiffness(t0, l0, -moment), coupling, coupling.transpose(),
          w1.transpose() * c * w1 + turning_stiffness(t1, l1, moment);
      h.topLeftCorner<3, 3>() += stretch_stiffness(t0, l0, rest_length, ea, n);

      CHECK((gradient_of(f, 8, 1e-3) - g).norm() < state.gradient_tolerance * 10 * (1 + g.norm()));
      CHECK((hessian_of(f, 8, 3e-3) - h).norm() < state.hessian_tolerance * 10 * (1 + h.norm()));
    }
  }
}

}  // namespace filum::test_joint
