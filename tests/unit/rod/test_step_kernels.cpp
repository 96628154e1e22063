// Kernels of a step that keeps energy: what turns edges and joints in a step does exactly their work, and derivatives
// equal differences, slow and fast, bent and twisted.
#include <doctest/doctest.h>

#include "math/rotation.hpp"
#include "rod/edge_turn.hpp"
#include "rod/joint_step.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace filum::test_step_kernels {

using namespace filum::rod;

namespace {

std::mt19937 rng(11);
double uniform(double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(rng);
}
Vec3 random_vector(double size) {
  return Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)) * size;
}

// An edge at the two ends of a step.
struct EdgeStep {
  Vec3 e0, e1;
  Mat3 frame0, frame1;

  // With the end's edge changed by δe and its frame turned by δθ.
  [[nodiscard]] EdgeStep moved(const Vec4& by) const {
    EdgeStep next = *this;
    next.e1 += by.head<3>();
    next.frame1 = carried_frame(frame1, next.e1, by[3]);
    return next;
  }
  [[nodiscard]] EdgeTurn turn() const { return edge_turn(e0, e0.norm(), frame0, e1, e1.norm(), frame1); }
};

// `turned`: about how far, rad; `stretched`: share by which the length changes.
EdgeStep random_edge(const Mat3& frame, double turned, double stretched) {
  EdgeStep edge;
  const double length = uniform(0.02, 0.05);
  edge.frame0 = frame;
  edge.frame1 = math::exp_so3(random_vector(turned)) * frame;
  edge.e0 = length * edge.frame0.col(2);
  edge.e1 = length * (1 + stretched) * edge.frame1.col(2);
  return edge;
}

// Derivative of a function of n variables by five points.
Eigen::MatrixXd differences(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f, int n, double h) {
  const Eigen::Index rows = f(Eigen::VectorXd::Zero(n)).size();
  Eigen::MatrixXd slope(rows, n);
  for (int i = 0; i < n; ++i) {
    const auto at = [&](double step) { return f(step * Eigen::VectorXd::Unit(n, i)); };
    slope.col(i) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return slope;
}

double mismatch(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).norm() / b.norm();
}

constexpr double kTurns[] = {1e-6, 1e-3, 0.1, 1.0};

}  // namespace

TEST_CASE("a moment on an edge does its work on the turn and keeps its angular momentum") {
  for (const double turned : kTurns)
    for (int k = 0; k < 50; ++k) {
      const EdgeStep edge = random_edge(math::exp_so3(random_vector(3)), turned, uniform(-0.2, 0.2));
      const EdgeTurn turn = edge.turn();
      const Vec3 moment = random_vector(1);
      const Vec4 force = moment_on_edge(turn, moment);
      const double work = force.head<3>().dot(edge.e1 - edge.e0) + force[3] * turn.spin;
      CHECK(work == doctest::Approx(moment.dot(turn.turn)).epsilon(1e-9));
      // a moment without a part about the edge is the arm of the force
      const Vec3 axis = turn.middle.normalized();
      const Vec3 across = moment - moment.dot(axis) * axis;
      const Vec3 pull = moment_on_edge(turn, across).head<3>();
      CHECK((turn.middle.cross(pull) - across).norm() < 1e-13);
      CHECK((moment_map(turn) * moment - force).norm() < 1e-12 * force.norm());
    }
}

TEST_CASE("the turn of an edge is Cayley's vector of its frame's rotation") {
  for (const double turned : kTurns) {
    const EdgeStep edge = random_edge(math::exp_so3(random_vector(3)), turned, 0.1);
    CHECK((math::cayley(edge.turn().turn) * edge.frame0 - edge.frame1).norm() < 1e-13);
  }
}

TEST_CASE("derivatives of moments on an edge equal differences") {
  for (const double turned : kTurns)
    for (int k = 0; k < 20; ++k) {
      const EdgeStep edge = random_edge(math::exp_so3(random_vector(3)), turned, uniform(-0.1, 0.1));
      const EdgeTurn turn = edge.turn();
      const Mat34 turning = rod::turning(edge.frame1.col(2), edge.e1.norm());
      const auto theta = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd { return edge.moved(x).turn().turn; };
      CHECK(mismatch(math::cayley_derivative(turn.turn) * turning, differences(theta, 4, 1e-5)) < 1e-7);

      const Vec3 moment = random_vector(1);
      const auto force = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return moment_on_edge(edge.moved(x).turn(), moment);
      };
      const Eigen::MatrixXd slope = differences(force, 4, 1e-5);
      CHECK(mismatch(moment_map_derivative(turn, moment), slope) < 1e-7);

      const auto angle = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, 2 * std::atan(edge.moved(x).turn().half_tan));
      };
      CHECK(mismatch(turn.angle_gradient().transpose() * turning, differences(angle, 4, 1e-5)) < 1e-7);
    }
}

namespace {

// Two edges and the joint between them over a step.
struct JointMotion {
  EdgeStep a, b;
  double twist0 = 0, twist1 = 0;
  StepLaw law;

