// Free bodies that are solid: what a rod does to them and they to it, at rest and in motion.
#include "formulations/discrete/compile/compile_contact.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_body_contact {

using namespace filum::discrete;

namespace {

constexpr const char* kIntegrators[] = {"energy-momentum", "implicit-euler", "bdf2"};

Outcome ran(const std::string& text) {
  const Result<Outcome> outcome = run(test::scene_of(text));
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome;
}

// A ball of 0.1 kg on four ropes, two and two across each other.
const std::string kNet = R"(
rods:
  a: {material: rubber, section: hose, segments: 24, damping: {rayleigh: [4, 0.002]}, shape: {line: [[-0.3, -0.06, 0], [0.3, -0.06, 0]]}}
  b: {material: rubber, section: hose, segments: 24, damping: {rayleigh: [4, 0.002]}, shape: {line: [[-0.3, 0.06, 0], [0.3, 0.06, 0]]}}
  c: {material: rubber, section: hose, segments: 24, damping: {rayleigh: [4, 0.002]}, shape: {line: [[-0.06, -0.3, -0.02], [-0.06, 0.3, -0.02]]}}
  d: {material: rubber, section: hose, segments: 24, damping: {rayleigh: [4, 0.002]}, shape: {line: [[0.06, -0.3, -0.02], [0.06, 0.3, -0.02]]}}
bodies: {ball: {sphere: 0.1, mass: 0.1, position: [0, 0, 0.085], motion: free, solid: true}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position]}
  - {rod: b, at: start, fix: [position]}
  - {rod: b, at: end, fix: [position]}
  - {rod: c, at: start, fix: [position]}
  - {rod: c, at: end, fix: [position]}
  - {rod: d, at: start, fix: [position]}
  - {rod: d, at: end, fix: [position]}
)";

// A rod in space that a spinning block flies against.
const std::string kBlow = R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: wire, segments: 30, shape: {line: [[-0.3, 0, 0], [0.3, 0.1, 0]]}}}
bodies: {block: {box: [0.1, 0.06, 0.04], mass: 0.02, position: [0.05, 0.05, 0.06], velocity: [0.3, 0.1, -2], spin: [3, -5, 2],
  motion: free, solid: true, friction: 0.3}}
)";

// Momentum and angular momentum about the origin of a rod without rotary inertia and a body.
std::pair<Vec3, Vec3> momenta(const Pose& pose, double rod_mass, const Vec3& body_inertia, double body_mass) {
  Vec3 momentum = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  for (const RodPose& rod : pose.rods)
    for (std::size_t i = 0; i < rod.position.size(); ++i) {
      const bool end = i == 0 || i + 1 == rod.position.size();
      const Vec3 p = (end ? 0.5 : 1.0) * rod_mass / static_cast<double>(rod.position.size() - 1) * rod.velocity[i];
      momentum += p;
      angular += rod.position[i].cross(p);
    }
  for (const BodyPose& body : pose.bodies) {
    const Mat3 r = body.orientation.toRotationMatrix();
    momentum += body_mass * body.velocity;
    angular +=
        body.position.cross(body_mass * body.velocity) + r * body_inertia.asDiagonal() * r.transpose() * body.spin;
  }
  return {momentum, angular};
}

// The tangent against differences of the residual along steps d that solve (K + shift) d = −r, contacts as they are in
// balance: where a gap is not nil yet the law leaves a part of the second derivative out. Then other loads act.
void check_tangent(RodSystem& system, const RodState& state, Targets targets, bool whole) {
  using Want = RodSystem::Want;
  targets.load = 4;
  const auto residual = [&](RodState at) {
    at.contact_touch = state.contact_touch;
    at.contact_force = state.contact_force;
    at.contact_slip = state.contact_slip;
    at.tension = state.tension;
    system.evaluate(at, targets, Want::Residual);
    return system.step();
  };
  for (const double shift : {3.0, 30.0, 300.0}) {
    const double added = shift * system.typical_stiffness();
    RodState here = state;
    system.evaluate(here, targets, Want::TrueTangent);
    REQUIRE(system.contact().touches());
    const std::vector<double> right = system.step();
    REQUIRE(system.solve(added));
    const std::vector<double> d = system.step();
    const double h = 1e-5 / system.largest_rotation(state);
    const auto beyond = [&](double factor) {
      RodState moved = state;
      system.evaluate(moved, targets, Want::Residual);
      system.step() = d;
      system.advance(moved, factor);
      return residual(moved);
    };
    const std::vector<double> up = beyond(h);
    const std::vector<double> down = beyond(-h);
    double worst = 0, largest = 0, form = 0, told = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (!system.is_free(static_cast<int>(i))) continue;
      const double found = -(up[i] - down[i]) / (2 * h) + added * d[i];
      worst = std::max(worst, std::abs(found - right[i]));
      largest = std::max(largest, std::abs(right[i]));
      form += d[i] * found;
      told += d[i] * right[i];
    }
    CAPTURE(shift);
    CHECK(form == doctest::Approx(told).epsilon(1e-5));
    if (whole) CHECK(worst < 1e-4 * largest);
  }
}

}  // namespace

