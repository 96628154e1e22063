// The ledger of rods whose lengths are driven: what the winch does is what the energies gain.
#include <filum/run.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_driven_length {

namespace {

RunReport ran(const std::string& text, const char* integrator, double step) {
  const Result<Scene> read = parse_scene(text, "test");
  REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().text()));
  Scene scene = *read;
  scene.simulation.step = step;
  scene.simulation.integrator = integrator[0] == 'b'   ? Integrator::Bdf2
                                : integrator[0] == 'i' ? Integrator::ImplicitEuler
                                                       : Integrator::EnergyMomentum;
  const Result<Outcome> outcome = run(scene);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome->run;
}

// How fast the largest gap in the ledger goes down with the step.
double order(const std::string& text, const char* integrator, double step) {
  return std::log2(ran(text, integrator, step).max_energy_error / ran(text, integrator, step / 2).max_energy_error);
}

// A load of 1 kg on a springy rope, half of which is hauled in: 45 rad/s, so that 2 ms resolve its bouncing.
const std::string kHoist = R"(filum: 1
sections: {rope: {shape: given, EA: 2e3, EI: [1e-3, 1e-3], GJ: 1e-3, mass_per_length: 0.01, radius: 2 mm}}
rods: {a: {section: rope, segments: 8, shape: {line: [[0, 0, 0], [0, 0, -1]]}}}
bodies: {b: {mass: 1, inertia: 1e-3, motion: free, position: [0, 0, -1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position], body: b}]
drivers: [{rod: a, path: [{t: 0, length: 1}, {t: 0.1, length: 0.99}, {t: 1, length: 0.5}]}]
simulation: {end: 1, start: equilibrium}
)";

// A cantilever that is pushed out of its clamp and sags the more.
const std::string kSag = R"(filum: 1
materials: {rubber: {young: 5e6, poisson: 0.45, density: 1100}}
sections: {hose: {shape: circle, radius: 5 mm}}
rods: {a: {material: rubber, section: hose, segments: 12, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}, rest: {curvature: [0, 1]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
drivers: [{rod: a, path: [{t: 0, length: 0.3}, {t: 0.2, length: 0.31}, {t: 0.6, length: 0.4}]}]
simulation: {end: 0.6, start: equilibrium}
)";

}  // namespace

TEST_CASE("hauling in a load: the work of the winch closes the ledger") {
  // 4.9 J are lifted; without the winch's work the gap is all of them
  const RunReport conserving = ran(kHoist, "energy-momentum", 1e-3);
  CHECK(conserving.energy_scale > 4);
  CHECK(conserving.max_energy_error < 1e-3 * conserving.energy_scale);
  CHECK(ran(kHoist, "bdf2", 1e-3).max_energy_error < 1e-2 * conserving.energy_scale);
}

TEST_CASE("its gap goes down with the square of the step") {
  // or there is none but what Newton leaves
  CHECK(ran(kHoist, "energy-momentum", 4e-3).max_energy_error < 1e-6);
  CHECK(order(kHoist, "bdf2", 4e-3) > 1.5);
  // steps that resolve the axial waves of the hose, which the kinks of its driver wake
  CHECK(order(kSag, "energy-momentum", 1e-3) > 1.7);
  CHECK(order(kSag, "bdf2", 5e-4) > 1.7);
}

}  // namespace filum::test_driven_length