  [[nodiscard]] JointStepStart start() const {
    const JointStrain strain = joint_strain(a.frame0, b.frame0, twist0);
    return {strain.vector(), strain_gradient(strain)};
  }
  [[nodiscard]] JointStrain end() const { return joint_strain(a.frame1, b.frame1, twist1); }
  [[nodiscard]] JointStep step() const { return joint_step(start(), end(), law, a.turn().turn, b.turn().turn); }
};

// Both edges turn as a whole by about `together`, and against each other by about `apart`.
JointMotion random_motion(double together, double apart, double bend, double stretched = 0.05) {
  JointMotion joint;
  const Mat3 frame = math::exp_so3(random_vector(3));
  const Mat3 turn = math::exp_so3(random_vector(together));
  for (EdgeStep* edge : {&joint.a, &joint.b}) {
    const Mat3 own = math::exp_so3(random_vector(bend)) * frame;
    *edge = random_edge(own, 0, uniform(-stretched, stretched));
    edge->frame1 = math::exp_so3(random_vector(apart)) * turn * own;
    edge->e1 = edge->e1.norm() * edge->frame1.col(2);
  }
  const Vec3 k(uniform(0.5, 2), uniform(0.5, 2), uniform(0.5, 2));
  joint.law.base = k.cwiseProduct(random_vector(0.5));
  joint.law.slope = 0.5 * k;
  return joint;
}

}  // namespace

TEST_CASE("a joint's moment does the work of its strains, however fast the rod turns as a whole") {
  for (const double together : {0.0, 0.1, 1.0})
    for (const double apart : {1e-3, 0.1, 0.8})
      for (int k = 0; k < 20; ++k) {
        const JointMotion joint = random_motion(together, apart, 0.3);
        const JointStep step = joint.step();
        const double work = step.moment.dot(step.relative);
        const double wanted = step.components.dot(step.change);
        // but for what the fading of the quotient leaves
        const double plain = step.components.dot(step.gradient.transpose() * step.relative);
        const double left = std::pow(kQuotientTurn, 2) / step.relative.squaredNorm() * std::abs(wanted - plain);
        CHECK(std::abs(work - wanted) < 1e-12 + left);
      }
}

TEST_CASE("the quotient is of third order in the relative turn, at any common one") {
  for (const double together : {0.0, 0.5, 1.0}) {
    double before = 0;
    for (const double apart : {0.2, 0.1, 0.05, 0.025}) {
      rng.seed(5);
      double worst = 0;
      for (int k = 0; k < 40; ++k) {
        const JointMotion joint = random_motion(together, apart, 0.3);
        const JointStep step = joint.step();
        worst = std::max(worst, (step.change - step.gradient.transpose() * step.relative).norm());
      }
      if (before > 0) CHECK(before / worst > 6);
      before = worst;
    }
  }
}

TEST_CASE("a joint's moment with given components is that of a law which has them") {
  for (int k = 0; k < 20; ++k) {
    JointMotion joint = random_motion(0.5, 0.5, 0.6);
    const JointStep step = joint.step();
    const Vec3 components = random_vector(2);
    joint.law = {components, Vec3::Zero()};
    const JointStep same = joint.step();
    const JointStep given = with_components(step, components);
    CHECK((given.moment - same.moment).norm() < 1e-14 * same.moment.norm());
    CHECK(std::abs(given.moment.dot(given.relative) - components.dot(given.change)) < 1e-6 * same.moment.norm());
  }
}

TEST_CASE("derivatives of a joint's moment over a step equal differences") {
  for (const double together : {0.0, 0.2, 1.0})
    for (const double apart : {1e-3, 0.1, 0.6})
      for (int k = 0; k < 20; ++k) {
        const JointMotion joint = random_motion(together, apart, 0.3);
        const JointStep step = joint.step();
        const JointStepTangent t = joint_step_tangent(joint.start(), joint.end(), joint.law, step);
        const Mat34 wa = turning(joint.a.frame1.col(2), joint.a.e1.norm());
        const Mat34 wb = turning(joint.b.frame1.col(2), joint.b.e1.norm());
        Eigen::Matrix<double, 3, 8> tangent;
        tangent.leftCols<4>() = t.by_a * wa;
        tangent.rightCols<4>() = t.by_b * wb;
        // edges by the share of a length, so that steps compare with the turns
        const Vec4 scale(0.03, 0.03, 0.03, 1);
        tangent *= (Eigen::Matrix<double, 8, 1>() << scale, scale).finished().asDiagonal();
        const auto moment = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
          JointMotion moved = joint;
          moved.a = joint.a.moved(x.head<4>().cwiseProduct(scale));
          moved.b = joint.b.moved(x.tail<4>().cwiseProduct(scale));
          return moved.step().moment;
        };
        INFO("together ", together, ", apart ", apart, ", turn ", step.relative.norm());
        CHECK(mismatch(tangent, differences(moment, 8, std::min(1e-4, 3e-3 * apart))) < 2e-6);
      }
}

}  // namespace filum::test_step_kernels
