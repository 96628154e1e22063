// A point beside an edge: its derivatives against differences, and the work of a force on it over a step.
#include "rod/edge_arm.hpp"

#include "math/rotation.hpp"

#include <doctest/doctest.h>

namespace filum::test_edge_arm {
namespace {

const Vec3 kOffset(0.7, -0.4, 0);
const Vec3 kForce(0.3, -1.1, 0.8);

struct Place {
  Vec3 e;
  Mat3 frame;
  [[nodiscard]] Vec3 arm() const { return frame * kOffset; }
  [[nodiscard]] Place moved(const rod::Vec4& q) const {
    const Vec3 next = e + q.head<3>();
    return {next, rod::carried_frame(frame, next, q[3])};
  }
};

Place place(const Vec3& turn, double length) {
  const Mat3 frame = math::exp_so3(turn);
  return {length * frame.col(2), frame};
}

// Central differences of a vector by (δe, δθ).
template <class F>
Eigen::MatrixXd differences(const F& f, double h) {
  Eigen::MatrixXd d(f(rod::Vec4::Zero()).size(), 4);
  for (int c = 0; c < 4; ++c) d.col(c) = (f(h * rod::Vec4::Unit(c)) - f(-h * rod::Vec4::Unit(c))) / (2 * h);
  return d;
}

}  // namespace

TEST_CASE("edge arm: derivatives are those of the point that the frame carries") {
  const Place here = place({0.4, -0.9, 1.3}, 1.7);
  const Vec3 t = here.frame.col(2);
  const auto arm = [&](const rod::Vec4& q) { return here.moved(q).arm(); };
  CHECK((differences(arm, 1e-6) - rod::arm_moves(here.arm(), t, 1.7)).norm() < 1e-9);
  // second differences about the same place: δe and δθ are counted from there
  constexpr double kStep = 1e-4;
  const rod::Mat4 found = rod::arm_stiffness(here.arm(), t, 1.7, kForce);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const auto energy = [&](double a, double b) {
        const rod::Vec4 q = kStep * (a * rod::Vec4::Unit(i) + b * rod::Vec4::Unit(j));
        return -kForce.dot(here.moved(q).arm());
      };
      const double wanted = (energy(1, 1) - energy(1, -1) - energy(-1, 1) + energy(-1, -1)) / (4 * kStep * kStep);
      CHECK(found(i, j) == doctest::Approx(wanted).epsilon(1e-5).scale(1));
    }
}

TEST_CASE("edge arm: over a step that keeps energy a force does its exact work, and the tangent is exact") {
  const Place start = place({0.4, -0.9, 1.3}, 1.7);
  const Place end = place({0.9, -0.2, 1.9}, 1.9);
  const auto turn_of = [&](const Place& to) {
    return rod::edge_turn<double>(start.e, start.e.norm(), start.frame, to.e, to.e.norm(), to.frame);
  };
  const auto mean_of = [&](const Place& to) { return Vec3(0.5 * (start.arm() + to.arm())); };
  const rod::EdgeTurn turn = turn_of(end);
  const rod::Vec4 push = rod::arm_pushes(turn, mean_of(end)) * kForce;
  const double work = push.head<3>().dot(end.e - start.e) + push[3] * turn.spin;
  CHECK(work == doctest::Approx(kForce.dot(end.arm() - start.arm())).epsilon(1e-13));

  const auto pushed = [&](const rod::Vec4& q) {
    const Place to = end.moved(q);
    return rod::Vec4(-rod::arm_pushes(turn_of(to), mean_of(to)) * kForce);
  };
  const rod::Mat34 moves = rod::arm_moves(end.arm(), end.frame.col(2), end.e.norm());
  const rod::Mat4 found = rod::arm_step_stiffness(turn, mean_of(end), moves, kForce);
  CHECK((differences(pushed, 1e-6) - found).norm() < 1e-8);
}

}  // namespace filum::test_edge_arm
