// Point loads dead and following, distributed forces, drivers and paths.
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <numbers>

namespace filum::test_loads {

using filum::test::check_balance;
using filum::test::last;
using filum::test::scene_of;
using filum::test::solved;

namespace {

std::string cantilever(const std::string& more, int segments = 30) {
  return "gravity: [0, 0, 0]\nrods: {a: {material: rubber, section: hose, segments: " + std::to_string(segments) +
         ", shape: {line: [[0,0,0],[0.3,0,0]]}, normal: [0,0,1]}}\n"
         "holds: [{name: root, rod: a, at: start, fix: [position, orientation]}]\n" +
         more;
}

std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// EI of the hose: E π r⁴ / 4
const double kHoseBending = 5e6 * std::numbers::pi * std::pow(5e-3, 4) / 4;

}  // namespace

TEST_CASE("dead loads of every kind balance") {
  const Scene scene = scene_of(cantilever(R"(
forces: [{rod: a, at: end, force: [0.05, 0.02, -0.1]}, {rod: a, at: 0.1, force: [0, 0.1, 0]}]
torques: [{rod: a, at: 0.2, torque: [0.002, 0.001, -0.003]}, {rod: a, at: start, torque: [0, 0.01, 0]}]
distributed: [{rod: a, from: 0.05, to: 0.22, force_per_length: [0, 0.1, 0.2]}])"));
  const Outcome outcome = solved(scene);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  CHECK_FALSE(outcome.solve.stable.has_value());
  CHECK_FALSE(outcome.solve.why.empty());
  check_balance(scene, last(outcome));
}

TEST_CASE("a following force keeps its angle to the section, a dead one its direction") {
  for (const char* at : {"end", "0.2"}) {
    const Scene scene =
        scene_of(cantilever("forces: [{rod: a, at: " + std::string(at) + ", force: [0, 0, -0.06], follow: true}]"));
    const Outcome outcome = solved(scene);
    CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
    const Pose& pose = last(outcome);
    const std::size_t i = test::sample_at(pose.rods[0], at[0] == 'e' ? 0.3 : 0.2);
    // drawn along d1 with its sign reversed (the normal is z)
    const Vec3 force = -0.06 * (pose.rods[0].frame[i] * Vec3::UnitX());
    CHECK((pose.holds[0].force + force).norm() < 1e-8 * force.norm());
    CHECK((pose.holds[0].moment + pose.rods[0].position[i].cross(force)).norm() < 1e-8 * 0.06 * 0.3);
    // it has turned: the section is far from where it was
    CHECK(force.z() > -0.055);
  }
}

TEST_CASE("end torques, dead and following, bend a rod to a circle") {
  // κ = T / EI all along: dead and following agree in the plane; about the tangent a following one twists
  const double torque = 2 * kHoseBending / 0.3;
  for (const char* follow : {"false", "true"}) {
    const Scene scene = scene_of(
        cantilever("torques: [{rod: a, at: end, torque: [0, " + digits(torque) + ", 0], follow: " + follow + "}]"));
    const Outcome outcome = solved(scene);
    CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
    const RodPose& rod = last(outcome).rods[0];
    for (const Vec2& k : rod.curvature) CHECK(k.norm() == doctest::Approx(2 / 0.3).epsilon(1e-8));
    const Vec3 tangent = rod.frame.back() * Vec3::UnitZ();
    CHECK(std::atan2(-tangent.z(), tangent.x()) == doctest::Approx(2).epsilon(1e-8));
  }
}

TEST_CASE("out of the plane a dead torque and a following one differ, and each balances") {
  auto tip = [](const char* follow) {
    const Scene scene =
        scene_of(cantilever("forces: [{rod: a, at: end, force: [0, 0, -0.05]}]\ntorques: [{rod: a, at: end, torque: "
                            "[0.004, 0, 0.002], follow: " +
                            std::string(follow) + "}]"));
    const Outcome outcome = solved(scene);
    CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
    const Pose& pose = last(outcome);
    const Vec3 force(0, 0, -0.05);
    Vec3 torque(0.004, 0, 0.002);
    if (follow[0] == 't') {
      // drawn frame: d1 = z, d2 = d3 × d1 = −y, d3 = x
      Mat3 drawn;
      drawn << Vec3::UnitZ(), -Vec3::UnitY(), Vec3::UnitX();
      torque = pose.rods[0].frame.back().toRotationMatrix() * drawn.transpose() * torque;
    }
    CHECK((pose.holds[0].force + force).norm() < 1e-8 * 0.05);
    CHECK((pose.holds[0].moment + torque + pose.rods[0].position.back().cross(force)).norm() < 1e-8 * 0.015);
    return pose.rods[0].position.back();
  };
  CHECK((tip("false") - tip("true")).norm() > 1e-3);
}

TEST_CASE("Newton converges quadratically under following and dead loads") {
  // a wrong unsymmetric tangent would still converge, but in many more iterations
  for (const char* follow : {"false", "true"}) {
    const Scene scene =
        scene_of(cantilever("forces: [{rod: a, at: end, force: [0.01, 0.02, -0.06], follow: " + std::string(follow) +
                            "}]\ntorques: [{rod: a, at: 0.2, torque: [0.004, 0.003, 0.002], follow: " + follow + "}]"));
    const Outcome outcome = solved(scene);
    CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
    CHECK(outcome.solve.iterations <= 12);
    CHECK(outcome.solve.load_steps == 0);
  }
}

TEST_CASE("a distributed force is the sum of its parts") {
  const Outcome spread =
      solved(cantilever("distributed: [{rod: a, from: 0.1, to: 0.25, force_per_length: [0, 0, -0.2]}]"));
  // resultant 0.2 N/m × 0.15 m
  CHECK(last(spread).holds[0].force.z() == doctest::Approx(0.03).epsilon(1e-9));
  const Outcome twice =
      solved(cantilever("distributed: [{rod: a, from: 0.1, to: 0.25, force_per_length: [0, 0, -0.1]}, {rod: a, from: "
                        "0.1, to: 0.25, force_per_length: [0, 0, -0.1]}]"));
  CHECK((last(spread).rods[0].position.back() - last(twice).rods[0].position.back()).norm() < 1e-12);
  // the moment at the root is that of the resultant at the loads' middle in linear theory; here it is a little less
  const double arm = last(spread).holds[0].moment.norm() / 0.03;
  CHECK(arm < 0.175);
  CHECK(arm > 0.165);
}

TEST_CASE("drivers scale forces and torques") {
  const std::string text = cantilever(R"(
forces: [{rod: a, at: end, force: [0, 0, -0.1]}]
torques: [{rod: a, at: end, torque: [0.01, 0, 0]}]
drivers:
  - {force: 0, path: [{t: 0, scale: 0}, {t: 2, scale: 1}]}
  - {torque: 0, path: [{t: 1, scale: 0.5}, {t: 2, scale: -1}]}
)");
  SolveOptions options;
  options.at = 1.5;
  const Outcome half = solved(text, options);
  CHECK(last(half).holds[0].force.z() == doctest::Approx(0.075).epsilon(1e-9));
  const Vec3 force(0, 0, -0.075);
  const Vec3 torque(-0.25 * 0.01, 0, 0);
  const Vec3 moment = last(half).rods[0].position.back().cross(force) + torque;
  CHECK((last(half).holds[0].moment + moment).norm() < 1e-8 * moment.norm());
  options.at = 0;
  const Outcome none = solved(text, options);
  CHECK(last(none).holds[0].force.norm() < 1e-12);
}

TEST_CASE("a driven length is a rod of that length") {
  auto rod = [](const std::string& length, const std::string& more) {
    return R"(
rods: {a: {material: rubber, section: hose, length: )" +
           length + R"(, segments: 30, shape: {line: [[0,0,0],[0.3,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation]}]
distributed: [{rod: a, from: 0 %, to: 50 %, force_per_length: [0, 0.1, 0]}]
)" + more;
  };
  SolveOptions options;
  options.at = 1;
  const Outcome driven =
      solved(rod("0.31", "drivers: [{rod: a, path: [{t: 0, length: 0.31}, {t: 1, length: 0.4}]}]"), options);
  const Outcome made = solved(rod("0.4", ""));
  CHECK(last(driven).rods[0].s.back() == doctest::Approx(0.4));
  for (std::size_t i = 0; i < 31; ++i)
    CHECK((last(driven).rods[0].position[i] - last(made).rods[0].position[i]).norm() < 1e-8);
  CHECK((last(driven).holds[0].force - last(made).holds[0].force).norm() < 1e-7 * last(made).holds[0].force.norm());
}

TEST_CASE("a path ends where a single solve does, warm-started") {
  const Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.4, segments: 30, shape: {line: [[0,0,0],[0.35,0,0]]}}}
bodies: {arm: {motion: driven, position: [0.35, 0, 0]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], body: arm}]
drivers: [{body: arm, path: [{t: 0}, {t: 1, position: [0.3, 0.05, -0.1]}]}]
record: {probes: [{name: mid, rod: a, at: middle}]}
)");
  SolveOptions options;
  options.path = 9;
  const Outcome path = solved(scene, options);
  REQUIRE(path.states.size() == 9);
  CHECK(path.solve.converged);
  for (std::size_t k = 0; k < 9; ++k) {
    CHECK(path.states[k].t == doctest::Approx(static_cast<double>(k) / 8));
    CHECK((path.states[k].pose.rods[0].position.back() -
           (Vec3(0.35, 0, 0) + static_cast<double>(k) / 8 * Vec3(-0.05, 0.05, -0.1)))
              .norm() < 1e-12);
    check_balance(scene, path.states[k].pose);
  }
  CHECK(path.history.size() == 9);
  SolveOptions end;
  end.at = 1;
  const Outcome direct = solved(scene, end);
  CHECK((last(path).rods[0].position[15] - last(direct).rods[0].position[15]).norm() < 1e-8);
  CHECK((path.history.back().probe[0] - direct.history.back().probe[0]).norm() < 1e-8);
}

TEST_CASE("thirty turns in and back return to the same shape") {
  const Scene scene = scene_of(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, length: 0.4, segments: 40, shape: {line: [[0,0,0],[0.4,0,0]]}}}
holds:
  - {rod: a, at: start, fix: [position, orientation]}
  - {name: far, rod: a, at: end, fix: [position, orientation], position: [0.6, 0, 0]}
drivers: [{hold: far, path: [{t: 0, turns: 0}, {t: 1, turns: 30}, {t: 2, turns: 0}]}]
)");
  SolveOptions options;
  options.path = 21;
  const Outcome path = solved(scene, options);
  CHECK_MESSAGE(path.solve.converged, path.solve.why);
  CHECK(path.states[10].pose.rods[0].turns == doctest::Approx(30).epsilon(1e-9));
  CHECK(std::abs(last(path).rods[0].turns) < 1e-9);
  for (std::size_t i = 0; i < 41; ++i)
    CHECK((last(path).rods[0].position[i] - path.states[0].pose.rods[0].position[i]).norm() < 1e-9);
}

}  // namespace filum::test_loads
