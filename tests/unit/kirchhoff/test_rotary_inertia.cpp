// Cross-sections with rotary inertia about all three of their axes: a rod that spins is a top.
#include "unit/live_session.hpp"

#include <filum/scene_file.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace filum::test_rotary_inertia {

namespace {

Scene scene_of(const std::string& text) {
  const Result<Scene> scene = parse_scene("filum: 1\n" + text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

// A stiff free rod, spun about its axis and tumbled.
std::string top(int segments) {
  return R"(
gravity: [0, 0, 0]
materials: {m: {young: 2e11, poisson: 0.3, density: 7800}}
sections: {s: {shape: circle, radius: 20 mm}}
rods: {a: {material: m, section: s, segments: )" +
         std::to_string(segments) + R"(, shape: {line: [[-0.1, 0, 0], [0.1, 0, 0]]}, spin: [200, 0, 2]}}
simulation: {mode: dynamics, step: 1 ms, rotary_inertia: true}
)";
}

Vec3 axis(const Pose& pose) {
  return (pose.rods[0].position.back() - pose.rods[0].position.front()).normalized();
}

struct Precession {
  double angle = 0;       // by which the axis has gone round the angular momentum, rad
  double momentum = 0;    // largest change of that, share of it
  double energy = 0;      // likewise of the kinetic energy
  double iterations = 0;  // a step
};

Precession follow(const Scene& scene, int steps) {
  Session session = test::begun(scene);
  const Vec3 momentum = session.pose().angular_momentum;
  const double energy = session.pose().energy.balance();
  const Vec3 up = momentum.normalized();
  Precession found;
  Vec3 before = axis(session.pose());
  for (int k = 0; k < steps; ++k) {
    test::must(session.step());
    const Pose pose = session.pose();
    const Vec3 now = axis(pose);
    const Vec3 from = before - before.dot(up) * up;
    const Vec3 to = now - now.dot(up) * up;
    found.angle += std::atan2(up.dot(from.cross(to)), from.dot(to));
    found.momentum = std::max(found.momentum, (pose.angular_momentum - momentum).norm() / momentum.norm());
    found.energy = std::max(found.energy, std::abs(pose.energy.balance() - energy) / energy);
    before = now;
  }
  const RunReport report = session.report();
  found.iterations = static_cast<double>(report.iterations) / static_cast<double>(report.steps);
  return found;
}

// |L|/I1 of a cylinder: I1 = m (3r² + l²)/12, I3 = m r²/2.
double precession_rate() {
  const double across = (3 * 0.02 * 0.02 + 0.2 * 0.2) / 12;
  const double along = 0.02 * 0.02 / 2;
  return std::hypot(200 * along, 2 * across) / across;
}

}  // namespace

TEST_CASE("a spun free rod precesses as a symmetric top, in kirchhoff and cosserat alike") {
  Scene scene = scene_of(top(20));
  const Precession one = follow(scene, 1000);
  // masses at the nodes have 1 + 2/N² of the rod's own inertia, 0.5 %
  CHECK(one.angle == doctest::Approx(precession_rate()).epsilon(0.01));
  // Newton's tolerance of 1e-10 a step, summed up over a thousand
  CHECK(one.momentum < 1e-8);
  CHECK(one.energy < 1e-9);
  scene.simulation.formulation = "cosserat";
  const Precession other = follow(scene, 1000);
  CHECK(other.angle == doctest::Approx(one.angle).epsilon(1e-7));
  CHECK(other.iterations == doctest::Approx(one.iterations).epsilon(0.02));
}

TEST_SUITE("long") {
  TEST_CASE("angular momentum with spin is kept to 1e-8 for ten seconds") {
    const Precession found = follow(scene_of(top(40)), 10000);
    CHECK(found.momentum < 1e-8);
    // 2/N² = 1.2e-3, and the step's own error (h·rate)²/12
    CHECK(found.angle == doctest::Approx(10 * precession_rate()).epsilon(0.002));
  }
}

TEST_CASE("implicit Euler has the gyroscopic moments too") {
  Scene scene = scene_of(top(20));
  scene.simulation.integrator = Integrator::ImplicitEuler;
  scene.simulation.step = 1e-4;
  // first order: a step turns by 0.02 rad about the axis, and by a tenth of that about the angular momentum
  const Precession found = follow(scene, 2000);
  CHECK(found.angle == doctest::Approx(0.2 * precession_rate()).epsilon(0.02));
  // nodes lose some to first order: at most Ω²h = 1.4 % a second
  CHECK(found.momentum < 1e-3);
}

TEST_CASE("what has no gyroscopic moments refuses rotary inertia by name") {
  for (const Integrator integrator : {Integrator::Bdf2, Integrator::GeneralisedAlpha}) {
    Scene scene = scene_of(top(8));
    scene.simulation.integrator = integrator;
    const Result<Session> session = Session::begin(scene);
    REQUIRE_FALSE(session.ok());
    CHECK(session.error().message.find("rotary inertia") != std::string::npos);
  }
}

TEST_CASE("given inertia about every axis keeps energy and momenta of a bent, stretching, tumbling strip") {
  Scene scene = scene_of(R"(
gravity: [0, 0, 0]
sections: {s: {shape: given, EA: 2e3, EI: [0.02, 0.5], GJ: 0.05, mass_per_length: 0.2, inertia: [2e-4, 5e-5, 3e-4]}}
rods: {a: {section: s, segments: 16, shape: {arc: {centre: [0,0,0], axis: [0.2,0,1], start: [0.5,0,0], angle: 1.5}},
           velocity: [0.2, -0.1, 0.4], spin: [12, 5, -7]}}
simulation: {mode: dynamics, step: 1/120, rotary_inertia: true}
)");
  Session session = test::begun(scene);
  const Pose start = session.pose();
  for (int k = 0; k < 240; ++k) {
    test::must(session.step());
    const Pose pose = session.pose();
    // Newton's tolerance, 1e-8 of the forces in each step, is what is left
    CHECK(pose.energy.balance() == doctest::Approx(start.energy.balance()).epsilon(1e-6));
    CHECK((pose.angular_momentum - start.angular_momentum).norm() < 1e-7 * start.angular_momentum.norm());
    CHECK((pose.momentum - start.momentum).norm() < 1e-7 * start.momentum.norm());
  }
  // it is not what it would be without it
  scene.simulation.rotary_inertia = false;
  Session thin = test::begun(scene);
  for (int k = 0; k < 240; ++k) test::must(thin.step());
  CHECK((axis(thin.pose()) - axis(session.pose())).norm() > 1e-3);
}

}  // namespace filum::test_rotary_inertia
