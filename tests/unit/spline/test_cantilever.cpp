// Cantilevers: the accuracy that splines are there for, and no locking however slender the rod is.
#include "unit/spline/spline_rig.hpp"

#include <array>
#include <cmath>

namespace filum::test::test_cantilever {

namespace {

// p, shortening and drop of the inextensible elastica θ'' = −p cos θ, θ(0) = θ'(1) = 0, integrated until all digits
// stood; they agree with Mattiasson's table (1981) to all of its digits.
struct Entry {
  double p, u, w;
};
constexpr std::array<Entry, 4> kTable{
    {{1, 0.0564332, 0.3017208}, {3, 0.2544202, 0.6032534}, {5, 0.3876284, 0.7137915}, {10, 0.5549956, 0.8106090}}};

double tip_error(const Entry& entry, double slenderness, int segments) {
  Scene scene = cantilever(slenderness, segments);
  scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(0, 0, -entry.p), false});
  const Outcome outcome = solved(scene);
  CHECK(outcome.solve.converged);
  CHECK(outcome.solve.stable == true);
  CHECK(outcome.solve.iterations <= 14);
  return (tip(outcome) - Vec3(1 - entry.u, 0, -entry.w)).norm();
}

}  // namespace

TEST_CASE("Tip load: 1e-4 of the length with 10 control points, 2e-5 with 16, at a slenderness of 10 000") {
  for (const Entry& entry : kTable) {
    CHECK(tip_error(entry, 1e4, 7) < 1e-4);
    CHECK(tip_error(entry, 1e4, 13) < 2e-5);
  }
}

TEST_CASE("A bar is stretched exactly, and a shaft twisted exactly") {
  Scene scene = cantilever(100, 5);
  scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(80, 0, 0), false});
  const Outcome pulled = solved(scene);
  CHECK(tip(pulled)[0] == doctest::Approx(1 + 80.0 / 160000).epsilon(1e-14));
  CHECK(last(pulled).rods[0].axial_force[20] == doctest::Approx(80).epsilon(1e-9));
  CHECK(last(pulled).holds[0].force[0] == doctest::Approx(-80).epsilon(1e-12));

  scene.forces.clear();
  scene.torques.push_back({{"rod", {1, 0}}, "", Vec3(2, 0, 0), false});
  const Outcome twisted = solved(scene);
  // Θ = T L/GJ
  CHECK(last(twisted).rods[0].turns * 2 * M_PI == doctest::Approx(2 / 0.8).epsilon(1e-12));
  CHECK(last(twisted).holds[0].moment[0] == doctest::Approx(-2).epsilon(1e-10));
}

TEST_CASE("A bar under its own weight is stretched exactly") {
  Scene scene = cantilever(100, 6);
  scene.gravity = Vec3(30, 0, 0);
  CHECK(tip(solved(scene))[0] == doctest::Approx(1 + 0.5 * 30 / 160000).epsilon(1e-14));
}

TEST_CASE("A moment at the end closes a circle") {
  Scene scene = cantilever(1000, 13);
  scene.torques.push_back({{"rod", {1, 0}}, "", Vec3(0, -2 * M_PI, 0), true});
  SolveOptions options;
  const Outcome outcome = solved(scene, options);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  CHECK(tip(outcome).norm() < 2e-3);
}

TEST_CASE("Spline: fourth order with a force or a clamp inside") {
  // uneven meshes on both sides of 0.37 L: the order shows once each side has ten segments
  const auto order = [](const auto& make, int coarse, int fine) {
    const Vec3 exact = tip(solved(make(216)));
    const double a = (tip(solved(make(coarse))) - exact).norm();
    const double b = (tip(solved(make(fine))) - exact).norm();
    return std::log(a / b) / std::log(static_cast<double>(fine) / coarse);
  };
  const auto forced = [](int segments) {
    Scene scene = cantilever(100, segments);
    scene.forces.push_back({{"rod", {0.37, 0}}, "", Vec3(0, 0, -30), false});
    return scene;
  };
  CHECK(order(forced, 22, 54) > 3.8);
  const auto clamped = [](int segments) {
    Scene scene = cantilever(100, segments);
    scene.holds[0].at = {0.37, 0};
    scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(0, 0, -10), false});
    scene.forces.push_back({{"rod", {0, 0}}, "", Vec3(0, 3, -10), false});
    return scene;
  };
  CHECK(order(clamped, 54, 108) > 3.8);
}

}  // namespace filum::test::test_cantilever
