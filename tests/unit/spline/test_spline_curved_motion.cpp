// The default step of rods that are curved at rest or flat: nothing is lost, and the motion is that of the other
// formulations.
#include "unit/spline/spline_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>

namespace filum::test::test_spline_curved_motion {

namespace {

Outcome run_of(const Scene& scene) {
  const Result<Outcome> outcome = run(scene, {});
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  CHECK_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome;
}

// A spring that a hand has pulled, let go at once.
Scene spring(double step, double end) {
  return in_spline(scene_of(
      R"(rods:
  spring: {section: hose, material: rubber, segments: 26, rest: as-shaped,
           shape: {helix: {centre: [0, 0, 0], start: [40 mm, 0, 0], axis: [0, 0, -1], angle: 720 deg, pitch: 50 mm}}}
holds:
  - {rod: spring, at: start, fix: [position, orientation]}
simulation: {mode: dynamics, step: )" +
      std::to_string(step) + ", end: " + std::to_string(end) +
      "}\nrecord: {every: 0.05, probes: [{name: end, rod: spring, at: end}]}\n"));
}

// A band, rolled at rest, on a clamp: it whips and twists.
Scene band(double step, double end) {
  return in_spline(scene_of(R"(rods:
  band: {section: band, material: rubber, segments: 15, rest: {curvature: [3, 1], twist_rate: 2},
         shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}
holds: [{rod: band, at: start, fix: [position, orientation]}]
simulation: {mode: dynamics, step: )" +
                            std::to_string(step) + ", end: " + std::to_string(end) + "}\n"));
}

Vec3 tip_of(Scene scene, const char* formulation, int segments) {
  scene.simulation.formulation = formulation;
  scene.rods[0].segments = segments;
  return tip(run_of(scene));
}

}  // namespace

TEST_CASE("A spring and a rolled band lose next to nothing by the default step, the less the finer they are") {
  const auto error = [](Scene scene, int segments) {
    scene.rods[0].segments = segments;
    const Outcome outcome = run_of(scene);
    const double scale = outcome.run->energy_scale;
    MESSAGE(segments << ": energy error " << outcome.run->max_energy_error / scale << ", drained "
                     << last(outcome).energy.drained / scale << ", failed steps " << outcome.run->failed_steps);
    CHECK(last(outcome).energy.drained == 0);
    return outcome.run->max_energy_error / scale;
  };
  // what is left is that directors are made those of the curve after each step
  CHECK(error(spring(1.0 / 120, 3), 26) < 2e-5);
  CHECK(error(spring(1.0 / 120, 1), 52) < 1e-6);
  CHECK(error(band(1.0 / 120, 0.5), 15) < 2e-3);
  CHECK(error(band(1.0 / 120, 0.5), 30) < 1e-4);
}

TEST_CASE("A rolled band moves as in the formulation kirchhoff") {
  const Scene scene = band(1.0 / 1000, 0.1);
  const Vec3 spline = tip_of(scene, "spline", 24);
  const Vec3 coarse = tip_of(scene, "kirchhoff", 80), fine = tip_of(scene, "kirchhoff", 160);
  CHECK((coarse - fine).norm() < 1e-4);
  CHECK((spline - fine).norm() < 3e-4);
}

TEST_CASE("The default step is of second order for curved rods") {
  const Vec3 exact = tip_of(spring(1.0 / 16000, 0.1), "spline", 26);
  const double coarse = (tip_of(spring(1.0 / 2000, 0.1), "spline", 26) - exact).norm();
  const double fine = (tip_of(spring(1.0 / 4000, 0.1), "spline", 26) - exact).norm();
  CHECK(coarse / fine > 3.3);
}

TEST_CASE("A rod that is let out and hauled in gets the work that arrives in it") {
  for (const char* integrator : {"energy-momentum", "implicit-euler"}) {
    Scene scene = in_spline(scene_of(R"(rods: {rope: {section: hose, material: rubber, segments: 15,
  shape: {line: [[0, 0, 0], [0, 0, -1]]}}}
holds: [{rod: rope, at: start, fix: [position, orientation]}]
drivers: [{rod: rope, path: [{t: 0, length: 1}, {t: 1, length: 1.3}, {t: 2, length: 0.9}]}]
simulation: {mode: dynamics, step: 5 ms, end: 2}
)"));
    if (integrator == std::string("implicit-euler")) scene.simulation.integrator = Integrator::ImplicitEuler;
    const Outcome outcome = run_of(scene);
    const double share = outcome.run->max_energy_error / outcome.run->energy_scale;
    CHECK(share < (integrator == std::string("energy-momentum") ? 1e-6 : 0.05));
    CHECK(last(outcome).rods[0].s.back() == doctest::Approx(0.9));
    scene.simulation.formulation = "kirchhoff";
    const Outcome other = run_of(scene);
    CHECK((tip(outcome) - tip(other)).norm() < 5e-3);
  }
}

}  // namespace filum::test::test_spline_curved_motion
