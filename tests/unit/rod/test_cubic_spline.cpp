// Cubic B-splines on any knots.
#include "rod/cubic_spline.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace filum::rod::test_cubic_spline {

namespace {

const std::vector<double> kPlaces{0, 0.3, 0.5, 1.1, 1.2, 2};

SplineKnots knots(bool with_break) {
  return {kPlaces, {true, false, with_break, false, false, true}};
}

struct Curve {
  Vec3 r, v, a;
};
Curve curve(const SplineKnots& knots, const std::vector<Vec3>& control, int segment, double share) {
  const SplineBasis basis = knots.at(segment, share);
  Curve c{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  const auto slope = on_points(basis.slope);
  const auto bend = on_points(basis.bend);
  for (std::size_t p = 0; p < 4; ++p) {
    const Vec3& x = control[static_cast<std::size_t>(basis.first) + p];
    c.r += basis.value[p] * x;
    c.v += slope[p] * x;
    c.a += bend[p] * x;
  }
  return c;
}

std::vector<Vec3> some_points(int count) {
  std::vector<Vec3> x;
  for (int i = 0; i < count; ++i) x.emplace_back(std::sin(1.3 * i), std::cos(2.1 * i), 0.2 * i + std::sin(0.7 * i * i));
  return x;
}

}  // namespace

TEST_CASE("A basis sums to one, and its slopes are differences of it") {
  for (const bool with_break : {false, true}) {
    const SplineKnots k = knots(with_break);
    CHECK(k.controls() == k.segments() + 3 + (with_break ? 1 : 0));
    const std::vector<Vec3> control = some_points(k.controls());
    for (int segment = 0; segment < k.segments(); ++segment)
      for (const double share : {0.0, 0.2, 0.5, 0.9, 1.0}) {
        const SplineBasis basis = k.at(segment, share);
        CHECK(std::accumulate(basis.value.begin(), basis.value.end(), 0.0) == doctest::Approx(1).epsilon(1e-14));
        if (share == 0 || share == 1) continue;
        const double d = 1e-5;
        const double step = d * k.width(segment);
        const Curve here = curve(k, control, segment, share);
        const Curve before = curve(k, control, segment, share - d);
        const Curve after = curve(k, control, segment, share + d);
        CHECK((here.v - (after.r - before.r) / (2 * step)).norm() < 1e-8 * here.v.norm());
        CHECK((here.a - (after.v - before.v) / (2 * step)).norm() < 1e-8 * (1 + here.a.norm()));
      }
  }
}

TEST_CASE("Curves are C2 at simple knots, C1 at breaks") {
  const SplineKnots k = knots(true);
  const std::vector<Vec3> control = some_points(k.controls());
  for (int place = 1; place < k.segments(); ++place) {
    const Curve left = curve(k, control, place - 1, 1);
    const Curve right = curve(k, control, place, 0);
    CHECK((left.r - right.r).norm() < 1e-13);
    CHECK((left.v - right.v).norm() < 1e-12);
    if (k.is_break(place))
      CHECK((left.a - right.a).norm() > 1e-3);
    else
      CHECK((left.a - right.a).norm() < 1e-10);
  }
}

TEST_CASE("The control points of u are the means of their knots") {
  const SplineKnots k = knots(true);
  for (int segment = 0; segment < k.segments(); ++segment)
    for (const double share : {0.0, 0.3, 1.0}) {
      const SplineBasis basis = k.at(segment, share);
      double u = 0;
      for (int p = 0; p < 4; ++p) u += basis.value[static_cast<std::size_t>(p)] * k.abscissa(basis.first + p);
      CHECK(u == doctest::Approx(k.start(segment) + share * k.width(segment)).epsilon(1e-14));
    }
}

TEST_CASE("A spline through points passes through them, and has every cubic among it") {
  for (const bool with_break : {false, true}) {
    const SplineKnots k = knots(with_break);
    const std::vector<Vec3> points = some_points(k.segments() + 1);
    const std::vector<Vec3> slopes = some_points(k.segments() + 1);
    const std::vector<Vec3> control = k.through(points, slopes);
    for (int segment = 0; segment < k.segments(); ++segment) {
      const auto i = static_cast<std::size_t>(segment);
      CHECK((curve(k, control, segment, 0).r - points[i]).norm() < 1e-12);
      CHECK((curve(k, control, segment, 1).r - points[i + 1]).norm() < 1e-12);
      if (k.is_break(segment)) CHECK((curve(k, control, segment, 0).v - slopes[i]).norm() < 1e-11);
    }
    CHECK((curve(k, control, k.segments() - 1, 1).v - slopes.back()).norm() < 1e-11);

    const auto cubic = [](double u) { return Vec3(u * u * u - u, 1 - 2 * u * u, 0.5 * u + u * u * u); };
    const auto rate = [](double u) { return Vec3(3 * u * u - 1, -4 * u, 0.5 + 3 * u * u); };
    std::vector<Vec3> on, along;
    for (const double u : kPlaces) on.push_back(cubic(u)), along.push_back(rate(u));
    const std::vector<Vec3> found = k.through(on, along);
    for (int segment = 0; segment < k.segments(); ++segment)
      CHECK((curve(k, found, segment, 0.4).r - cubic(k.start(segment) + 0.4 * k.width(segment))).norm() < 1e-12);
  }
}

}  // namespace filum::rod::test_cubic_spline
