// Spline rods in motion: energy, order, holds that are led, and what is refused.
#include "unit/spline/spline_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>

namespace filum::test::test_spline_motion {

namespace {

Outcome run_of(const Scene& scene) {
  const Result<Outcome> outcome = run(scene, {});
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  CHECK_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome;
}

// A rubber cord of 1 m on a pin, let go from the horizontal.
Scene pendulum(double step, double end, const std::string& integrator = "energy-momentum") {
  return in_spline(
      scene_of("rods: {cord: {section: hose, material: rubber, segments: 15, "
               "shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n"
               "holds: [{rod: cord, at: start, fix: [position]}]\n"
               "simulation: {mode: dynamics, integrator: " +
               integrator + ", step: " + std::to_string(step) + ", end: " + std::to_string(end) + "}\n"));
}

}  // namespace

TEST_CASE("A stout pendulum keeps its energy, and never gains any") {
  Scene scene = pendulum(1.0 / 60, 4);
  scene.materials[0].material.young = 2e9;  // wL³/EI about 1
  const Outcome outcome = run_of(scene);
  const double scale = outcome.run->energy_scale;
  double highest = 0;
  const double start = outcome.history.front().energy.balance();
  for (const HistoryRow& row : outcome.history) highest = std::max(highest, row.energy.balance() - start);
  CHECK(scale > 0);
  CHECK(highest < 1e-9 * scale);
  CHECK(outcome.run->max_energy_error < 1e-3 * scale);
}

TEST_CASE("A small swing has the period of a rigid rod, 2π √(2L/3g)") {
  Scene scene = pendulum(1.0 / 240, 3);
  scene.materials[0].material.young = 70e9;
  scene.rods[0].shape.points = {Vec3::Zero(), Vec3(std::sin(0.05), 0, -std::cos(0.05))};
  scene.record.probes.push_back({"tip", {"cord", {1, 0}}});
  const Outcome outcome = run_of(scene);
  // zero crossings of the tip
  std::vector<double> crossings;
  for (std::size_t i = 1; i < outcome.history.size(); ++i) {
    const double a = outcome.history[i - 1].probe[0][0], b = outcome.history[i].probe[0][0];
    if (a * b < 0)
      crossings.push_back(outcome.history[i - 1].t + (outcome.history[i].t - outcome.history[i - 1].t) * a / (a - b));
  }
  REQUIRE(crossings.size() >= 3);
  CHECK(crossings[2] - crossings[0] == doctest::Approx(2 * M_PI * std::sqrt(2 / (3 * 9.81))).epsilon(1e-3));
}

TEST_CASE("Implicit Euler comes to rest where statics has it") {
  Scene scene = pendulum(1.0 / 30, 12, "implicit-euler");
  scene.rods[0].damping.mass = 2;
  scene.holds[0].fix.orientation = kAllAxes;
  const Outcome moved = run_of(scene);
  const Outcome rest = solved(scene);
  CHECK((tip(moved) - tip(rest)).norm() < 1e-4);
}

TEST_CASE("A hold that is led does the work that arrives in the rod") {
  for (const char* integrator : {"energy-momentum", "implicit-euler"}) {
    Scene scene = pendulum(1.0 / 200, 1, integrator);
    scene.materials[0].material.young = 5e8;
    scene.gravity.setZero();
    scene.holds[0].name = "hand";
    scene.holds[0].fix.orientation = kAllAxes;
    Driver driver;
    driver.kind = DriverKind::Hold;
    driver.target = "hand";
    driver.path.resize(2);
    driver.path[0].position = Vec3::Zero();
    driver.path[1].t = 1;
    driver.path[1].position = Vec3(0, 0.1, 0.05);
    driver.path[1].turns = 0.3;
    scene.drivers.push_back(driver);
    const Outcome outcome = run_of(scene);
    CHECK((last(outcome).rods[0].position.front() - Vec3(0, 0.1, 0.05)).norm() < 1e-9);
    const Energy& energy = last(outcome).energy;
    CHECK(energy.work > 0);
    if (integrator == std::string("energy-momentum"))
      CHECK(outcome.run->max_energy_error < 0.02 * (energy.elastic + energy.kinetic));
  }
}

TEST_CASE("What cannot be moved is refused by name") {
  const auto refused = [](const Scene& scene) {
    const Result<Outcome> outcome = run(scene, {});
    return outcome.ok() ? std::string() : outcome.error().text();
  };
  Scene damped = pendulum(0.01, 1);
  damped.rods[0].damping.bend = 1;
  CHECK(refused(damped).find("damping of rod 'cord'") != std::string::npos);
}

}  // namespace filum::test::test_spline_motion
