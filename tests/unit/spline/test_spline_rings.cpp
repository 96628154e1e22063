// Closed spline rods: periodic knots, the seam, holds, theory of twisted rings, motion.
#include "formulations/spline/stretch_rule.hpp"
#include "unit/spline/spline_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>

namespace filum::test::test_spline_rings {

namespace {

// A ring of length 1, GJ/EI = `ratio`, that is straight at rest, with so much twist in it.
Scene ring(double ratio, double twist, int segments) {
  Scene scene = cantilever(1000, segments);
  scene.holds.clear();
  scene.rods[0].closed = true;
  scene.rods[0].twist = twist;
  scene.rods[0].shape = Curve{};
  const Scene drawn = scene_of(R"(rods: {ring: {section: hose, material: rubber, closed: true,
  shape: {arc: {centre: [0, 0, 0], start: [0.15915494309189535, 0, 0], axis: [0, 0, 1], angle: 1 turn}}}}
)");
  scene.rods[0].shape = drawn.rods[0].shape;
  for (SectionEntry& entry : scene.sections)
    if (entry.name == "round") entry.section.GJ = ratio;
  return scene;
}

}  // namespace

TEST_CASE("Stretch in a ring is sampled at as many points as r' has unknowns, and exactly") {
  const std::vector<double> places{0, 0.1, 0.25, 0.4, 0.7, 1};
  for (const bool breaks : {false, true}) {
    const rod::SplineKnots knots = rod::SplineKnots::ring(places, {false, false, breaks, false, false, false});
    double length = 0;
    for (const spline::RulePoint& point : spline::stretch_rule(knots)) length += point.weight;
    CHECK(length == doctest::Approx(1).epsilon(1e-14));
    CHECK(knots.own_controls() == (breaks ? 6 : 5));
  }
}

TEST_CASE("A ring bent from a straight rod is a circle of the energy 2π² EI/L") {
  for (const int segments : {8, 16, 32}) {
    const Outcome outcome = solved(ring(1, 0, segments));
    CHECK(outcome.solve.converged);
    CHECK(last(outcome).rods[0].closed);
    CHECK((last(outcome).rods[0].position.front() - last(outcome).rods[0].position.back()).norm() < 1e-12);
    CHECK(last(outcome).energy.elastic == doctest::Approx(2 * M_PI * M_PI).epsilon(0.05 * std::pow(8.0 / segments, 4)));
  }
}

TEST_CASE("Michell's ring: a twist of 2π √3 EI/GJ makes it leave its plane, less does not") {
  for (const double ratio : {0.75, 1.0, 1.5}) {
    const double critical = 2 * M_PI * std::sqrt(3.0) / ratio;
    const auto is_stable = [&](double share) {
      const Outcome outcome = solved(ring(ratio, share * critical, 16));
      CHECK(outcome.solve.converged);
      double out_of_plane = 0;
      for (const Vec3& x : last(outcome).rods[0].position) out_of_plane = std::max(out_of_plane, std::abs(x.z()));
      return outcome.solve.stable == true && out_of_plane < 1e-3;
    };
    CHECK(is_stable(0.99));
    CHECK_FALSE(is_stable(1.01));
  }
}

TEST_CASE("A ring that hangs on a hold and carries a weight has the shape that kirchhoff finds") {
  Scene scene = in_spline(scene_of(R"(rods: {ring: {section: hose, material: rubber, closed: true, segments: 24,
  shape: {arc: {centre: [0, 0, -0.2], start: [0, 0, 0], axis: [0, 1, 0], angle: 1 turn}}}}
holds: [{rod: ring, at: start, fix: [position, orientation]}]
forces: [{rod: ring, at: 0.4, force: [0.2, 0.1, -0.4]}]
)"));
  const Outcome spline = solved(scene);
  CHECK(spline.solve.converged);
  CHECK(spline.solve.stable == true);
  scene.simulation.formulation = "kirchhoff";
  scene.rods[0].segments = 400;
  const Outcome other = solved(scene);
  for (const double s : {0.2, 0.4, 0.63, 1.0}) {
    const RodPose& a = last(spline).rods[0];
    const RodPose& b = last(other).rods[0];
    CHECK((a.position[sample_at(a, s)] - b.position[sample_at(b, s)]).norm() < 8e-3);
  }
  CHECK(last(spline).energy.elastic == doctest::Approx(last(other).energy.elastic).epsilon(2e-3));
  CHECK((last(spline).holds[0].force - last(other).holds[0].force).norm() < 1e-8);
  CHECK((last(spline).holds[0].moment - last(other).holds[0].moment).norm() < 1e-3);
}

TEST_CASE("A twisted ring, thrown, keeps its energy and its link") {
  Scene scene = ring(0.8, 3, 16);
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.step = 2e-3;
  scene.simulation.end = 0.4;
  scene.gravity = Vec3(0, 0, -9.81);
  scene.holds.clear();
  PointForce push;
  push.point = {"rod", {0.3, 0}};
  push.force = Vec3(1, 2, 30);
  scene.forces.push_back(push);
  const Result<Outcome> outcome = run(scene, {});
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  CHECK_MESSAGE(outcome->run->completed, outcome->run->why);
  CHECK(outcome->run->max_energy_error < 1e-6 * outcome->run->energy_scale);
  const RodPose& rod = last(*outcome).rods[0];
  CHECK(rod.turns + rod.writhe == doctest::Approx(3 / (2 * M_PI)).epsilon(2e-3));
}

}  // namespace filum::test::test_spline_rings
