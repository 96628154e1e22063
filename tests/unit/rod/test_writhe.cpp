// Writhe and linking number against what is known of them, and Lk = Tw + Wr of a closed ribbon.
#include "rod/writhe.hpp"

#include "math/lanes.hpp"

#include "math/rotation.hpp"
#include "rod/curve_kit.hpp"
#include "rod/shortened_line.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

namespace filum::test_writhe {

using namespace filum::rod;
using math::kPi;

namespace {

std::vector<Vec3> closed_curve(int n, const std::function<Vec3(double)>& at) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) points.push_back(at(2 * kPi * i / n));
  points.push_back(points.front());
  return points;
}

// (p, q) torus knot; right-handed for q > 0.
std::vector<Vec3> torus_knot(int n, int p, int q) {
  return closed_curve(n, [=](double u) {
    const double r = 2 + 0.7 * std::cos(q * u);
    return Vec3(r * std::cos(p * u), r * std::sin(p * u), -0.7 * std::sin(q * u));
  });
}

// A flat figure eight whose branches pass each other at distance 2·lift.
std::vector<Vec3> figure_eight(int n, double lift) {
  return closed_curve(n, [=](double u) { return Vec3(std::sin(2 * u), 2 * std::sin(u), lift * std::cos(u)); });
}

std::vector<Vec3> helix(int turns, double pitch_angle, int per_turn) {
  std::vector<Vec3> points;
  for (int i = 0; i <= turns * per_turn; ++i) {
    const double u = 2 * kPi * i / per_turn;
    points.emplace_back(std::cos(u), std::sin(u), u * std::tan(pitch_angle));
  }
  return points;
}

std::vector<Vec3> mirrored(std::vector<Vec3> points) {
  for (Vec3& point : points) point.z() = -point.z();
  return points;
}

std::vector<Vec3> circle(const Vec3& centre, const Vec3& a, const Vec3& b, int n) {
  return closed_curve(n, [=](double u) { return Vec3(centre + std::cos(u) * a + std::sin(u) * b); });
}

// Brute force: the Gauss double integral over two segments by the midpoint rule.
double gauss_brute(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Vec3 r = p0 + (p1 - p0) * (i + 0.5) / n - q0 - (q1 - q0) * (j + 0.5) / n;
      sum += r.dot((p1 - p0).cross(q1 - q0)) / std::pow(r.norm(), 3);
    }
  return sum / (n * n);
}

}  // namespace

TEST_CASE("a planar curve does not writhe") {
  CHECK(std::abs(writhe(circle(Vec3(1, 2, 3), Vec3(2, 1, 0), Vec3(0, 1, 1), 60), true)) < 1e-13);
  // nor does one that crosses itself in its plane, between nodes or at one
  CHECK(std::abs(writhe(figure_eight(61, 0), true)) < 1e-12);
  CHECK(std::abs(writhe(figure_eight(64, 0), true)) < 1e-12);
  CHECK(writhe(helix(0, 0.1, 10), false) == 0);
  CHECK(writhe({}, false) == 0);
}

TEST_CASE("repeated points and touching segments stay finite") {
  std::vector<Vec3> points = torus_knot(60, 2, 3);
  points.insert(points.begin() + 10, 3, points[10]);
  CHECK(writhe(points, true) == doctest::Approx(writhe(torus_knot(60, 2, 3), true)).epsilon(1e-12));
  CHECK(std::isfinite(writhe(std::vector<Vec3>(20, Vec3(1, 2, 3)), false)));
}

TEST_CASE("a pair of segments gives the Gauss integral") {
  // two far segments joined far away would spoil the sum; four points make exactly one non-adjacent pair
  std::mt19937 random(1);
  std::uniform_real_distribution<double> side(-1, 1);
  for (int i = 0; i < 5; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 4; ++k)
      points.emplace_back(side(random), side(random), k < 2 ? side(random) : side(random) + 3);
    const double brute = gauss_brute(points[0], points[1], points[2], points[3], 300);
    // midpoint rule on a smooth integrand: about (1/300)²
    CHECK(writhe(points, false) == doctest::Approx(brute / (2 * kPi)).epsilon(1e-4));
  }
}

