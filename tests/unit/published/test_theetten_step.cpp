// Theetten's spline in motion: RK4 at its limit, implicit Euler by Broyden's method, the source's own table.
#include "published/theetten_step.hpp"
#include "unit/published/spline_rig.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace filum;
using namespace filum::published;

namespace {

SplineMotion still(const Eigen::MatrixX4d& control) {
  SplineMotion motion;
  motion.q = test::unknowns_of(control);
  motion.v = Eigen::VectorXd::Zero(motion.q.size());
  return motion;
}

// A row of the source's table 2.
struct Preset {
  int points;
  double length, diameter, density, young, poisson;
  [[nodiscard]] DynamicSplineMaterial material() const { return {young, poisson, density, diameter}; }
};

}  // namespace

TEST_CASE("theetten: RK4 of the source's own rows is stable at most at these steps, not at its 1 ms") {
  struct Row {
    Preset preset;
    double catmull_rom, b_spline;  // ms
  };
  const Row rows[] = {{{7, 1.14, 0.04, 4000, 7e6, 0.33}, 2.1, 2.6},
                      {{7, 1.14, 0.04, 4000, 35e6, 0.33}, 0.95, 1.15},
                      {{7, 1.14, 0.04, 4000, 700e6, 0.33}, 0.21, 0.26}};
  for (const Row& row : rows) {
    const Preset& p = row.preset;
    for (const bool catmull_rom : {true, false}) {
      const CubicBasis basis = catmull_rom ? CubicBasis::catmull_rom(p.points) : CubicBasis::b_spline(p.points);
      const Eigen::MatrixX4d rest = test::straight_control(p.points, p.length);
      const DynamicSpline spline(basis, rest, p.material());
      CHECK(1e3 * largest_step(spline, still(rest).q) ==
            doctest::Approx(catmull_rom ? row.catmull_rom : row.b_spline).epsilon(0.1));
    }
  }
}

// An arc, which has a torsion everywhere: of a straight spline the stiffness is another as soon as it moves.
TEST_CASE("theetten: RK4 keeps its energy below that limit, and blows up above") {
  const Preset p{9, 1.14, 0.04, 4000, 7e6, 0.33};
  Eigen::MatrixX4d rest = Eigen::MatrixX4d::Zero(p.points, 4);
  for (int i = 0; i < p.points; ++i) rest.row(i) << 0.5 * std::cos(0.4 * i), 0.5 * std::sin(0.4 * i), 0.03 * i, 0;
  const DynamicSpline spline(CubicBasis::b_spline(p.points), rest, p.material());
  SplineMotion start = still(rest);
  for (Eigen::Index i = 0; i < start.v.size(); ++i)
    start.v[i] = (i % 4 == 3 ? 0.1 : 0.01) * std::sin(1.3 * static_cast<double>(i) + 0.4);
  const double limit = largest_step(spline, start.q);
  const auto after = [&](double h, int steps) {
    SplineMotion motion = start;
    for (int k = 0; k < steps; ++k) step_runge_kutta_once(spline, h, motion);
    return spline.energy(motion.q, motion.v);
  };
  const double before = spline.energy(start.q, start.v);
  // RK4 damps the stiffest waves as (ωh)⁶/144 a step: well below the limit nothing is left of that
  const double h = limit / 8;
  CHECK(std::abs(after(h, static_cast<int>(1 / h)) / before - 1) < 1e-3);
  CHECK(after(0.9 * limit, 3000) <= before);
  CHECK(!(after(1.1 * limit, 3000) <= 10 * before));
}

