// Curves by arc length: closed forms, unit speed, exact ends, and degenerate input that must stay finite.
#include <filum/curve.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace filum::test_curve {

namespace {

constexpr double kPi = std::numbers::pi;

Curve through(CurveKind kind, std::vector<Vec3> points) {
  Curve curve;
  curve.kind = kind;
  curve.points = std::move(points);
  return curve;
}

Curve turning(CurveKind kind, const Vec3& centre, const Vec3& axis, const Vec3& start, double angle, double pitch = 0) {
  Curve curve;
  curve.kind = kind;
  curve.centre = centre;
  curve.axis = axis;
  curve.start = start;
  curve.angle = angle;
  curve.pitch = pitch;
  return curve;
}

std::vector<Vec3> random_points(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> side(-1, 1);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.emplace_back(side(random), side(random), side(random));
  return points;
}

// Arc length is the parameter: the derivative of the position is the tangent, of unit length. Central differences with
// h = 1e-4 of a curve whose third derivative is of order 1e2 at most are good to about 1e-6.
void check_unit_speed(const CurvePath& path) {
  const double h = 1e-4 * path.length();
  for (const double fraction : {0.013, 0.21, 0.377, 0.5, 0.684, 0.951}) {
    const double s = fraction * path.length();
    const Vec3 difference = (path.at(s + h).position - path.at(s - h).position) / (2 * h);
    CHECK((difference - path.at(s).tangent).norm() < 1e-5);
    CHECK(path.at(s).tangent.norm() == doctest::Approx(1).epsilon(1e-14));
  }
}

// Length between two arc lengths by inscribed polylines of n, 2n and 4n chords, extrapolated to zero chord: their error
// is even in the chord, so two Richardson steps leave its sixth power.
double inscribed_length(const CurvePath& path, double from, double to, int count) {
  double sums[3] = {0, 0, 0};
  for (int level = 0; level < 3; ++level) {
    const int n = count << level;
    Vec3 previous = path.at(from).position;
    for (int i = 1; i <= n; ++i) {
      const Vec3 next = path.at(from + (to - from) * i / n).position;
      sums[level] += (next - previous).norm();
      previous = next;
    }
  }
  const double coarse = sums[1] + (sums[1] - sums[0]) / 3;
  const double fine = sums[2] + (sums[2] - sums[1]) / 3;
  return fine + (fine - coarse) / 15;
}

}  // namespace

TEST_CASE("a line is met exactly at its ends") {
  const Curve curve = through(CurveKind::Line, {Vec3(1, 2, 3), Vec3(1, 2, 7)});
  const CurvePath path(curve);
  CHECK(path.length() == 4);
  CHECK(path.at(0).position == Vec3(1, 2, 3));
  CHECK(path.at(4).position == Vec3(1, 2, 7));
  CHECK(path.at(1).position == Vec3(1, 2, 4));
  CHECK(path.at(2).tangent == Vec3::UnitZ());
  // beyond the ends the curve stops
  CHECK(path.at(-1).position == Vec3(1, 2, 3));
  CHECK(path.at(9).position == Vec3(1, 2, 7));
}

TEST_CASE("an arc turns counter-clockwise about its axis") {
  const CurvePath path(turning(CurveKind::Arc, Vec3(1, 0, 0), Vec3(0, 0, 5), Vec3(3, 0, 0), kPi / 2));
  CHECK(path.length() == doctest::Approx(kPi).epsilon(1e-15));
  CHECK((path.at(0).tangent - Vec3::UnitY()).norm() < 1e-15);
  CHECK((path.at(path.length()).position - Vec3(1, 2, 0)).norm() < 1e-15);
  CHECK((path.at(path.length()).tangent + Vec3::UnitX()).norm() < 1e-15);
  check_unit_speed(path);

  // the other way round
  const CurvePath back(turning(CurveKind::Arc, Vec3(1, 0, 0), Vec3(0, 0, 5), Vec3(3, 0, 0), -kPi / 2));
  CHECK(back.length() == path.length());
  CHECK((back.at(back.length()).position - Vec3(1, -2, 0)).norm() < 1e-15);

  // a centre off the arc's plane means the axis through it
  const CurvePath lifted(turning(CurveKind::Arc, Vec3(1, 0, -4), Vec3(0, 0, 5), Vec3(3, 0, 0), kPi / 2));
  CHECK((lifted.at(1).position - path.at(1).position).norm() < 1e-15);
}

