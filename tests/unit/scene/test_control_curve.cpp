// Curves drawn by control points: evaluated by arc length, closed, and rolled.
#include "math/rotation.hpp"
#include "scene/layout.hpp"

#include <filum/curve.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test::test_control_curve {

namespace {

Curve control(CurveBasis basis, std::vector<Vec3> points) {
  Curve curve;
  curve.kind = CurveKind::Control;
  curve.basis = basis;
  curve.points = std::move(points);
  return curve;
}

}  // namespace

TEST_CASE("control points with weights draw a quarter of a circle exactly") {
  // the quadratic with the weights 1, 1/√2, 1, its degree raised
  const double root = std::sqrt(2.0);
  Curve curve = control(CurveBasis::Nurbs, {{1, 0, 0}, {1, 2 - root, 0}, {2 - root, 1, 0}, {0, 1, 0}});
  curve.weights = {1, (1 + root) / 3, (1 + root) / 3, 1};
  const CurvePath path(curve);
  CHECK(path.length() == doctest::Approx(math::kPi / 2).epsilon(1e-13));
  for (const double share : {0.0, 0.13, 0.5, 0.87, 1.0}) {
    const double angle = share * math::kPi / 2;
    const CurveSample sample = path.at(angle);
    CHECK((sample.position - Vec3(std::cos(angle), std::sin(angle), 0)).norm() < 1e-12);
    CHECK((sample.tangent - Vec3(-std::sin(angle), std::cos(angle), 0)).norm() < 1e-12);
  }
}

TEST_CASE("control points: from the first to the last, or through all but these") {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0.5, 0}, {2, -0.2, 0.3}, {3, 0.1, 0.1}, {4, 0, 0}, {5, 0.4, 0}};
  const CurvePath b(control(CurveBasis::BSpline, points));
  CHECK((b.at(0).position - points.front()).norm() < 1e-14);
  CHECK((b.at(b.length()).position - points.back()).norm() < 1e-12);
  const CurvePath through(control(CurveBasis::CatmullRom, points));
  CHECK((through.at(0).position - points[1]).norm() < 1e-14);
  CHECK((through.at(through.length()).position - points[4]).norm() < 1e-12);
  double nearest = 1;
  for (int k = 0; k <= 2000; ++k)
    nearest = std::min(nearest, (through.at(through.length() * k / 2000).position - points[3]).norm());
  CHECK(nearest < 1e-3);  // of the places looked at
}

TEST_CASE("a closed curve of control points is smooth where it begins") {
  for (const CurveBasis basis : {CurveBasis::BSpline, CurveBasis::CatmullRom, CurveBasis::Nurbs}) {
    Curve curve = control(basis, {{1, 0, 0}, {0, 1, 0.2}, {-1, 0, 0}, {0, -1, -0.2}, {0.8, -0.7, 0}});
    if (basis == CurveBasis::Nurbs) curve.weights = {1, 2, 1, 0.5, 1};
    const CurvePath path(curve, true);
    CHECK((path.at(0).position - path.at(path.length()).position).norm() < 1e-12);
    CHECK((path.at(0).tangent - path.at(path.length()).tangent).norm() < 1e-10);
  }
}

TEST_CASE("roll turns the cross-sections of a drawn rod, by several turns too") {
  Rod rod;
  rod.shape = control(CurveBasis::BSpline, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}});
  // on a line evenly run along, roll grows as the points' own abscissae do
  rod.shape.knots = {-3, -2, -1, 0, 1, 2, 3, 4, 5};
  for (const Vec3& point : rod.shape.points) rod.shape.rolls.push_back(5 * point[0]);
  rod.normal = Vec3::UnitZ();
  const scene::RodLayout layout(rod);
  CHECK(layout.length() == doctest::Approx(2).epsilon(1e-13));
  CHECK(layout.twist_between(0, layout.length()) == doctest::Approx(10).epsilon(1e-12));
  // the curve begins at x = 1
  for (const double s : {0.0, 0.7, 2.0}) {
    const Vec3 d1 = layout.at(s).frame.col(0);
    const double roll = 5 * (1 + s);
    CHECK((d1 - Vec3(0, -std::sin(roll), std::cos(roll))).norm() < 1e-10);
  }
}

}  // namespace filum::test::test_control_curve
