// Motion in cosserat: the discrete equations are those of kirchhoff, found in other unknowns, so both move alike.
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace filum::test_motion {

namespace {

Session begun(Scene scene, const char* formulation) {
  scene.simulation.formulation = formulation;
  Result<Session> session = Session::begin(scene);
  REQUIRE_MESSAGE(session.ok(), session.error().message);
  return std::move(*session);
}

double distance(const Pose& a, const Pose& b) {
  double largest = 0;
  for (std::size_t r = 0; r < a.rods.size(); ++r)
    for (std::size_t i = 0; i < a.rods[r].position.size(); ++i)
      largest = std::max(largest, (a.rods[r].position[i] - b.rods[r].position[i]).norm());
  for (std::size_t k = 0; k < a.bodies.size(); ++k)
    largest = std::max(largest, (a.bodies[k].position - b.bodies[k].position).norm());
  return largest;
}

struct Sample {
  const char* name;
  std::string text;
};

// One of each thing that has a place in the balance of a step.
std::vector<Sample> samples() {
  return {{"a cantilever let go, damped in every way", R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 14, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1],
           damping: {rayleigh: [0.5, 1e-3], bend: 1e-4, twist: 1e-4, stretch: 1e-2, air: 0.05}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
)"},
          {"a free rod thrown and spun", R"(
rods: {a: {material: rubber, section: hose, segments: 10, shape: {arc: {centre: [0,0,0], axis: [0,1,0], start: [0.5,0,0], angle: 1}}, normal: [0,1,0], velocity: [0.3,0,2], spin: [1,3,2]}}
simulation: {rotary_inertia: true}
)"},
          {"a ring with some twist in it, below buckling, which would part them", R"(
rods: {a: {material: rubber, section: hose, segments: 24, shape: {arc: {centre: [0,0,0], axis: [0,0,1], start: [0.1,0,0], angle: 360 deg}}, closed: true, normal: [0,0,1], twist: 0.8 turns}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
)"},
          {"a load on a swinging rope", R"(
rods: {a: {material: rubber, section: hose, length: 0.583, segments: 12, shape: {line: [[0,0,0],[0.5,0,-0.3]]}, normal: [0,1,0]}}
bodies: {load: {box: [0.1, 0.06, 0.04], mass: 2, position: [0.53, 0, -0.3], motion: free, spin: [0, 2, 1]}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position, orientation], body: load}]
)"},
          {"branches at a junction, one end led and turned", R"(
rods:
  trunk: {material: rubber, section: hose, length: 0.3, segments: 8, shape: {line: [[0,0,0],[0.3,0,0]]}, normal: [0,0,1]}
  left:  {material: rubber, section: hose, length: 0.25, segments: 7, shape: {line: [[0.3,0,0],[0.45,0.2,0]]}, normal: [0,0,1]}
  right: {material: rubber, section: hose, length: 0.25, segments: 7, shape: {line: [[0.31,-0.01,0],[0.46,-0.21,0]]}, normal: [0,0,1]}
holds:
  - {name: in, rod: trunk, at: start, fix: [position, orientation]}
  - {name: out, rod: left, at: end, fix: [position, orientation]}
junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}]
drivers: [{hold: in, path: [{t: 0}, {t: 0.3, position: [0.05, 0.02, 0.1], turns: 0.7}]}]
)"},
          {"forces and torques that follow, a driven length", R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 12, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
forces: [{rod: a, at: end, force: [0, 0.2, 0.3], follow: true}]
torques: [{rod: a, at: middle, torque: [0.01, 0.02, 0], follow: true}, {rod: a, at: end, torque: [0, 0, 0.01]}]
drivers: [{rod: a, path: [{t: 0, length: 0.5}, {t: 0.3, length: 0.55}]}]
)"},
          {"a hose that slides through a ring and a guide", R"(
rods: {a: {material: rubber, section: hose, length: 0.6, segments: 24, shape: {line: [[0,0,0],[0.6,0,0]]}, normal: [0,0,1]}}
holds: [{name: push, rod: a, at: start, fix: [position, orientation]},
        {rod: a, at: 0.2, fix: [position], slide: true}, {rod: a, at: 0.4, fix: [position, orientation], slide: true}]
drivers: [{hold: push, path: [{t: 0}, {t: 0.3, position: [0.06, 0.01, 0]}]}]
)"}};
}

}  // namespace

