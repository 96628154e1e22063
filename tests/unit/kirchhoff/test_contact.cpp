// Obstacles that hold rods off: rest on a slope and sliding down it, drops, driven bodies, what is refused.
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace filum::test_contact {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSlope = 20 * kPi / 180;
constexpr const char* kIntegrators[] = {"energy-momentum", "implicit-euler", "bdf2", "generalised-alpha"};

Outcome ran(const std::string& text) {
  const Result<Outcome> outcome = run(test::scene_of(text));
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  for (const Check& check : outcome->checks) CHECK(check.kind != CheckKind::PassesThrough);
  return *outcome;
}

std::string number(double x) {
  return std::to_string(x);
}

// Along a plane that is tilted by 20°, seen from the plane.
std::string slope(double friction, double end, const std::string& integrator) {
  return "gravity: [" + number(9.81 * std::sin(kSlope)) + ", 0, " + number(-9.81 * std::cos(kSlope)) + R"(]
rods: {a: {material: rubber, section: hose, segments: 50, shape: {line: [[0, 0, 5 mm], [1, 0, 5 mm]]}}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: )" +
         number(friction) + R"(}]
simulation: {mode: dynamics, integrator: )" +
         integrator + ", step: 1/240, end: " + number(end) + "}\nrecord: {every: " + number(end / 4) + "}\n";
}

double moved(const Outcome& outcome, std::size_t state) {
  double most = 0;
  const RodPose& before = outcome.states.front().pose.rods[0];
  const RodPose& after = outcome.states[state].pose.rods[0];
  for (std::size_t i = 0; i < after.s.size(); ++i)
    most = std::max(most, (after.position[i] - before.position[i]).norm());
  return most;
}

double fastest(const Outcome& outcome) {
  double most = 0;
  for (const Vec3& v : test::last(outcome).rods[0].velocity) most = std::max(most, v.norm());
  return most;
}

}  // namespace

TEST_CASE("contact: a rod on a slope is held without creep, or slides by Coulomb's law") {
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    const Outcome holds = ran(slope(0.5, 4, integrator));
    CHECK(moved(holds, holds.states.size() - 1) < 1e-7);
    CHECK(moved(holds, holds.states.size() - 1) == doctest::Approx(moved(holds, 1)).epsilon(1e-9));
    // what round-off of positions is over the part of a step by which generalised-alpha tells speeds
    CHECK(fastest(holds) < (std::string(integrator) == "generalised-alpha" ? 1e-11 : 1e-12));
    CHECK(holds.run->failed_steps == 0);
    const Outcome slides = ran(slope(0.1, 1, integrator));
    const double wanted = 9.81 * (std::sin(kSlope) - 0.1 * std::cos(kSlope));
    CHECK(test::last(slides).rods[0].velocity[25].x() == doctest::Approx(wanted).epsilon(1e-3));
    CHECK(slides.run->failed_steps == 0);
    // μ N times the way
    const double weight = 1100 * kPi * 25e-6 * 9.81;
    const double way = moved(slides, slides.states.size() - 1);
    CHECK(test::last(slides).energy.dissipated == doctest::Approx(0.1 * weight * std::cos(kSlope) * way).epsilon(1e-3));
  }
}

TEST_CASE("contact: a rope on a post holds at 0.98 of the capstan's limit and slips at 1.02") {
  const double limit = std::exp(0.3 * kPi);
  // A place of the rope on the post, and the tug at its end.
  const auto pulled = [&](double share, double end) {
    Result<Scene> scene = read_scene(std::string(FILUM_SOURCE_DIR) + "/scenes/rope-on-post.yaml");
    REQUIRE(scene.ok());
    scene->forces[1].force = Vec3(0, -100 * share * limit, 0);
    scene->simulation.end = end;
    const Result<Outcome> outcome = run(*scene);
    REQUIRE(outcome.ok());
    REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
    const RodPose& rope = test::last(*outcome).rods[0];
    return std::pair(rope.position[48], rope.position.back().y());
  };
  CHECK((pulled(0.98, 2).first - pulled(0.98, 1.5).first).norm() < 1e-7);
  // two bodies of 20 kg, and hardly any rope between them
  const double wanted = 0.02 * 100 * limit / (20 * (1 + limit));
  const double found = -(pulled(1.02, 2.5).second - 2 * pulled(1.02, 2).second + pulled(1.02, 1.5).second) / 0.25;
  CHECK(found == doctest::Approx(wanted).epsilon(0.02));
}