TEST_CASE("the mirror image has the opposite writhe; rigid motion, scale and direction change nothing") {
  const std::vector<Vec3> knot = torus_knot(120, 2, 3);
  const double value = writhe(knot, true);
  CHECK(writhe(mirrored(knot), true) == doctest::Approx(-value).epsilon(1e-12));
  std::vector<Vec3> moved = knot;
  for (Vec3& point : moved) point = 3.7 * (math::exp_quat(Vec3(1, -2, 0.3)) * point) + Vec3(5, 6, 7);
  CHECK(writhe(moved, true) == doctest::Approx(value).epsilon(1e-12));
  std::reverse(moved.begin(), moved.end());
  CHECK(writhe(moved, true) == doctest::Approx(value).epsilon(1e-12));
}

TEST_CASE("a flat figure eight writhes by one crossing") {
  // the excess over ±1 vanishes with the lift: halving it halves the rest
  const double coarse = std::abs(writhe(figure_eight(400, 1e-2), true, 400));
  const double fine = std::abs(writhe(figure_eight(400, 1e-3), true, 400));
  CHECK(std::abs(fine - 1) < 2e-3);
  CHECK(std::abs(fine - 1) < 0.2 * std::abs(coarse - 1));
  CHECK(writhe(figure_eight(400, 1e-3), true) ==
        doctest::Approx(-writhe(figure_eight(400, -1e-3), true)).epsilon(1e-9));
}

TEST_CASE("a long helix writhes by 1 − sin(pitch angle) a turn") {
  for (const double angle : {0.15, 0.3, 0.8}) {
    CAPTURE(angle);
    // the ends' share cancels in the difference of two lengths if both coils are long against their radius
    const double per_turn =
        (writhe(helix(24, angle, 60), false, 4000) - writhe(helix(12, angle, 60), false, 4000)) / 12;
    // 1 % for what the ends leave; polygons of 60 sides are good to (π/60)² ≈ 0.3 %
    CHECK(per_turn == doctest::Approx(1 - std::sin(angle)).epsilon(0.01));
    CHECK(writhe(helix(4, angle, 60), false, 4000) > 0);
  }
}

TEST_CASE("coarsening keeps the ends and comes near the full sum") {
  const std::vector<Vec3> knot = torus_knot(2000, 2, 3);
  const double full = writhe(knot, true, 2000);
  // quadratic in the spacing: a tenth of the nodes, 200 on the knot
  CHECK(writhe(knot, true, 200) == doctest::Approx(full).epsilon(1e-2));
  CHECK(writhe(knot, true, 200) != full);
  CHECK(writhe(knot, true, 0) == 0);
}

namespace {

// A curve of a few random waves; open ones run on along x as well.
std::vector<Vec3> waves(unsigned seed, int n, bool closed, double run) {
  std::mt19937 bits(seed);
  const auto number = [&] { return 2.0 * static_cast<double>(bits()) / 4294967295.0 - 1; };
  std::array<Vec3, 4> sine;
  std::array<Vec3, 4> cosine;
  for (std::size_t k = 0; k < 4; ++k)
    for (auto* wave : {&sine[k], &cosine[k]})
      for (int axis = 0; axis < 3; ++axis) (*wave)[axis] = number() / static_cast<double>(k + 1);
  const auto place = [&](double u) {
    Vec3 at(closed ? 0 : run * u, 0, 0);
    for (std::size_t k = 0; k < 4; ++k) {
      const double phase = static_cast<double>(k + 1) * u;
      at += std::sin(phase) * sine[k] + std::cos(phase) * cosine[k];
    }
    return at;
  };
  if (closed) return closed_curve(n, place);
  std::vector<Vec3> points;
  for (int i = 0; i <= n; ++i) points.push_back(place(2 * kPi * i / n));
  return points;
}

// Pair by pair, each as two triangles of the parallelogram of differences.
double writhe_of_pairs(const std::vector<Vec3>& points) {
  const auto angle = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    const double along =
        a.norm() * b.norm() * c.norm() + a.dot(b) * c.norm() + b.dot(c) * a.norm() + c.dot(a) * b.norm();
    return 2 * std::atan2(a.dot(b.cross(c)), along);
  };
  double sum = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    for (std::size_t j = i + 2; j + 1 < points.size(); ++j) {
      if (i == 0 && points[j + 1] == points[0]) continue;
      const Vec3 a = points[j] - points[i];
      const Vec3 c = points[j + 1] - points[i + 1];
      sum -= angle(a, points[j + 1] - points[i], c) + angle(a, c, points[j] - points[i + 1]);
    }
  return sum / (2 * kPi);
}

}  // namespace

