// Closest points: against the optimality conditions and against brute force, parallel and degenerate cases by name.
#include "geometry/closest_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace filum::test_closest_points {

using namespace filum::geometry;

namespace {

class Dice {
 public:
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3 point() { return {number(-1, 1), number(-1, 1), number(-1, 1)}; }
  // Now and then on a grid, so that parallels, touching ends and points on points come up.
  Vec3 grid_point() {
    Vec3 p = point();
    if (number(0, 1) < 0.5) p = (2 * p).array().round() / 2;
    return p;
  }

 private:
  std::mt19937 engine_{7};
};

// Of a convex function on [0, 1].
template <class Function>
double least(const Function& f) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 100; ++i) {
    const double a = low + (high - low) / 3;
    const double b = high - (high - low) / 3;
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return std::min({f(0), f(1), f(0.5 * (low + high))});
}

}  // namespace

TEST_CASE("segments: 100 000 random pairs, with parallel and touching ones, against a convex search") {
  Dice dice;
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const Segment a{dice.grid_point(), dice.grid_point()};
    Segment b{dice.grid_point(), dice.grid_point()};
    if (i % 5 == 0) b.to = b.from + dice.number(-2, 2) * (a.to - a.from);
    const SegmentPair pair = closest_between(a, b);
    REQUIRE(pair.first >= 0);
    REQUIRE(pair.first <= 1);
    REQUIRE(pair.second >= 0);
    REQUIRE(pair.second <= 1);
    // the distance is that of its points, and no point of one is nearer to the other
    CHECK(pair.distance == doctest::Approx((a.at(pair.first) - b.at(pair.second)).norm()).epsilon(1e-12));
    if (i % 10 == 0) {
      const double found = least([&](double s) { return (a.at(s) - b.at(closest_on(b, a.at(s)))).norm(); });
      worst = std::max(worst, pair.distance - found);
    } else {
      // first order conditions of a convex problem, in all of its cases
      const Vec3 r = a.at(pair.first) - b.at(pair.second);
      const double slope_a = r.dot(a.to - a.from);
      const double slope_b = -r.dot(b.to - b.from);
      const auto stays = [](double share, double slope) {
        return (share == 0 && slope >= -1e-9) || (share == 1 && slope <= 1e-9) || std::abs(slope) < 1e-7;
      };
      CHECK(stays(pair.first, slope_a));
      CHECK(stays(pair.second, slope_b));
    }
  }
  CHECK(worst < 1e-9);
}

TEST_CASE("segments side by side meet in the middle of their common stretch") {
  const SegmentPair pair = closest_between(Segment{{0, 0, 0}, {4, 0, 0}}, Segment{{5, 1, 0}, {2, 1, 0}});
  CHECK(pair.distance == doctest::Approx(1));
  CHECK(pair.first == doctest::Approx(0.75));
  CHECK(pair.second == doctest::Approx(2.0 / 3));
  // one behind the other
  const SegmentPair behind = closest_between(Segment{{0, 0, 0}, {1, 0, 0}}, Segment{{3, 0, 0}, {2, 0, 0}});
  CHECK(behind.distance == 1);
  CHECK(behind.first == 1);
  CHECK(behind.second == 1);
  // of no length
  CHECK(closest_between(Segment{{0, 0, 0}, {0, 0, 0}}, Segment{{0, 2, 0}, {0, 2, 0}}).distance == 2);
}

TEST_CASE("triangle: a point, a segment, what goes through") {
  Dice dice;
  for (int i = 0; i < 20000; ++i) {
    const Triangle t{dice.grid_point(), dice.grid_point(), dice.grid_point()};
    const Vec3 x = dice.point();
    const Vec3 weights = closest_on(t, x);
    CHECK(weights.sum() == doctest::Approx(1));
    CHECK(weights.minCoeff() >= 0);
    // no corner lies on the near side of the plane through the closest point
    if ((t.b - t.a).cross(t.c - t.a).norm() < 1e-6) continue;
    const Vec3 r = x - t.at(weights);
    for (const Vec3& corner : {t.a, t.b, t.c}) CHECK(r.dot(corner - t.at(weights)) < 1e-9);
    const Segment segment{dice.point(), dice.point()};
    const SegmentTriangle pair = closest_between(segment, t);
    const double found = least([&](double s) { return (segment.at(s) - t.at(closest_on(t, segment.at(s)))).norm(); });
    CHECK(pair.distance == doctest::Approx(found).epsilon(1e-6));
  }
  const Triangle flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  CHECK(closest_between(Segment{{0.2, 0.2, 1}, {0.2, 0.2, -1}}, flat).distance == 0);
  CHECK(closest_between(Segment{{2, 2, 1}, {2, 2, -1}}, flat).distance == doctest::Approx(1.5 * std::sqrt(2)));
}

}  // namespace filum::test_closest_points