TEST_CASE("contact: the accounts close, and a blow gains nothing") {
  const Outcome outcome = ran(R"(
rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[0.2, 0, 0.1], [0.8, 0, 0.2]]}}}
obstacles: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.3}]
simulation: {mode: dynamics, step: 1/240, end: 1}
)");
  CHECK(outcome.run->max_energy_error < 1e-6 * outcome.run->energy_scale);
  double before = 0;
  for (const HistoryRow& row : outcome.history) {
    CHECK(row.energy.dissipated >= before - 1e-9 * outcome.run->energy_scale);
    before = row.energy.dissipated;
  }
}

TEST_CASE("contact: what is dropped comes to rest, on every shape, and never passes through") {
  for (const char* shape :
       {"plane: {point: [0, 0, 0], normal: [0, 0, 1]}", "box: {size: [2, 2, 0.02], position: [0.5, 0, -0.01]}",
        "cylinder: {from: [0.5, -1, -0.5], to: [0.5, 1, -0.5], radius: 0.5}",
        "sphere: {centre: [0.5, 0, -0.6], radius: 0.6}"}) {
    CAPTURE(shape);
    const Outcome outcome = ran(std::string(R"(
rods: {a: {material: rubber, section: hose, segments: 20, damping: {rayleigh: [2, 0.01]},
  shape: {line: [[0.2, 0, 0.1], [0.8, 0, 0.1]]}}}
obstacles: [{)") + shape + R"(, friction: 0.6}]
simulation: {mode: dynamics, step: 1/240, end: 2}
)");
    CHECK(fastest(outcome) < 0.01);
    double lowest = 1;
    for (const Vec3& x : test::last(outcome).rods[0].position) lowest = std::min(lowest, x.z());
    CHECK(lowest < 0.005 + 1e-6);
    CHECK(lowest > -0.1);
  }
}

TEST_CASE("contact: what strikes a floor evenly stays there, with every integrator") {
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    const Outcome outcome = ran(std::string(R"(
rods: {a: {material: rubber, section: hose, segments: 10, shape: {line: [[0, 0, 0.055], [0.3, 0, 0.055]]}}}
obstacles: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
simulation: {mode: dynamics, integrator: )") +
                                integrator + ", step: 1/240, end: 0.3}\n");
    // it falls 5 cm in 0.101 s
    for (const Snapshot& state : outcome.states)
      for (const Vec3& x : state.pose.rods[0].position)
        if (state.t > 0.12) CHECK(std::abs(x.z() - 0.005) < 1e-8);
    CHECK(test::last(outcome).energy.kinetic < 1e-9 * outcome.run->energy_scale);
  }
}

TEST_CASE("contact: an obstacle on a driven body takes along what lies on it, which is work") {
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    const Outcome outcome = ran(std::string(R"(
rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[-0.2, 0, 5 mm], [0.2, 0, 5 mm]]}}}
bodies: {belt: {motion: driven}}
obstacles: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, body: belt, friction: 0.5}]
drivers: [{body: belt, path: [{t: 0, position: [0, 0, 0]}, {t: 1, position: [0.1, 0, 0.05]}]}]
simulation: {mode: dynamics, integrator: )") +
                                integrator + ", step: 1/240, end: 1}\n");
    const Vec3& middle = test::last(outcome).rods[0].position[10];
    CHECK(middle.x() == doctest::Approx(0.1).epsilon(0.01));
    CHECK(middle.z() == doctest::Approx(0.055).epsilon(1e-3));
    const double weight = 1100 * kPi * 25e-6 * 9.81 * 0.4;
    CHECK(test::last(outcome).energy.work > 0.99 * weight * 0.05);
  }
}

TEST_CASE("contact: what has none yet is refused, with what to do instead") {
  const auto told = [](const std::string& simulation) {
    const Result<Scene> scene = parse_scene(test::kStock + R"(
rods: {a: {material: rubber, section: hose, segments: 10, shape: {line: [[0, 0, 1], [1, 0, 1]]}}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
simulation: )" + simulation + "\n",
                                            "test");
    return scene.ok() ? std::string() : scene.error().text();
  };
  const auto says = [&](const std::string& simulation, const std::string& words) {
    CAPTURE(simulation);
    CHECK(told(simulation).find(words) != std::string::npos);
  };
  CHECK(told("{mode: dynamics, end: 1}").empty());
  for (const std::string integrator : kIntegrators)
    CHECK(told("{mode: dynamics, end: 1, integrator: " + integrator + "}").empty());
  CHECK(told("{mode: dynamics, end: 1, stepper: projection}").empty());
  CHECK(told("{mode: dynamics, end: 1, formulation: cosserat}").empty());
  CHECK(told("{mode: dynamics, end: 1, formulation: cosserat, integrator: bdf2}").empty());
  says("{mode: dynamics, end: 1, formulation: spline}", "needs formulation kirchhoff or cosserat");
}

}  // namespace filum::test_contact