TEST_CASE("theetten: a pendulum by RK4 in substeps keeps its energy and its pin") {
  const Preset p{7, 1.14, 0.04, 4000, 35e6, 0.33};
  const Eigen::MatrixX4d rest = test::straight_control(p.points, p.length);
  DynamicSpline spline(CubicBasis::b_spline(p.points), rest, p.material());
  spline.hold_position(0, Vec3::Zero());
  spline.set_gravity(Vec3(0, 0, -9.81));
  SplineMotion motion = still(rest);
  const double before = spline.energy(motion.q, motion.v);
  int most = 0;
  double lowest = 0;
  for (int k = 0; k < 500; ++k) {
    most = std::max(most, step_runge_kutta(spline, 1e-3, motion));
    lowest = std::min(lowest, spline.position(motion.q, 4).z());
  }
  CHECK(most >= 1);
  CHECK(lowest < -1);  // it swings
  const double fallen = 9.81 * 4000 * std::numbers::pi * 4e-4 * p.length * p.length / 2;
  CHECK(std::abs(spline.energy(motion.q, motion.v) - before) < 1e-3 * fallen);
  CHECK(spline.position(motion.q, 0).norm() < 1e-6);
}

// Rows that the source ran by implicit Euler: all are stable at its 1 ms, the stiffest too.
TEST_CASE("theetten: implicit Euler by Broyden's method at 1 ms, the source's rows") {
  const Preset rows[] = {{16, 4.06, 0.02, 6000, 5e6, 0.33},  {7, 1.6, 0.04, 2000, 35e6, 0.33},
                         {7, 1.6, 0.04, 2000, 70e6, 0.33},   {7, 1.6, 0.04, 2000, 700e6, 0.33},
                         {7, 1.6, 0.04, 2000, 7000e6, 0.33}, {7, 1.14, 0.01, 4000, 700e6, 0.33}};
  for (const Preset& p : rows) {
    CAPTURE(p.young);
    CAPTURE(p.length);
    const Eigen::MatrixX4d rest = test::straight_control(p.points, p.length);
    DynamicSpline spline(CubicBasis::b_spline(p.points), rest, p.material());
    spline.hold_position(0, Vec3::Zero());
    spline.hold_slope(0, Vec3(p.length / (p.points - 3), 0, 0));
    spline.hold_roll(0, 0);
    if (p.points == 16) spline.hold_position(13, Vec3(p.length, 0, 0));
    spline.set_gravity(Vec3(0, 0, -9.81));
    SplineMotion motion = still(rest);
    const double before = spline.energy(motion.q, motion.v);
    BroydenStep stepper(spline);
    int iterations = 0;
    bool solved = true;
    for (int k = 0; k < 200 && solved; ++k) {
      const int used = stepper.step(1e-3, motion);
      solved = used > 0;
      iterations += used;
      // it damps, and never gains
      CHECK(spline.energy(motion.q, motion.v) <= before + 1e-6);
    }
    CHECK(solved);
    CHECK(iterations <= 200 * 10);  // measured: 3.4 to 8.2 a step
    CHECK(spline.position(motion.q, 0).norm() < 1e-9);
  }
}

TEST_CASE("theetten: on a floor of springs it rests as deep as its weight asks, and does not fall through") {
  const Preset p{8, 1, 0.02, 1500, 20e6, 0.33};
  Eigen::MatrixX4d rest = test::straight_control(p.points, p.length);
  DynamicSpline spline(CubicBasis::b_spline(p.points), rest, p.material());
  spline.set_gravity(Vec3(0, 0, -9.81));
  const double weight = 1500 * std::numbers::pi * 1e-4 * 9.81;  // N/m
  const PenaltyFloor floor{0, weight / 1e-3, 100};
  spline.set_floor(floor);
  rest.col(2).setConstant(0.01);
  SplineMotion motion = still(rest);
  for (int i = 0; i < p.points; ++i) motion.v[4 * i + 2] = -1;  // 1 m/s
  BroydenStep stepper(spline);
  double deepest = 0;
  for (int k = 0; k < 2000; ++k) {
    REQUIRE(stepper.step(1e-3, motion) > 0);
    deepest = std::min(deepest, spline.position(motion.q, 2.5).z());
  }
  CHECK(deepest > -0.05);
  CHECK(spline.position(motion.q, 2.5).z() == doctest::Approx(-1e-3).epsilon(0.01));
}
