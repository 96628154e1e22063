// The way of a massless rope: lengths in closed form, and its pull as the derivative of its length.
#include "formulations/chain/reeving/rope_path.hpp"

#include "math/rotation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::test_rope_path {

using namespace filum::chain;

namespace {

constexpr double kPi = math::kPi;

RopePath path_of(const std::vector<Pulley>& places) {
  RopePath path;
  find_path(places, path);
  return path;
}

// What the straight parts pull at a place, were the tension one: the derivative of the length by its centre.
Vec3 pull_at(const RopePath& path, std::size_t i) {
  Vec3 sum = Vec3::Zero();
  if (i > 0) sum += (path.arrives[i] - path.leaves[i - 1]).normalized();
  if (i + 1 < path.arrives.size()) sum -= (path.arrives[i + 1] - path.leaves[i]).normalized();
  return sum;
}

// `off`: how far the two may be apart.
void check_gradient(const std::vector<Pulley>& places, double off = 1e-7) {
  const RopePath path = path_of(places);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      constexpr double h = 1e-5;
      auto length = [&](double by) {
        std::vector<Pulley> moved = places;
        moved[i].centre[k] += by;
        return path_of(moved).length;
      };
      CAPTURE(i);
      CAPTURE(k);
      CHECK(std::abs(pull_at(path, i)[k] - (length(h) - length(-h)) / (2 * h)) < off);
    }
}

// The rope touches a sheave where it stands square to the radius, and runs in the sense of the axis.
void check_tangents(const std::vector<Pulley>& places, const RopePath& path) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].radius <= 0) continue;
    for (const bool arriving : {true, false}) {
      if (arriving ? i == 0 : i + 1 == places.size()) continue;
      const Vec3 touch = arriving ? path.arrives[i] : path.leaves[i];
      const Vec3 radius = touch - places[i].centre;
      const Vec3 way = arriving ? path.arrives[i] - path.leaves[i - 1] : path.arrives[i + 1] - path.leaves[i];
      CHECK(radius.norm() == doctest::Approx(places[i].radius));
      CHECK(std::abs(radius.dot(places[i].axis)) < 1e-12);
      // in the plane of the sheave; out of it the rope leaves at the slope of its way
      const Vec3 flat = way - way.dot(places[i].axis) * places[i].axis;
      CHECK(std::abs(radius.dot(flat)) < 1e-10);
      CHECK(places[i].axis.cross(radius).dot(flat) > 0);
    }
  }
}

}  // namespace

TEST_CASE("through eyes the rope is as long as the way from one to the next") {
  const RopePath path = path_of({{Vec3(0, 0, 0)}, {Vec3(3, 0, 0)}, {Vec3(3, 4, 0)}});
  CHECK(path.length == doctest::Approx(7));
  CHECK(path.part[0] == doctest::Approx(3));
  CHECK(path.part[1] == doctest::Approx(4));
  CHECK(path.angle[1] == 0);
}

TEST_CASE("over one sheave: two tangents and half a turn") {
  const double radius = 0.3;
  // up on one side and down on the other, over the top: about −y if it comes from −x
  const std::vector<Pulley> places = {
      {Vec3(-radius, 0, -2)}, {Vec3::Zero(), Vec3::UnitY(), radius}, {Vec3(radius, 0, -5)}};
  const RopePath path = path_of(places);
  CHECK(path.length == doctest::Approx(2 + 5 + kPi * radius));
  CHECK(path.angle[1] == doctest::Approx(kPi));
  check_tangents(places, path);
}

TEST_CASE("round two sheaves: the open and the crossed belt") {
  const double r1 = 0.5;
  const double r2 = 0.2;
  const double d = 2;
  // from far below up to the first, over to the second and down again
  for (const bool crossed : {false, true}) {
    const Vec3 second = crossed ? Vec3(0, -1, 0) : Vec3(0, 1, 0);
    const std::vector<Pulley> places = {{Vec3(-r1, 0, -3)},
                                        {Vec3::Zero(), Vec3::UnitY(), r1},
                                        {Vec3(d, 0, 0), second, r2},
                                        {Vec3(d + r2, 0, crossed ? 3 : -3)}};
    const RopePath path = path_of(places);
    const double across = crossed ? r1 + r2 : r1 - r2;
    CHECK(path.part[1] == doctest::Approx(std::sqrt(d * d - across * across)));
    const double tilt = std::asin(across / d);
    CHECK(path.angle[1] == doctest::Approx(kPi / 2 + tilt));
    CHECK(path.angle[2] == doctest::Approx(crossed ? kPi / 2 + tilt : kPi / 2 - tilt));
    check_tangents(places, path);
  }
}

TEST_CASE("the pull of a rope is the derivative of its length") {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> any(-1, 1);
  auto vector = [&](double size) { return Vec3(size * any(engine), size * any(engine), size * any(engine)); };
  for (int trial = 0; trial < 40; ++trial) {
    CAPTURE(trial);
    const Vec3 a = Vec3(-3, 0, -2) + vector(0.5);
    const Vec3 b = Vec3(-1, 0, 1) + vector(0.3);
    const Vec3 c = Vec3(1.2, 0, 1.3) + vector(0.3);
    const Vec3 d = Vec3(3, 0, -1) + vector(0.5);
    check_gradient({{a}, {b}, {c}, {d}});
    // a sheave that stands in the plane of its rope
    check_gradient({{a}, {b, natural_axis(a, b, d), 0.3}, {d}});
  }
}

TEST_CASE("a rope that comes on askew pulls by its length but for the square of its slope") {
  for (const double slope : {0.02, 0.05, 0.1}) {
    CAPTURE(slope);
    // the touching points are those of the plane of the sheave: stationary to first order in the slope
    const std::vector<Pulley> places = {
        {Vec3(-2, 0, -2)}, {Vec3::Zero(), Vec3::UnitY(), 0.3}, {Vec3(2, 2 * std::sqrt(2.0) * slope, -2)}};
    check_tangents(places, path_of(places));
    check_gradient(places, slope * slope);
  }
}

TEST_CASE("the pull is the derivative of the length also with two sheaves in one plane") {
  const std::vector<Pulley> places = {
      {Vec3(-2, 0, -3)}, {Vec3::Zero(), Vec3::UnitY(), 0.5}, {Vec3(2, 0, 0.4), Vec3::UnitY(), 0.2}, {Vec3(3, 0, -3)}};
  check_gradient(places);
  check_tangents(places, path_of(places));
}

TEST_CASE("a sheave's own axis puts its centre inside the bend") {
  const Vec3 axis = natural_axis(Vec3(-1, 0, -1), Vec3::Zero(), Vec3(1, 0, -1));
  CHECK((axis - Vec3::UnitY()).norm() < 1e-12);
  CHECK((natural_axis(Vec3(-1, 0, 1), Vec3::Zero(), Vec3(1, 0, 1)) + Vec3::UnitY()).norm() < 1e-12);
  // a straight way: square to it, any
  const Vec3 any = natural_axis(Vec3(-1, 0, 0), Vec3::Zero(), Vec3(1, 0, 0));
  CHECK(any.norm() == doctest::Approx(1));
  CHECK(std::abs(any[0]) < 1e-12);
}

TEST_CASE("a rope that only just touches a sheave goes round it by nothing") {
  const RopePath path = path_of({{Vec3(-2, 0, 0.3)}, {Vec3::Zero(), Vec3::UnitY(), 0.3}, {Vec3(2, 0, 0.3)}});
  CHECK(path.angle[1] == doctest::Approx(0).scale(1));
  CHECK(path.length == doctest::Approx(4));
}

}  // namespace filum::test_rope_path
