// Bending of a spline rod at a place: derivatives against differences of what really happens to the directors.
#include "rod/spline_strain.hpp"

#include "rod/edge.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::rod::test_spline_strain {

namespace {

struct Place {
  Vec3 v, a;
  Mat3 frame;
  double rest_speed = 0.9;
};

Place some_place(bool straight) {
  Place place;
  place.v = Vec3(0.8, -0.3, 0.5);
  place.a = straight ? Vec3(2.5 * place.v) : Vec3(1.3, 2.1, -0.7);
  place.frame = carried_frame(Mat3::Identity(), place.v, 0.4);
  return place;
}

// Curvatures and carried twist after the change x = (y, z, θ) in local axes.
Vec3 strains(const Place& p, const Vec7& x) {
  const double speed = p.v.norm();
  const Vec3 v = p.v + speed * p.frame * x.head<3>();
  const Vec3 a = p.a + speed * p.frame * x.segment<3>(3);
  const Mat3 frame = carried_frame(p.frame, v, x[6]);
  const Vec2 curvature = spline_strain(v, a, frame, p.rest_speed).curvature;
  return {curvature[0], curvature[1], carried_twist(p.v, p.a, v, a)};
}

}  // namespace

TEST_CASE("Gradient and Hessian of bending and carried twist") {
  for (const bool straight : {false, true}) {
    const Place p = some_place(straight);
    const SplineStrain s = spline_strain(p.v, p.a, p.frame, p.rest_speed);
    const Vec3 weight(0.7, -1.2, 0.4);
    const Mat7 h = spline_strain_hessian(s, weight[0], weight[1], weight[2]);
    CHECK((h - h.transpose()).norm() == 0);
    const double d = 1e-4;
    const auto value = [&](const Vec7& x) { return weight.dot(strains(p, x)); };
    const Vec7 gradient = weight[0] * s.by1 + weight[1] * s.by2 + weight[2] * s.carried;
    for (int i = 0; i < 7; ++i) {
      const Vec7 ei = Vec7::Unit(i);
      const auto slope = [&](double step) { return (value(step * ei) - value(-step * ei)) / (2 * step); };
      CHECK((4 * slope(d / 2) - slope(d)) / 3 == doctest::Approx(gradient[i]).epsilon(1e-9));
      for (int j = 0; j <= i; ++j) {
        const Vec7 ej = Vec7::Unit(j);
        const auto second = [&](double step) {
          return (value(step * (ei + ej)) - value(step * (ei - ej)) - value(step * (ej - ei)) +
                  value(-step * (ei + ej))) /
                 (4 * step * step);
        };
        const double found = (4 * second(d) - second(2 * d)) / 3;
        CHECK(std::abs(found - h(i, j)) < 2e-6 * (1 + std::abs(h(i, j))));
      }
    }
  }
}

TEST_CASE("Curvature is that of the circle, on the directors") {
  const double R = 0.4, u = 0.3;
  const Vec3 t(-std::sin(u), std::cos(u), 0), n(-std::cos(u), -std::sin(u), 0);
  for (const double turn : {0.0, 0.7}) {
    Mat3 frame;
    frame << n, t.cross(n), t;
    frame = frame * Eigen::AngleAxisd(turn, Vec3::UnitZ()).toRotationMatrix();
    // bending towards d1 is about d2
    const Vec2 k = spline_strain(t, n / R, frame, 1).curvature;
    CHECK(k.norm() == doctest::Approx(1 / R));
    CHECK(k[1] == doctest::Approx(std::cos(turn) / R));
    CHECK(k[0] == doctest::Approx(std::sin(turn) / R));
  }
}

}  // namespace filum::rod::test_spline_strain