TEST_CASE("a line that is shortened where it is bent gently has the writhe of all its pairs") {
  int shortened = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const bool closed = seed % 2 == 0;
    const std::vector<Vec3> points = waves(seed, 160 + static_cast<int>(seed) % 41, closed, seed % 3);
    if (!shortened_line(points, closed).empty()) ++shortened;
    CHECK(std::abs(writhe(points, closed, 1000) - writhe_of_pairs(points)) < 1e-11);
  }
  CHECK(shortened > 50);
}

TEST_CASE("a line with sharp corners is not shortened") {
  CHECK_FALSE(shortened_line(helix(4, 0.2, 50), false).empty());
  std::vector<Vec3> corner = helix(4, 0.2, 50);
  corner[100] += Vec3(0, 0, 0.3);
  CHECK(shortened_line(corner, false).empty());
}

TEST_CASE("linking numbers are integers") {
  const std::vector<Vec3> ring = circle(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 40);
  const std::vector<Vec3> through = circle(Vec3::UnitX(), Vec3::UnitX(), Vec3::UnitZ(), 33);
  const std::vector<Vec3> apart = circle(Vec3(5, 0, 0), Vec3::UnitX(), Vec3::UnitZ(), 33);
  CHECK(std::abs(std::abs(linking_number(ring, through)) - 1) < 1e-12);
  CHECK(std::abs(linking_number(ring, apart)) < 1e-12);
  CHECK(linking_number(mirrored(ring), mirrored(through)) ==
        doctest::Approx(-linking_number(ring, through)).epsilon(1e-12));
}

TEST_CASE("link is twist plus writhe, an integer, for closed ribbons on polylines") {
  for (const auto& ribbon : {std::tuple{1, 3, 0}, {2, 3, 1}, {2, -5, -4}, {3, 4, 7}}) {
    const int p = std::get<0>(ribbon);
    const int q = std::get<1>(ribbon);
    const int turns = std::get<2>(ribbon);
    CAPTURE(p);
    CAPTURE(q);
    // the Bishop frame does not close: add the angle that makes it do so, and whole turns on top
    const int n = 500;
    const std::vector<Vec3> points = torus_knot(n, p, q);
    const std::vector<Vec3> tangents = edge_tangents(points);
    const std::vector<Quat> bishop = bishop_frames(tangents, Vec3::UnitZ());
    const double closing = joint_twist(bishop.back(), bishop.front()) + 2 * kPi * turns;
    std::vector<double> angles;
    for (int i = 0; i < n; ++i) angles.push_back(closing * i / n);
    const std::vector<Quat> frames = material_frames(tangents, Vec3::UnitZ(), angles);

    const double twist = total_twist(joint_twists(frames, true)) / (2 * kPi);
    CHECK(twist == doctest::Approx(closing / (2 * kPi)).epsilon(1e-11));
    const double link = twist + writhe(points, true, n);
    CHECK(std::abs(link - std::round(link)) < 1e-9);

    // the same integer from the curve and the ribbon's edge, each vertex moved along the mean d1 of its two edges
    std::vector<Vec3> edge;
    for (int i = 0; i < n; ++i) {
      const Vec3 sum = frames[i] * Vec3::UnitX() + frames[(i + n - 1) % n] * Vec3::UnitX();
      edge.push_back(points[i] + 0.01 * sum.normalized());
    }
    edge.push_back(edge.front());
    CHECK(std::abs(linking_number(points, edge) - link) < 1e-9);
  }
}

TEST_CASE("writhe and link have the same bits whatever the processor's lanes are") {
  // of every remainder by eight
  for (int n = 60; n < 68; ++n) {
    CAPTURE(n);
    const std::vector<Vec3> knot = torus_knot(n, 2, 3);
    const std::vector<Vec3> ring = circle(Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), n + 3);
    std::vector<std::pair<double, double>> found;
    for (const int lanes : {2, 4, 8}) {
      math::use_lanes(lanes);
      found.emplace_back(writhe(knot, true), linking_number(knot, ring));
    }
    math::use_lanes(math::kMostLanes);
    CHECK(found[1] == found[0]);
    CHECK(found[2] == found[0]);
  }
}

}  // namespace filum::test_writhe