TEST_CASE("a helix climbs its pitch each turn at unit speed") {
  const double r = 0.3;
  const double pitch = 0.5;
  const CurvePath path(turning(CurveKind::Helix, Vec3::Zero(), Vec3::UnitZ(), Vec3(r, 0, 0), 6 * kPi, pitch));
  CHECK(path.length() == doctest::Approx(3 * std::hypot(2 * kPi * r, pitch)).epsilon(1e-15));
  CHECK((path.at(path.length()).position - Vec3(r, 0, 3 * pitch)).norm() < 1e-14);
  CHECK((path.at(path.length() / 6).position - Vec3(-r, 0, pitch / 2)).norm() < 1e-14);
  // rising while turning counter-clockwise: right-handed
  CHECK(path.at(0).tangent.y() > 0);
  CHECK(path.at(0).tangent.z() > 0);
  check_unit_speed(path);
  const CurvePath left(turning(CurveKind::Helix, Vec3::Zero(), Vec3::UnitZ(), Vec3(r, 0, 0), 6 * kPi, -pitch));
  CHECK(left.at(0).tangent.z() < 0);
  // skew axis
  check_unit_speed(CurvePath(turning(CurveKind::Helix, Vec3(1, 2, 3), Vec3(1, -2, 0.5), Vec3(2, 2, 2), 11, 0.7)));
}

TEST_CASE("a polyline has its edges' tangents and drops repeated points") {
  const Curve curve =
      through(CurveKind::Points, {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(3, 0, 0), Vec3(3, 4, 0)});
  const CurvePath path(curve);
  CHECK(path.length() == 7);
  CHECK(path.at(3).position == Vec3(3, 0, 0));
  CHECK(path.at(1).tangent == Vec3::UnitX());
  CHECK(path.at(3).tangent == Vec3::UnitY());
  CHECK(path.at(7).tangent == Vec3::UnitY());
  CHECK(path.at(5).position == Vec3(3, 2, 0));

  // closed, with and without the first point repeated
  Curve ring = through(CurveKind::Points, {Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(3, 4, 0)});
  CHECK(curve_length(ring, true) == 12);
  ring.points.emplace_back(0, 0, 0);
  CHECK(curve_length(ring, true) == 12);
  CHECK(curve_length(ring) == 12);
}

TEST_CASE("a spline passes its points in order and is smooth to the second derivative") {
  for (const bool closed : {false, true}) {
    CAPTURE(closed);
    const std::vector<Vec3> points = random_points(7, 11);
    const CurvePath path(through(CurveKind::Spline, points), closed);
    check_unit_speed(path);

    // ends
    CHECK((path.at(0).position - points.front()).norm() < 1e-14);
    CHECK((path.at(path.length()).position - (closed ? points.front() : points.back())).norm() < 1e-14);

    // inner points: find each by a fine scan, then by ternary search on the distance
    double previous = 0;
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      double best = previous;
      const int n = 4000;
      for (int k = 0; k <= n; ++k) {
        const double s = previous + (path.length() - previous) * k / n;
        if ((path.at(s).position - points[i]).norm() < (path.at(best).position - points[i]).norm()) best = s;
      }
      double low = best - path.length() / n;
      double high = best + path.length() / n;
      for (int k = 0; k < 200; ++k) {
        const double a = low + (high - low) / 3;
        const double b = high - (high - low) / 3;
        ((path.at(a).position - points[i]).norm() < (path.at(b).position - points[i]).norm() ? high : low) =
            (path.at(a).position - points[i]).norm() < (path.at(b).position - points[i]).norm() ? b : a;
      }
      // the search sees the distance itself, which is linear near the point: 1e-9 is far above its resolution
      CHECK((path.at(low).position - points[i]).norm() < 1e-9);
      CHECK(low > previous);
      previous = low;

      // curvature from either side agrees: one-sided second-order differences of the tangent
      const double h = 1e-5;
      const auto curvature = [&](double sign) {
        return Vec3(
            sign *
            (4 * path.at(low + sign * h).tangent - path.at(low + sign * 2 * h).tangent - 3 * path.at(low).tangent) /
            (2 * h));
      };
      CHECK((curvature(1) - curvature(-1)).norm() < 1e-3 * (1 + curvature(1).norm()));
    }
  }
}

