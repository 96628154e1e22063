// Contact of the explicit steppers: slopes, posts, drops on solids and on rods, driven solids, what passes through, the
// accounts, what is refused.
#include "rod/writhe.hpp"
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace filum::test_penalty_contact {

namespace {

constexpr const char* kSteppers[] = {"projection", "variational"};
constexpr double kSlope = 20 * std::numbers::pi / 180;
// A hose that neither needs to stretch.
constexpr const char* kHose = "material: rubber, section: hose, extensible: false";

Outcome ran(const std::string& text) {
  const Result<Outcome> outcome = run(test::scene_of(text));
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome;
}

std::string number(double x) {
  return std::to_string(x);
}

std::string moves(const std::string& stepper, double end, double step = 1.0 / 2000) {
  return "simulation: {mode: dynamics, stepper: " + stepper + ", step: " + number(step) + ", end: " + number(end) +
         "}\n";
}

double most_moved(const Pose& before, const Pose& after) {
  double most = 0;
  for (std::size_t i = 0; i < after.rods[0].position.size(); ++i)
    most = std::max(most, (after.rods[0].position[i] - before.rods[0].position[i]).norm());
  return most;
}

Outcome slid(double friction, double end, const std::string& stepper) {
  return ran("gravity: [" + number(9.81 * std::sin(kSlope)) + ", 0, " + number(-9.81 * std::cos(kSlope)) +
             "]\nrods: {a: {" + kHose + R"(, segments: 20, shape: {line: [[0, 0, 5 mm], [0.4, 0, 5 mm]]}}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: )" +
             number(friction) + "}]\n" + moves(stepper, end) + "record: {every: 0.1}\n");
}

}  // namespace

TEST_CASE("penalty contact: a rod on a slope is held without creep, or slides by Coulomb's law") {
  for (const char* stepper : kSteppers) {
    CAPTURE(stepper);
    const Outcome holds = slid(0.5, 2, stepper);
    const auto& states = holds.states;
    CHECK(most_moved(states.front().pose, states.back().pose) < 1e-4);
    CHECK(most_moved(slid(0.5, 1, stepper).states.back().pose, states.back().pose) < 1e-9);
    const Outcome slides = slid(0.1, 1, stepper);
    const double wanted = 0.5 * 9.81 * (std::sin(kSlope) - 0.1 * std::cos(kSlope));
    CHECK(test::last(slides).rods[0].position[5].x() - 0.1 == doctest::Approx(wanted).epsilon(0.003));
    // half the weight's work goes into heat as friction says
    const double mass = 1100 * std::numbers::pi * 25e-6 * 0.4;
    CHECK(test::last(slides).energy.dissipated ==
          doctest::Approx(0.1 * mass * 9.81 * std::cos(kSlope) * wanted).epsilon(0.01));
  }
}

TEST_CASE("penalty contact: what rests is inside by g h²/κ, and its contacts bear its weight") {
  for (const char* stepper : kSteppers) {
    CAPTURE(stepper);
    const double step = 1.0 / 2000;
    const Outcome outcome =
        ran(std::string("rods: {a: {") + kHose + R"(, segments: 10, shape: {line: [[0, 0, 5 mm], [0.2, 0, 5 mm]]}}}
obstacles: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
)" + moves(stepper, 1, step));
    const Pose& pose = test::last(outcome);
    for (const Vec3& x : pose.rods[0].position)
      CHECK(0.005 - x.z() == doctest::Approx(9.81 * step * step / 0.4).epsilon(1e-6));
    double borne = 0;
    for (const ContactPose& contact : pose.contacts) borne += contact.force.z();
    CHECK(borne == doctest::Approx(1100 * std::numbers::pi * 25e-6 * 0.2 * 9.81).epsilon(1e-6));
  }
}

TEST_CASE("penalty contact: what is dropped on solids comes to rest outside, gains nothing and loses what is told") {
  for (const char* stepper : kSteppers)
    for (const char* shape :
         {"plane: {point: [0, 0, 0], normal: [0, 0, 1]}", "box: {size: [2, 2, 0.02], position: [0.5, 0, -0.01]}",
          "cylinder: {from: [0.5, -1, -0.5], to: [0.5, 1, -0.5], radius: 0.5}"}) {
      CAPTURE(stepper);
      CAPTURE(shape);
      const Outcome outcome =
          ran(std::string("rods: {a: {") + kHose + R"(, segments: 15, damping: {rayleigh: [3, 0.002]},
  shape: {line: [[0.3, 0, 0.05], [0.7, 0, 0.05]]}}}
obstacles: [{)" +
              shape + ", friction: 0.6}]\n" + moves(stepper, 1.5));
      // edges go straight between their nodes, into what is round
      const bool flat = std::string(shape).find("cylinder") == std::string::npos;
      for (const Check& check : outcome.checks) CHECK((!flat || check.kind != CheckKind::PassesThrough));
      const Pose& pose = test::last(outcome);
      double lowest = 1;
      double fastest = 0;
      for (std::size_t i = 0; i < pose.rods[0].position.size(); ++i) {
        lowest = std::min(lowest, pose.rods[0].position[i].z());
        fastest = std::max(fastest, pose.rods[0].velocity[i].norm());
      }
      CHECK(fastest < 0.02);
      CHECK(lowest < 0.005);
      CHECK(lowest > -0.1);
      // of first order in the step: 0.9 % with a fourth of it
      CHECK(outcome.run->max_energy_error < 0.05 * outcome.run->energy_scale);
    }
}