TEST_CASE("body contact: the tangent is the derivative of the residual, in motion and at rest") {
  // a rod pressed a little into a ball, with and without friction
  for (const char* friction : {"0", "0.3"})
    for (const std::string integrator : kIntegrators) {
      CAPTURE(friction);
      CAPTURE(integrator);
      const ModelData model = compile_with_contact(test::scene_of(std::string(R"(
rods: {a: {material: rubber, section: hose, segments: 8, shape: {line: [[-0.1, 0, 0], [0.1, 0.02, 0.01]]}}}
bodies: {ball: {sphere: 0.08, inertia: [1e-4, 2e-4, 1.5e-4], mass: 0.1, position: [0.005, 0.01, -0.0798],
  velocity: [0.1, 0.2, 0.1], spin: [5, 2, 3], motion: free, solid: true, friction: )") +
                                                                  friction +
                                                                  R"(}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position]}]
simulation: {mode: dynamics, end: 1, integrator: )" + integrator + "}\n"));
      RodSystem system(model, RodSystem::Symmetry::None);
      const Targets targets = sim::resting_targets(*model.scene);
      RodState state = start_state(model, targets);
      give_past(model, state);
      Motion motion;
      size_motion(model, motion);
      set_motion(model, state, targets, 0.01, motion);
      system.set_motion(&motion);
      system.contact().begin(state, targets, motion);
      for (int k = 0; k < 20; ++k) {
        system.evaluate(state, targets, RodSystem::Want::NewtonTangent);
        REQUIRE(system.solve(0));
        system.advance(state, 1);
      }
      check_tangent(system, state, targets, integrator == kIntegrators[0]);
    }
  // at rest, where an edge of a block lies across rods
  const ModelData model = compile_with_contact(test::scene_of(R"(
rods:
  a: {material: rubber, section: hose, segments: 9, shape: {line: [[-0.2, -0.05, 0], [0.2, -0.02, 0]]}}
  b: {material: rubber, section: hose, segments: 9, shape: {line: [[-0.2, 0.06, 0], [0.2, 0.07, 0]]}}
bodies: {block: {box: [0.1, 0.2, 0.1], mass: 0.1, position: [0.01, 0, 0.0757106781], motion: free, solid: true,
  orientation: [0.9238795325112867, 0, 0.3826834323650898, 0]}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position]}
  - {rod: b, at: start, fix: [position]}
  - {rod: b, at: end, fix: [position]}
)"));
  RodSystem system(model);
  const Targets targets = sim::resting_targets(*model.scene);
  RodState state = start_state(model, targets);
  system.begin_contact(state, targets, state.position);
  system.evaluate(state, targets, RodSystem::Want::Residual);
  for (std::size_t k = 0; k < state.contact_force.size(); ++k)
    if (state.contact_touch[k] != 0) state.contact_force[k] = 2;
  check_tangent(system, state, targets, false);
}

TEST_CASE("body contact: a ball comes to rest on ropes that bear its weight, and lies there at rest") {
  const Outcome still = test::solved(kNet);
  CHECK(still.solve.stable == true);
  double lift = 0;
  for (const ContactPose& contact : test::last(still).contacts) {
    CHECK(contact.b.body == 0);
    lift -= contact.force.z();
  }
  CHECK(lift == doctest::Approx(0.1 * 9.81).epsilon(1e-8));
  const Vec3 lies = test::last(still).bodies[0].position;
  CHECK(lies.head<2>().norm() < 1e-9);
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    const Outcome fallen =
        ran(kNet + "simulation: {mode: dynamics, step: 1/240, end: 9, integrator: " + integrator + "}\n");
    CHECK((test::last(fallen).bodies[0].position - lies).norm() < 1e-5);
    CHECK(test::last(fallen).bodies[0].velocity.norm() < 1e-4);
    if (integrator == kIntegrators[0]) CHECK(fallen.run->max_energy_error < 1e-7 * fallen.run->energy_scale);
  }
  // the same by cosserat
  const Outcome other = test::solved(kNet + "simulation: {formulation: cosserat}\n");
  CHECK((test::last(other).bodies[0].position - lies).norm() < 1e-8);
}

TEST_CASE("body contact: a blow between a rod and a body leaves momenta alone and loses what it says") {
  const Vec3 inertia = 0.02 / 12 * Vec3(0.06 * 0.06 + 0.04 * 0.04, 0.1 * 0.1 + 0.04 * 0.04, 0.1 * 0.1 + 0.06 * 0.06);
  const double rod_mass = 1100 * std::numbers::pi * 1e-6 * std::hypot(0.6, 0.1);
  const Outcome outcome = ran(kBlow + "simulation: {mode: dynamics, step: 1/480, end: 0.25}\nrecord: {every: 0.05}\n");
  const Pose& first = outcome.states.front().pose;
  const auto [momentum, angular] = momenta(first, rod_mass, inertia, 0.02);
  for (const Snapshot& state : outcome.states) {
    CAPTURE(state.t);
    const auto [p, l] = momenta(state.pose, rod_mass, inertia, 0.02);
    CHECK((p - momentum).norm() < 1e-9 * momentum.norm());
    // what the rod spins about itself is counted by the pose alone
    CHECK((l - state.pose.angular_momentum).norm() < 1e-5 * angular.norm());
    CHECK((state.pose.angular_momentum - first.angular_momentum).norm() < 1e-9 * angular.norm());
  }
  CHECK(outcome.run->max_energy_error < 1e-6 * outcome.run->energy_scale);
  CHECK(test::last(outcome).energy.dissipated > 1e-3 * outcome.run->energy_scale);
  // it has bounced off
  CHECK(test::last(outcome).bodies[0].velocity.z() > -1.9);
}

TEST_CASE("body contact: a load that hangs on a rope comes to rest against another") {
  const Outcome outcome = ran(R"(
rods:
  rope: {material: rubber, section: hose, segments: 10, damping: {rayleigh: [3, 0.02]}, shape: {line: [[0, 0, 0.5], [0, 0, 0.1]]}}
  left: {material: rubber, section: hose, segments: 20, damping: {rayleigh: [3, 0.02]}, shape: {line: [[0.13, -0.06, -0.3], [0.13, -0.06, 0.3]]}}
  right: {material: rubber, section: hose, segments: 20, damping: {rayleigh: [3, 0.02]}, shape: {line: [[0.13, 0.06, -0.3], [0.13, 0.06, 0.3]]}}
bodies: {load: {box: [0.2, 0.2, 0.2], mass: 1, motion: free, solid: true, friction: 0.4}}
holds:
  - {rod: rope, at: start, fix: [position]}
  - {rod: rope, at: end, body: load, fix: [position]}
  - {rod: left, at: start, fix: [position]}
  - {rod: left, at: end, fix: [position]}
  - {rod: right, at: start, fix: [position]}
  - {rod: right, at: end, fix: [position]}
forces: [{body: load, force: [4, 0, 0]}]
simulation: {mode: dynamics, step: 1/240, end: 6}
)");
  CHECK(test::last(outcome).bodies[0].velocity.norm() < 1e-3);
  Vec3 pushed = Vec3::Zero();
  for (const ContactPose& contact : test::last(outcome).contacts) pushed += contact.force;
  CHECK(pushed.x() > 0.5);
  for (const Check& check : outcome.checks) CHECK(check.kind != CheckKind::PassesThrough);
  CHECK(outcome.run->max_energy_error < 1e-6 * outcome.run->energy_scale);
}

TEST_CASE("body contact: a solid that moves freely has inertia, and any shape but a point") {
  const auto told = [](const std::string& body) {
    const Result<Scene> scene = parse_scene(test::kStock + R"(
rods: {a: {material: rubber, section: hose, segments: 10, shape: {line: [[0, 0, 1], [1, 0, 1]]}}}
bodies: {load: )" + body + "}\nobstacles: [{sphere: {centre: [0, 0, 0], radius: 0.1}, body: load}]\n",
                                            "test");
    return scene.ok() ? std::string() : scene.error().text();
  };
  CHECK(told("{mass: 1, inertia: 0.01, motion: free}").empty());
  CHECK(told("{capsule: [0.1, 0.2], density: 500, motion: free, solid: true}").empty());
  CHECK(told("{mass: 1, motion: free}").find("has no inertia") != std::string::npos);
  CHECK(told("{box: [1, 1, 0], mass: 1, motion: free, solid: true}").find("needs a shape") != std::string::npos);
}

}  // namespace filum::test_body_contact