TEST_CASE("a natural spline is straight at its ends, a periodic one smooth at the seam") {
  const std::vector<Vec3> points = random_points(6, 3);
  const CurvePath open(through(CurveKind::Spline, points));
  const double h = 1e-5;
  CHECK((open.at(h).tangent - open.at(0).tangent).norm() / h < 1e-3);
  CHECK((open.at(open.length() - h).tangent - open.at(open.length()).tangent).norm() / h < 1e-3);

  const CurvePath ring(through(CurveKind::Spline, points), true);
  const double L = ring.length();
  CHECK((ring.at(0).tangent - ring.at(L).tangent).norm() < 1e-12);
  const Vec3 before = (ring.at(L).tangent - ring.at(L - h).tangent) / h;
  const Vec3 after = (ring.at(h).tangent - ring.at(0).tangent) / h;
  // first-order differences of a curvature that changes by up to 1e2 per length
  CHECK((before - after).norm() < 1e-2 * (1 + before.norm()));
}

TEST_CASE("the arc length of a spline is exact and is inverted exactly") {
  // equally spaced points on a line: the spline is the line, whatever their number
  const CurvePath line(through(CurveKind::Spline, {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(2, 2, 0), Vec3(5, 5, 0)}));
  CHECK(line.length() == doctest::Approx(5 * std::sqrt(2.0)).epsilon(1e-14));
  CHECK((line.at(1.25 * std::sqrt(2.0)).position - Vec3(1.25, 1.25, 0)).norm() < 1e-13);

  // against inscribed polylines of up to 40000 chords, extrapolated: good to about 1e-12
  for (const unsigned seed : {1u, 2u, 5u}) {
    const CurvePath path(through(CurveKind::Spline, random_points(8, seed)));
    const double L = path.length();
    CHECK(inscribed_length(path, 0, L, 10000) == doctest::Approx(L).epsilon(3e-12));
    // the inverse is consistent: the way from s1 to s2 is s2 − s1 long
    CHECK(inscribed_length(path, 0.123 * L, 0.456 * L, 10000) == doctest::Approx(0.333 * L).epsilon(3e-12));
  }

  // many points on a circle: the length tends to the circumference with the fourth power of their spacing
  const auto circle_error = [](int n) {
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) points.emplace_back(std::cos(2 * kPi * i / n), std::sin(2 * kPi * i / n), 0);
    return std::abs(curve_length(through(CurveKind::Spline, points), true) / (2 * kPi) - 1);
  };
  CHECK(circle_error(64) < 1e-6);
  CHECK(std::log2(circle_error(16) / circle_error(32)) > 3.7);
}

TEST_CASE("uneven and far-away points do not hurt a spline") {
  // spans from 1e-6 to 1, a thousand kilometres from the origin
  const Vec3 far(1e6, -2e6, 3e5);
  std::vector<Vec3> points = {far, far + Vec3(1e-6, 0, 0), far + Vec3(0.5, 0.5, 0), far + Vec3(0.5, 0.5001, 0.1),
                              far + Vec3(-1, 0, 0)};
  const CurvePath path(through(CurveKind::Spline, points));
  CHECK(path.length() > 2);
  CHECK(path.length() < 10);
  for (int i = 0; i <= 100; ++i) CHECK(path.at(path.length() * i / 100).position.allFinite());

  // there and back again: cusps, but finite
  const CurvePath back(through(CurveKind::Spline, {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 0), Vec3(1, 0, 0)}));
  CHECK(back.length() >= 3);
  for (int i = 0; i <= 100; ++i) {
    const CurveSample sample = back.at(back.length() * i / 100);
    CHECK(sample.position.allFinite());
    CHECK(sample.tangent.norm() == doctest::Approx(1));
  }
}