TEST_CASE("penalty contact: rods hold each other off, and links stay linked") {
  for (const char* stepper : kSteppers) {
    CAPTURE(stepper);
    const Outcome outcome = ran(std::string("gravity: [0, 0, 0]\nrods:\n  one: {") + kHose +
                                ", segments: 24, closed: true, shape: {helix: {centre: [0, 0, 0], axis: [0, 0, 1], "
                                "start: [0.1, 0, 0], pitch: 0, turns: 1}}}\n" +
                                "  other: {" + kHose +
                                R"(, segments: 24, closed: true, velocity: [1, 0, 0],
    shape: {helix: {centre: [0.1, 0, 0], axis: [0, 1, 0], start: [0.2, 0, 0], pitch: 0, turns: 1}}}
contact: {rods: true, friction: 0.2}
)" + moves(stepper, 0.6, 1.0 / 4000));
    const auto& rods = test::last(outcome).rods;
    CHECK(std::abs(rod::linking_number(rods[0].position, rods[1].position)) == doctest::Approx(1).epsilon(1e-6));
    // the one took the other along: they share their momentum
    Vec3 mean = Vec3::Zero();
    for (const Vec3& v : rods[0].velocity) mean += v / static_cast<double>(rods[0].velocity.size());
    CHECK(mean.x() > 0.2);
  }
}

TEST_CASE("penalty contact: a rod that is thrown across another does not go through it") {
  for (const char* stepper : kSteppers)
    for (const double speed : {5.0, 60.0}) {
      CAPTURE(stepper);
      CAPTURE(speed);
      const Outcome outcome = ran(std::string("gravity: [0, 0, 0]\nrods:\n  wall: {") + kHose +
                                  ", segments: 10, shape: {line: [[-0.1, 0, 0], [0.1, 0, 0]]}}\n  thrown: {" + kHose +
                                  ", segments: 10, velocity: [0, 0, -" + number(speed) +
                                  R"(], shape: {line: [[0.003, -0.1, 0.103], [0.003, 0.1, 0.103]]}}
contact: {rods: true}
)" + moves(stepper, 0.3 / speed, 1.0 / 1000));
      const auto& rods = test::last(outcome).rods;
      CHECK(rods[1].position[5].z() > rods[0].position[5].z());
    }
}

TEST_CASE("penalty contact: a driven obstacle takes along what lies on it, which is work") {
  for (const char* stepper : kSteppers) {
    CAPTURE(stepper);
    const Outcome outcome =
        ran(std::string("rods: {a: {") + kHose + R"(, segments: 10, shape: {line: [[-0.1, 0, 5 mm], [0.1, 0, 5 mm]]}}}
bodies: {belt: {motion: driven}}
obstacles: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, body: belt, friction: 0.5}]
drivers: [{body: belt, path: [{t: 0, position: [0, 0, 0]}, {t: 1, position: [0.1, 0, 0.05]}]}]
)" + moves(stepper, 1));
    const Vec3& middle = test::last(outcome).rods[0].position[5];
    CHECK(middle.x() == doctest::Approx(0.1).epsilon(0.02));
    CHECK(middle.z() == doctest::Approx(0.055).epsilon(5e-3));
    const double weight = 1100 * std::numbers::pi * 25e-6 * 9.81 * 0.2;
    CHECK(test::last(outcome).energy.work > 0.98 * weight * 0.05);
  }
}

TEST_CASE("penalty contact: what is thrown at a thin plate does not go through it") {
  for (const char* stepper : kSteppers)
    for (const double speed : {5.0, 100.0}) {
      CAPTURE(stepper);
      CAPTURE(speed);
      const Outcome outcome =
          ran("gravity: [0, 0, 0]\nrods: {a: {" + std::string(kHose) + ", segments: 10, velocity: [0, 0, -" +
              number(speed) + R"(], shape: {line: [[0, 0, 0.1], [0.2, 0, 0.1]]}}}
obstacles: [{box: {size: [2, 2, 0.001], position: [0, 0, 0]}}]
)" + moves(stepper, 0.05, 1.0 / 1000));
      for (const Vec3& x : test::last(outcome).rods[0].position) CHECK(x.z() > 0);
    }
}

TEST_CASE("penalty contact: a free solid body and a section that is not round are refused by name") {
  const auto told = [](const std::string& text) {
    const Result<Scene> scene = parse_scene(test::kStock + text, "test");
    return scene.ok() ? std::string() : scene.error().text();
  };
  const std::string floor = "obstacles: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n";
  const std::string rod = "shape: {line: [[0, 0, 1], [1, 0, 1]]}, segments: 10, material: rubber";
  CHECK(told("rods: {a: {section: hose, " + rod + "}}\n" + floor + moves("projection", 1)).empty());
  CHECK(told("rods: {a: {section: band, " + rod + "}}\n" + floor + moves("projection", 1))
            .find("not round with this stepper (section 'band')") != std::string::npos);
  CHECK(told("rods: {a: {section: hose, " + rod +
             "}}\nbodies: {crate: {box: [0.1, 0.1, 0.1], mass: 1, motion: free, solid: true}}\n" + floor +
             moves("projection", 1))
            .find("(body 'crate'); implicit has it") != std::string::npos);
}

}  // namespace filum::test_penalty_contact