TEST_CASE("a scene moves in cosserat as it does in kirchhoff") {
  for (const Sample& sample : samples())
    for (const Integrator integrator : {Integrator::EnergyMomentum, Integrator::ImplicitEuler, Integrator::Bdf2}) {
      CAPTURE(std::string(sample.name));
      CAPTURE(static_cast<int>(integrator));
      Scene scene = test::scene_of(sample.text);
      scene.simulation.step = 1.0 / 240;
      scene.simulation.integrator = integrator;
      if (integrator == Integrator::Bdf2) scene.simulation.rotary_inertia = false;
      Session one = begun(scene, "kirchhoff");
      Session other = begun(scene, "cosserat");
      for (int k = 0; k < 72; ++k) {
        REQUIRE(one.step());
        REQUIRE(other.step());
      }
      const Pose a = one.pose();
      const Pose b = other.pose();
      // both converge to 1e-8 of the forces in every step
      CHECK(distance(a, b) < 1e-6);
      CHECK(b.energy.elastic == doctest::Approx(a.energy.elastic).epsilon(1e-4));
      CHECK(b.energy.kinetic == doctest::Approx(a.energy.kinetic).epsilon(1e-4));
      CHECK(b.energy.work == doctest::Approx(a.energy.work).epsilon(1e-4));
      CHECK(b.energy.dissipated == doctest::Approx(a.energy.dissipated).epsilon(1e-4));
      double scale = 1e-6;
      for (const HoldPose& hold : a.holds) scale = std::max(scale, hold.force.norm());
      for (std::size_t h = 0; h < a.holds.size(); ++h) {
        CHECK((a.holds[h].force - b.holds[h].force).norm() < 1e-3 * scale);
        CHECK((a.holds[h].moment - b.holds[h].moment).norm() < 1e-3 * scale);
      }
    }
}

TEST_CASE("a cable that has swung settles where one that never moved does") {
  Scene scene = test::scene_of(samples()[0].text);
  scene.simulation.formulation = "cosserat";
  Session moved = begun(scene, "cosserat");
  for (int k = 0; k < 30; ++k) REQUIRE(moved.step());
  CHECK(moved.pose().energy.kinetic > 1e-4);
  REQUIRE(moved.settle().converged);
  Session still = begun(scene, "cosserat");
  REQUIRE(still.settle().converged);
  CHECK(distance(moved.pose(), still.pose()) < 1e-8);
  CHECK(moved.pose().energy.kinetic == 0);
  // and goes on from rest
  REQUIRE(moved.step());
  CHECK(distance(moved.pose(), still.pose()) < 1e-8);
}

TEST_CASE("a run in cosserat begins, is saved and goes on to the same bits") {
  Scene scene = test::scene_of(samples()[4].text);
  Session whole = begun(scene, "cosserat");
  Session first = begun(scene, "cosserat");
  for (int k = 0; k < 10; ++k) {
    REQUIRE(whole.step());
    REQUIRE(first.step());
  }
  Session second = begun(scene, "cosserat");
  REQUIRE(second.load(first.save()).ok());
  for (int k = 0; k < 10; ++k) {
    REQUIRE(whole.step());
    REQUIRE(second.step());
  }
  CHECK(distance(whole.pose(), second.pose()) == 0);
}

TEST_CASE("a stepper that cosserat lacks is refused by name before anything runs") {
  Scene scene = test::scene_of(samples()[0].text);
  scene.simulation.formulation = "cosserat";
  scene.simulation.stepper = Stepper::Projection;
  const Result<Outcome> outcome = run(scene);
  REQUIRE(!outcome.ok());
  CHECK(outcome.error().message.find("stepper") != std::string::npos);
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  CHECK_FALSE(session->step());
  CHECK(session->time() == 0);
}

}  // namespace filum::test_motion