TEST_CASE("curves without length stay finite") {
  const Vec3 p(1, 2, 3);
  for (const CurveKind kind : {CurveKind::Line, CurveKind::Points, CurveKind::Spline})
    for (const bool closed : {false, true})
      for (const std::vector<Vec3>& points : {std::vector<Vec3>{}, {p}, {p, p}, {p, p, p, p}}) {
        const CurvePath path(through(kind, points), closed);
        CHECK(path.length() == 0);
        CHECK(path.at(0.5).tangent == Vec3::UnitX());
        if (!points.empty()) CHECK(path.at(0.5).position == p);
      }
  for (const Curve& curve :
       {turning(CurveKind::Arc, p, Vec3::UnitZ(), p, 1), turning(CurveKind::Arc, p, Vec3::Zero(), p, 1),
        turning(CurveKind::Helix, p, Vec3::UnitX(), p + Vec3(1, 1, 1), 0, 2)}) {
    CHECK(curve_length(curve) == 0);
    CHECK(CurvePath(curve).at(0).position.allFinite());
    CHECK(CurvePath(curve).at(0).tangent.norm() == doctest::Approx(1));
  }
  // a helix on its axis is a straight line
  const CurvePath rod(turning(CurveKind::Helix, p, Vec3::UnitX(), p, 2 * kPi, 2));
  CHECK(rod.length() == doctest::Approx(2).epsilon(1e-15));
  CHECK((rod.at(1).position - (p + Vec3::UnitX())).norm() < 1e-14);
}

TEST_CASE("resampling takes fractions of the length") {
  const std::vector<double> fractions = {0, 0.25, 1};
  const std::vector<Vec3> points =
      resample(turning(CurveKind::Arc, Vec3::Zero(), Vec3::UnitZ(), Vec3::UnitX(), 2 * kPi), fractions);
  REQUIRE(points.size() == 3);
  CHECK((points[1] - Vec3::UnitY()).norm() < 1e-15);
  CHECK((points[2] - Vec3::UnitX()).norm() < 1e-15);
}

TEST_CASE("Bishop frames follow the tangents without twist") {
  // along a planar curve a director square to the plane stays so
  const CurvePath arc(turning(CurveKind::Arc, Vec3::Zero(), Vec3::UnitZ(), Vec3::UnitX(), 5));
  std::vector<Vec3> tangents;
  for (int i = 0; i <= 40; ++i) tangents.push_back(arc.at(arc.length() * i / 40).tangent);
  const std::vector<Quat> frames = bishop_frames(tangents, Vec3(0, 0.3, 1));
  REQUIRE(frames.size() == tangents.size());
  const double start = (frames.front() * Vec3::UnitX()).z();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    CHECK((frames[i] * Vec3::UnitZ() - tangents[i]).norm() < 1e-14);
    CHECK((frames[i] * Vec3::UnitX()).z() == doctest::Approx(start).epsilon(1e-13));
    CHECK(frames[i].norm() == doctest::Approx(1).epsilon(1e-14));
  }
  // the given normal made square to the tangent; along the tangent it falls back to some perpendicular
  const std::vector<Vec3> along = {Vec3(0, 0, 2)};
  CHECK((bishop_frames(along, Vec3(1, 0, 1)).front() * Vec3::UnitX() - Vec3::UnitX()).norm() < 1e-15);
  CHECK(bishop_frames(along, Vec3(0, 0, 1)).front().coeffs().allFinite());
  CHECK(bishop_frames({}, Vec3::UnitX()).empty());
}

}  // namespace filum::test_curve
