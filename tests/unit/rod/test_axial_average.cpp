#include "rod/axial_average.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::test_axial_average {

using namespace filum::rod;

namespace {

struct Case {
  AxialStart start;
  Vec3 end;
  double rest = 0.1;
  double stiffness = 50;
  double step = 0.02;
};

Case random_case(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  auto some = [&] { return Vec3(any(random), any(random), any(random)); };
  Case c;
  c.start.edge = 0.1 * some().normalized() * (1 + 0.1 * any(random));
  c.start.length = c.start.edge.norm();
  c.start.change = 0.02 * any(random);
  // turned by up to a radian and stretched a little
  c.end = c.start.edge + 0.06 * some();
  return c;
}

AxialAverage at(const Case& c, const Vec3& end, double damping, double viscosity) {
  return axial_average(c.start, end, {c.rest, c.stiffness, viscosity, damping, c.step});
}

}  // namespace

TEST_CASE("the averaged tension does the work by which its energy changes") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case c = random_case(seed);
    const AxialAverage a = at(c, c.end, 0, 0);
    auto energy = [&](double length) {
      const double strain = length / c.rest - 1;
      return 0.5 * c.stiffness * c.rest * strain * strain;
    };
    const double work = a.force * a.direction.dot(c.end - c.start.edge);
    CHECK(work == doctest::Approx(energy(c.end.norm()) - energy(c.start.length)).epsilon(1e-12));
    // along the edge at mid-step: no torque about its middle
    CHECK(a.direction.cross(c.start.edge + c.end).norm() < 1e-15);
  }
}

TEST_CASE("viscosity only takes energy") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case c = random_case(seed);
    const Vec3 move = c.end - c.start.edge;
    const AxialAverage plain = at(c, c.end, 0, 0);
    const AxialAverage viscous = at(c, c.end, 0, 0.3);
    CHECK(viscous.force * viscous.direction.dot(move) >= plain.force * plain.direction.dot(move));
  }
}

TEST_CASE("flip damping takes from a strain that flips and leaves one that grows evenly alone") {
  Case c;
  c.start = {Vec3(0.1, 0, 0), 0.1, 0.01};
  // even growth: the strain rises in this step as it did in the last
  const Vec3 even(0.1 + 0.01 * c.rest, 0, 0);
  CHECK(at(c, even, 0.3, 0).force == doctest::Approx(at(c, even, 0, 0).force).epsilon(1e-13));
  const Vec3 back(0.1 - 0.01 * c.rest, 0, 0);
  CHECK(at(c, back, 0.3, 0).force < at(c, back, 0, 0).force);
}

TEST_CASE("its stiffness is its derivative") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case c = random_case(seed);
    const double damping = 0.3;
    const AxialAverage a = at(c, c.end, damping, 0.2);
    const Mat3 told = axial_average_stiffness(a, a.force);
    for (int k = 0; k < 3; ++k) {
      // central differences: third derivatives of order 1e2 times 1e-12, round-off 1e-16/1e-6
      const double d = 1e-6;
      const AxialAverage up = at(c, c.end + d * Vec3::Unit(k), damping, 0.2);
      const AxialAverage down = at(c, c.end - d * Vec3::Unit(k), damping, 0.2);
      const Vec3 found = (up.force * up.direction - down.force * down.direction) / (2 * d);
      CHECK((told.col(k) - found).norm() < 1e-6 * told.norm());
    }
  }
}

}  // namespace filum::test_axial_average
