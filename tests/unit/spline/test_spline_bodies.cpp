// Spline rods in motion with what they hold: bodies, junctions, hinges, torques.
#include "unit/spline/spline_rig.hpp"

#include "rod/pose_at.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>

namespace filum::test::test_spline_bodies {

namespace {

Outcome run_of(const Scene& scene) {
  const Result<Outcome> outcome = run(scene, {});
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  CHECK_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome;
}

std::string in_motion(const char* integrator, double step, double end) {
  return std::string("simulation: {mode: dynamics, integrator: ") + integrator + ", step: " + std::to_string(step) +
         ", end: " + std::to_string(end) + "}\n";
}

}  // namespace

TEST_CASE("A dumbbell that spins and bends keeps its energy and its momenta") {
  Scene scene = in_spline(scene_of(R"(rods: {bar: {section: hose, material: rubber, segments: 8,
  shape: {line: [[-0.2, 0, 0], [0.2, 0, 0]]}}}
bodies:
  left: {box: [0.04, 0.03, 0.02], mass: 0.05, position: [-0.21, 0, 0], motion: free, velocity: [0, -0.4, 0.1], spin: [0, 0.5, 2]}
  right: {box: [0.02, 0.03, 0.04], mass: 0.04, position: [0.21, 0, 0], motion: free, velocity: [0, 0.5, -0.1], spin: [0, 0.5, 2]}
holds:
  - {rod: bar, at: start, fix: [position, orientation], body: left}
  - {rod: bar, at: end, fix: [position, orientation], body: right}
)" + in_motion("energy-momentum", 1.0 / 240, 1)));
  scene.gravity.setZero();
  scene.materials[0].material.young = 5e7;
  const Outcome outcome = run_of(scene);
  const double scale = outcome.run->energy_scale;
  CHECK(scale > 0);
  double highest = 0;
  const double start = outcome.history.front().energy.balance();
  for (const HistoryRow& row : outcome.history) highest = std::max(highest, row.energy.balance() - start);
  CHECK(highest < 1e-4 * scale);
  CHECK(outcome.run->max_energy_error < 0.02 * scale);
  // the middle of all masses moves on evenly: 0.05·(−0.4) + 0.04·0.5 = 0 along y
  const auto middle = [&](const Pose& pose) {
    return Vec3(0.05 * pose.bodies[0].position + 0.04 * pose.bodies[1].position);
  };
  const Vec3 drift = middle(last(outcome)) - middle(outcome.states.front().pose);
  CHECK(std::abs(drift[1]) < 5e-3);
}

TEST_CASE("A torsional pendulum has the period 2π √(J L/GJ)") {
  for (const char* integrator : {"energy-momentum", "implicit-euler"}) {
    CAPTURE(integrator);
    const bool keeps = integrator == std::string("energy-momentum");
    Scene scene = in_spline(scene_of(R"(rods: {wire: {section: wire, material: metal, segments: 6,
  shape: {line: [[0, 0, 0], [0, 0, -0.5]]}}}
bodies: {disc: {inertia: [1e-4, 1e-4, 1e-4], mass: 0.2, position: [0, 0, -0.5], motion: free, spin: [0, 0, 0.5]}}
holds:
  - {rod: wire, at: start, fix: [position, orientation]}
  - {rod: wire, at: end, fix: [position, orientation], body: disc}
)" + in_motion(integrator, keeps ? 1.0 / 200 : 1.0 / 2000, 1)));
    scene.gravity.setZero();
    // what it begins with is not forgotten where it begins at rest
    if (keeps) scene.simulation.start = StartKind::Equilibrium;
    const double GJ = 70e9 / 2.6 * M_PI / 2 * 1e-12;
    const double period = 2 * M_PI * std::sqrt(1e-4 * 0.5 / GJ);
    const Outcome outcome = run_of(scene);
    // the body's angle is the twist of the wire
    const auto angle = [](const Pose& pose) { return 2 * std::asin(pose.bodies[0].orientation.z()); };
    double most = 0;
    for (const auto& state : outcome.states) most = std::max(most, std::abs(angle(state.pose)));
    // amplitude: spin over the frequency
    CHECK(most == doctest::Approx(0.5 * period / (2 * M_PI)).epsilon(keeps ? 0.02 : 0.1));
    if (keeps) CHECK(outcome.run->max_energy_error < 1e-3 * outcome.run->energy_scale);
  }
}

TEST_CASE("A weight on a hose and a branched harness move as fine discrete rods do") {
  const std::string texts[] = {R"(rods: {hose: {section: hose, material: rubber, segments: 12,
  shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
bodies: {weight: {box: [0.02, 0.03, 0.04], mass: 0.02, position: [0.31, 0, 0], motion: free}}
holds:
  - {rod: hose, at: start, fix: [position, orientation]}
  - {rod: hose, at: end, fix: [position, orientation], body: weight}
)",
                               R"(rods:
  trunk: {section: hose, material: rubber, segments: 8, shape: {line: [[0, 0, 0], [0.2, 0, 0]]}}
  left: {section: hose, material: rubber, segments: 8, shape: {line: [[0.2, 0, 0], [0.4, 0.1, 0]]}}
  right: {section: hose, material: rubber, segments: 8, shape: {line: [[0.2, 0, 0], [0.4, -0.15, 0]]}}
junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}]
holds:
  - {rod: trunk, at: start, fix: [position, orientation]}
  - {rod: left, at: end, fix: [position]}
)",
                               R"(rods: {arm: {section: hose, material: rubber, segments: 10,
  shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
holds: [{rod: arm, at: start, fix: {position: true, orientation: [x, z]}}]
forces: [{rod: arm, at: end, force: [0, 0, 0.05], follow: true}]
torques: [{rod: arm, at: 0.2, torque: [0, 0.002, 0]}]
)"};
  for (const std::string& text : texts) {
    CAPTURE(text);
    const Scene scene = scene_of(text + in_motion("energy-momentum", 1.0 / 480, 0.25));
    const Outcome spline = run_of(in_spline(scene));
    Scene fine = scene;
    for (Rod& rod : fine.rods) rod.segments = 60;
    const Outcome nodes = run_of(fine);
    double way = 0;
    double apart = 0;
    for (std::size_t r = 0; r < scene.rods.size(); ++r)
      for (const double part : {0.3, 0.7, 1.0}) {
        const double s = part * last(spline).rods[r].s.back();
        const Vec3 there = rod::position_at(last(nodes).rods[r], s);
        way = std::max(way, (there - rod::position_at(nodes.states.front().pose.rods[r], s)).norm());
        apart = std::max(apart, (there - rod::position_at(last(spline).rods[r], s)).norm());
      }
    CHECK(way > 0.05);
    CHECK(apart < 0.02 * way);
  }
}

}  // namespace filum::test::test_spline_bodies
