// What few control points are worth: 24 of them against 100 segments of the formulation kirchhoff.
#include "unit/spline/spline_rig.hpp"

#include <array>

namespace filum::test::test_spline_beats {

namespace {

// 24 control points, or 100 segments.
double error_of(Scene scene, bool spline, const Vec3& exact) {
  scene.simulation.formulation = spline ? "spline" : "kirchhoff";
  scene.rods[0].segments = spline ? 21 : 100;
  const Outcome outcome = solved(scene);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  return (tip(outcome) - exact).norm();
}

void compare(const std::string& name, const Scene& scene, const Vec3& exact) {
  const double few = error_of(scene, true, exact);
  const double many = error_of(scene, false, exact);
  CAPTURE(name);
  CAPTURE(few);
  CAPTURE(many);
  CHECK(few < many);
}

}  // namespace

// References: the inextensible elastica, integrated until all digits stood.
TEST_CASE("24 control points beat 100 segments under a load at the tip") {
  struct Entry {
    double p, drop, shortening;
  };
  for (const Entry& entry :
       {Entry{1, 0.3017208, 0.0564332}, Entry{3, 0.6032534, 0.2544202}, Entry{5, 0.7137915, 0.3876284},
        Entry{10, 0.8106090, 0.5549956}, Entry{20, 0.8686959, 0.6838856}}) {
    Scene scene = cantilever(1e4, 21);
    scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(0, 0, -entry.p), false});
    compare("p = " + std::to_string(entry.p), scene, Vec3(1 - entry.shortening, 0, -entry.drop));
  }
}

TEST_CASE("24 control points beat 100 segments under their own weight") {
  struct Entry {
    double gamma, drop, reach;
  };
  for (const Entry& entry :
       {Entry{1, 0.1234714, 0.9912464}, Entry{10, 0.7001997, 0.6563538}, Entry{30, 0.8730924, 0.3427637},
        Entry{100, 0.9375239, 0.1592234}, Entry{200, 0.9567692, 0.1074204}}) {
    Scene scene = cantilever(1e4, 21);
    scene.gravity = Vec3(0, 0, -entry.gamma);
    compare("gamma = " + std::to_string(entry.gamma), scene, Vec3(entry.reach, 0, -entry.drop));
  }
}

TEST_CASE("24 control points beat 100 segments beyond the buckling load") {
  struct Entry {
    double load, along, across;  // over the critical load
  };
  for (const Entry& entry : {Entry{1.151720, 0.7410196, 0.5932076}, Entry{1.884801, 0.1231600, 0.8031710}}) {
    Scene scene = cantilever(1e4, 21);
    scene.forces.push_back({{"rod", {1, 0}}, "", entry.load * M_PI * M_PI / 4 * Vec3(-1, 0, 0), false});
    // the plane is any: the distance from the axis counts
    const auto error = [&](bool spline) {
      scene.simulation.formulation = spline ? "spline" : "kirchhoff";
      scene.rods[0].segments = spline ? 21 : 100;
      SolveOptions options;
      options.nudge = true;
      const Outcome outcome = solved(scene, options);
      CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
      const Vec3 x = tip(outcome);
      return std::hypot(x[0] - entry.along, std::hypot(x[1], x[2]) - entry.across);
    };
    const double few = error(true), many = error(false);
    CAPTURE(few);
    CAPTURE(many);
    CHECK(few < many);
  }
}

}  // namespace filum::test::test_spline_beats
