// B-splines against polynomials and circles.
#include "geometry/bspline.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_bspline {

using namespace filum::geometry;

TEST_CASE("a clamped B-spline of one span is its Bézier curve, with its derivative") {
  const BSpline curve{3, {{0, 0, 0}, {1, 2, 0}, {3, 2, 1}, {4, 0, 0}}, {}, clamped_knots(4, 3)};
  for (const double t : {0.0, 0.3, 0.7, 1.0}) {
    const double u = 1 - t;
    const Vec3 expected = u * u * u * curve.points[0] + 3 * u * u * t * curve.points[1] +
                          3 * u * t * t * curve.points[2] + t * t * t * curve.points[3];
    CHECK((evaluate(curve, t).position - expected).norm() < 1e-14);
    constexpr double h = 1e-6;
    const double a = std::max(t - h, 0.0);
    const double b = std::min(t + h, 1.0);
    const Vec3 slope = (evaluate(curve, b).position - evaluate(curve, a).position) / (b - a);
    CHECK((evaluate(curve, t).derivative - slope).norm() < 1e-4);
  }
}

TEST_CASE("a rational quadratic is a circle, and its length is the circle's") {
  const double w = std::sqrt(0.5);
  const BSpline quarter{2, {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {1, w, 1}, clamped_knots(3, 2)};
  for (const double t : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    CHECK(evaluate(quarter, t).position.norm() == doctest::Approx(1).epsilon(1e-14));
    CHECK(std::abs(evaluate(quarter, t).derivative.dot(evaluate(quarter, t).position)) < 1e-13);
  }
  CHECK(arc_length(quarter) == doctest::Approx(std::numbers::pi / 2).epsilon(1e-12));
  const std::vector<Vec3> points = evenly_spaced(quarter, 10);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double angle = std::numbers::pi / 18 * static_cast<double>(i);
    CHECK((points[i] - Vec3(std::cos(angle), std::sin(angle), 0)).norm() < 1e-9);
  }
}

TEST_CASE("unclamped knots reproduce straight lines and go from knot to knot") {
  // control points on a line, evenly spaced: the curve is that line, and begins at the mean of the first ones
  BSpline curve{3, {}, {}, uniform_knots(6, 3)};
  for (int i = 0; i < 6; ++i) curve.points.emplace_back(i, 0, 0);
  CHECK(evaluate(curve, 0).position.x() == doctest::Approx(1));
  CHECK(evaluate(curve, 3).position.x() == doctest::Approx(4));
  CHECK(arc_length(curve) == doctest::Approx(3));
}

}  // namespace filum::test_bspline
