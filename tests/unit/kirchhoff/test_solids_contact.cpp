// Free bodies that hold each other off, and obstacles them: slopes, rolling, stacks, blows, thin plates, what is told.
#include "unit/mesh_file.hpp"
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_solids_contact {

namespace {

constexpr double kSlope = 20 * std::numbers::pi / 180;
constexpr const char* kIntegrators[] = {"energy-momentum", "implicit-euler", "bdf2"};

// A scene has a rod: far away, and held.
const std::string kAside = R"(
rods: {a: {material: rubber, section: hose, segments: 2, shape: {line: [[30, 0, 0], [31, 0, 0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation]}]
)";

Outcome ran(const std::string& text) {
  const Result<Outcome> outcome = run(test::scene_of(kAside + text));
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome;
}

std::string floor_of(double friction) {
  return "obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: " +
         std::to_string(friction) + "}]\n";
}

std::string moves(const std::string& integrator, double end, const std::string& step = "1/240") {
  return "simulation: {mode: dynamics, step: " + step + ", end: " + std::to_string(end) +
         ", integrator: " + integrator + "}\n";
}

// Seen from a slope of 20°.
const std::string kTilted =
    "gravity: [" + std::to_string(9.81 * std::sin(kSlope)) + ", 0, " + std::to_string(-9.81 * std::cos(kSlope)) + "]\n";

const BodyPose& body(const Outcome& outcome, std::size_t k = 0) {
  return test::last(outcome).bodies[k];
}

}  // namespace

TEST_CASE("solids: a block on a slope is held without creep, or slides by Coulomb's law") {
  const std::string block =
      "bodies: {c: {box: [0.2, 0.2, 0.2], mass: 2, position: [0, 0, 0.1], motion: free, solid: true}}\n";
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    const Outcome early = ran(kTilted + block + floor_of(0.5) + moves(integrator, 0.5));
    const Outcome late = ran(kTilted + block + floor_of(0.5) + moves(integrator, 4));
    CHECK((body(late).position - Vec3(0, 0, 0.1)).norm() < 1e-6);
    CHECK((body(late).position - body(early).position).norm() < 1e-9);
    const Outcome slides = ran(kTilted + block + floor_of(0.1) + moves(integrator, 1));
    CHECK(body(slides).velocity.x() ==
          doctest::Approx(9.81 * (std::sin(kSlope) - 0.1 * std::cos(kSlope))).epsilon(1e-5));
    CHECK(body(slides).spin.norm() < 1e-6);
  }
}

TEST_CASE("solids: balls and capsules roll, and what rolls loses nothing") {
  // of a ball 5/7, of a cylinder with round ends by its own inertia
  const auto rolls = [&](const std::string& shape, double share) {
    const Outcome outcome = ran(kTilted + "bodies: {c: {" + shape + ", mass: 2, position: [0, 0, 0.1], motion: free, " +
                                "solid: true}}\n" + floor_of(0.5) + moves("energy-momentum", 1));
    CHECK(body(outcome).velocity.x() == doctest::Approx(share * 9.81 * std::sin(kSlope)).epsilon(1e-5));
    CHECK(body(outcome).spin.y() == doctest::Approx(body(outcome).velocity.x() / 0.1).epsilon(1e-5));
    CHECK(test::last(outcome).energy.dissipated < 1e-4 * outcome.run->energy_scale);
    CHECK(outcome.run->max_energy_error < 1e-8 * outcome.run->energy_scale);
  };
  rolls("sphere: 0.1", 5.0 / 7);
  const std::string lying = ", orientation: [0.7071067811865476, 0.7071067811865476, 0, 0]";
  rolls("cylinder: [0.1, 0.3]" + lying, 2.0 / 3);
  rolls("cylinder: [0.1, 0.02]" + lying, 2.0 / 3);
  rolls("capsule: [0.1, 0.3], inertia: [0.02, 0.02, 0.01], orientation: [0.7071067811865476, 0.7071067811865476, 0, 0]",
        1 / (1 + 0.01 / (2 * 0.1 * 0.1)));
}

TEST_CASE("solids: what is dropped tumbles, stacks and comes to rest") {
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    const Outcome stack = ran(R"(
bodies:
  c0: {box: [0.2, 0.2, 0.2], mass: 2, position: [0, 0, 0.1], motion: free, solid: true, friction: 0.4}
  c1: {box: [0.2, 0.2, 0.2], mass: 2, position: [0.02, -0.01, 0.35], motion: free, solid: true, friction: 0.4}
  c2: {box: [0.2, 0.2, 0.2], mass: 2, position: [0.04, -0.02, 0.6], motion: free, solid: true, friction: 0.4}
)" + floor_of(0.4) + moves(integrator, 2));
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(body(stack, k).position.z() == doctest::Approx(0.1 + 0.2 * static_cast<double>(k)).epsilon(1e-6));
      CHECK(body(stack, k).velocity.norm() < 1e-6);
    }
    const Outcome tumbles = ran(R"(
bodies: {c: {box: [0.2, 0.2, 0.2], mass: 2, position: [0, 0, 0.3], orientation: [0.9, 0.3, 0.2, 0.1], motion: free, solid: true}}
)" + floor_of(0.4) + moves(integrator, 3));
    CHECK(body(tumbles).position.z() == doctest::Approx(0.1).epsilon(1e-6));
    CHECK(body(tumbles).velocity.norm() < 1e-6);
    if (integrator == kIntegrators[0])
      for (const Outcome* each : {&stack, &tumbles})
        CHECK(each->run->max_energy_error < 1e-7 * each->run->energy_scale);
  }
}

TEST_CASE("solids: a blow of two bodies leaves momenta alone and loses what it says") {
  const Outcome outcome = ran(R"(
gravity: [0, 0, 0]
bodies:
  a: {box: [0.1, 0.06, 0.08], mass: 0.3, inertia: 3e-4, position: [0, 0, 0], spin: [2, -1, 3], motion: free, solid: true, friction: 0.3}
  b: {capsule: [0.03, 0.1], mass: 0.2, inertia: 2e-4, position: [0.02, 0.01, 0.25], velocity: [0, 0, -3], spin: [-4, 2, 1],
    orientation: [0.8, 0.5, 0.3, 0], motion: free, solid: true}
)" + moves("energy-momentum", 0.2, "1/960") +
                              "record: {every: 0.02}\n");
  const auto momenta = [](const Pose& pose) {
    const Vec3 p = 0.3 * pose.bodies[0].velocity, q = 0.2 * pose.bodies[1].velocity;
    return std::pair<Vec3, Vec3>(p + q, pose.bodies[0].position.cross(p) + pose.bodies[1].position.cross(q) +
                                            3e-4 * pose.bodies[0].spin + 2e-4 * pose.bodies[1].spin);
  };
  const auto [momentum, angular] = momenta(outcome.states.front().pose);
  for (const Snapshot& state : outcome.states) {
    CAPTURE(state.t);
    const auto [p, l] = momenta(state.pose);
    CHECK((p - momentum).norm() < 1e-10 * momentum.norm());
    CHECK((l - angular).norm() < 1e-8 * angular.norm());
  }
  CHECK(test::last(outcome).energy.dissipated > 0.05 * outcome.run->energy_scale);
  CHECK(outcome.run->max_energy_error < 1e-7 * outcome.run->energy_scale);
}

TEST_CASE("solids: nothing goes through a thin plate at any speed") {
  for (const char* speed : {"3", "30", "100", "300"}) {
    CAPTURE(speed);
    const Outcome outcome = ran(std::string(R"(
gravity: [0, 0, 0]
bodies: {b: {sphere: 0.02, mass: 0.1, position: [0, 0, 0.5], velocity: [0, 0, -)") +
                                speed + R"(], motion: free, solid: true}}
obstacles: [{box: {size: [1, 1, 0.005]}}]
)" + moves("energy-momentum", 0.3, "1/60"));
    CHECK(body(outcome).position.z() > 0.02);
  }
}

TEST_CASE("solids: a driven block pushes a crate over a rough floor, wherever its edges meet the crate's face") {
  // wider than the crate, its lower edge on the crate's face: the edge has no place of its own there
  for (const char* integrator : kIntegrators)
    for (const double friction : {0.1, 0.3})
      for (const std::string height : {"0.13", "0.21", "0.26"}) {
        CAPTURE(integrator);
        CAPTURE(friction);
        CAPTURE(height);
        const Outcome pushed = ran(R"(
bodies:
  pusher: {box: [0.1, 0.4, 0.2], position: [-0.2, 0.03, )" +
                                   height + R"(], motion: driven, solid: true}
  crate: {box: [0.2, 0.2, 0.2], mass: 2, position: [0, 0, 0.1], motion: free, solid: true}
drivers: [{body: pusher, path: [{t: 0, position: [-0.2, 0.03, )" +
                                   height + "]}, {t: 1, position: [0.3, 0.03, " + height + "]}]}]\n" +
                                   floor_of(friction) + moves(integrator, 1));
        CHECK(body(pushed, 1).position.x() == doctest::Approx(0.45).epsilon(1e-5));
        CHECK(body(pushed, 1).position.z() == doctest::Approx(0.1).epsilon(1e-5));
        // μ m g over the way, and m v², of which a plastic blow loses one half; struck above its middle the crate tips and
        // falls back
        const double off = height == "0.13" ? 0.02 : 0.06;
        CHECK(test::last(pushed).energy.work ==
              doctest::Approx(friction * 2 * 9.81 * 0.45 + 2 * 0.5 * 0.5).epsilon(off));
      }
}

TEST_CASE("solids: a cylinder stands, lies across things, falls over its rim, and comes to rest") {
  const std::string upright =
      "bodies: {c: {cylinder: [0.1, 0.3], mass: 2, position: [0, 0, 0.15], motion: free, solid: true}}\n";
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    // on a slope, below and above what friction bears
    const Outcome early = ran(kTilted + upright + floor_of(0.5) + moves(integrator, 0.5));
    const Outcome late = ran(kTilted + upright + floor_of(0.5) + moves(integrator, 2));
    CHECK((body(late).position - Vec3(0, 0, 0.15)).norm() < 1e-6);
    CHECK((body(late).position - body(early).position).norm() < 1e-9);
    const Outcome slides = ran(kTilted + upright + floor_of(0.1) + moves(integrator, 0.5));
    CHECK(body(slides).velocity.x() ==
          doctest::Approx(0.5 * 9.81 * (std::sin(kSlope) - 0.1 * std::cos(kSlope))).epsilon(1e-4));
    // dropped askew it tumbles and ends on its mantle or on a face
    const Outcome tumbles = ran(R"(
bodies: {c: {cylinder: [0.1, 0.3], mass: 2, position: [0, 0, 0.3], orientation: [0.95, 0.3, 0.05, 0.1], motion: free, solid: true}}
)" + floor_of(0.4) + moves(integrator, 4));
    const double height = body(tumbles).position.z();
    CHECK(std::min(std::abs(height - 0.1), std::abs(height - 0.15)) < 1e-5);
    // across two beams, as told; nothing of it goes into them
    const Outcome lies = ran(R"(
bodies: {c: {cylinder: [0.1, 0.6], mass: 2, position: [0, 0, 0.11], orientation: [0.7071067811865476, 0.7071067811865476, 0, 0], motion: free, solid: true, friction: 0.3}}
obstacles: [{box: {size: [1, 0.05, 0.1], position: [0, 0.2, -0.05]}}, {box: {size: [1, 0.05, 0.1], position: [0, -0.2, -0.05]}}]
)" + moves(integrator, 0.5));
    CHECK(body(lies).position.z() == doctest::Approx(0.1).epsilon(1e-5));
    CHECK(body(lies).velocity.norm() < 1e-4);
    double weight = 0;
    for (const ContactPose& each : test::last(lies).contacts) weight += each.force.z();
    CHECK(weight == doctest::Approx(2 * 9.81).epsilon(1e-3));
  }
  // leant over its rim, which is rounded by 0.04 of its radius: it stays while the line of its weight is within that circle
  for (const double lean : {0.95, 0.97}) {
    CAPTURE(lean);
    const double angle = std::atan(lean * 0.1 / 0.15);
    const Outcome leant =
        ran("gravity: [" + std::to_string(9.81 * std::sin(angle)) + ", 0, " + std::to_string(-9.81 * std::cos(angle)) +
            "]\n" + upright + floor_of(2) + moves("implicit-euler", 1));
    const double tilt = (body(leant).orientation * Vec3::UnitZ() - Vec3::UnitZ()).norm();
    CHECK((tilt < 1e-4) == (lean < 0.96));
  }
}

TEST_CASE("solids: meshes lie, slide and tumble as the shapes that they are") {
  const test::MeshFile cube = test::cube_file(0.2), sphere = test::sphere_file(0.1, 48);
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    const std::string crate =
        "bodies: {c: {mesh: " + cube.path + ", mass: 2, position: [0, 0, 0.1], motion: free, solid: true}}\n";
    const Outcome held = ran(kTilted + crate + floor_of(0.5) + moves(integrator, 1));
    CHECK((body(held).position - Vec3(0, 0, 0.1)).norm() < 1e-6);
    const Outcome slides = ran(kTilted + crate + floor_of(0.1) + moves(integrator, 1));
    CHECK(body(slides).velocity.x() ==
          doctest::Approx(9.81 * (std::sin(kSlope) - 0.1 * std::cos(kSlope))).epsilon(1e-5));
    // a stack of meshes on a block
    const Outcome stack =
        ran("bodies:\n  c0: {mesh: " + cube.path +
            ", mass: 2, position: [0, 0, 0.1], motion: free, solid: true, friction: 0.4}\n  c1: {mesh: " + cube.path +
            ", mass: 2, position: [0.02, 0.01, 0.33], " + "motion: free, solid: true, friction: 0.4}\n" +
            floor_of(0.4) + moves(integrator, 2));
    CHECK(body(stack, 1).position.z() == doctest::Approx(0.3).epsilon(1e-5));
    CHECK(body(stack, 1).velocity.norm() < 1e-5);
  }
  // a ball of facets rolls as a ball does, but for the blow with which it comes down on each: of n about it, one leaves
  // (I + m r² cos 2π/n)/(I + m r²) of the speed
  const Outcome rolls = ran(kTilted + "bodies: {c: {mesh: " + sphere.path +
                            ", mass: 2, position: [0, 0, 0.1], motion: free, solid: true}}\n" + floor_of(0.5) +
                            moves("energy-momentum", 1));
  const double free = 5.0 / 7 * 9.81 * std::sin(kSlope);
  const double lost = (1 - std::cos(2 * std::numbers::pi / 48)) / 1.4 / (0.1 * 2 * std::numbers::pi / 48);
  const double least = std::sqrt(free / lost);
  CHECK(body(rolls).velocity.x() < free);
  CHECK(body(rolls).velocity.x() > least * std::tanh(free / least));
  CHECK(body(rolls).position.z() == doctest::Approx(0.1).epsilon(0.01));
}

TEST_CASE("solids: what holds a body off is told, place by place, with what it does to it") {
  const double weight = 2 * 9.81;
  const auto sum = [](const Pose& pose, const ContactSide& a, const ContactSide& b) {
    Vec3 force = Vec3::Zero();
    for (const ContactPose& each : pose.contacts)
      if (each.a.body == a.body && each.b.body == b.body && each.b.obstacle == b.obstacle) force += each.force;
    return force;
  };
  const std::string block =
      "bodies: {c: {box: [0.2, 0.2, 0.2], mass: 2, position: [0, 0, 0.1], motion: free, solid: true}}\n";
  const ContactSide crate{.body = 0}, ground{.obstacle = 0};
  for (const char* integrator : kIntegrators) {
    CAPTURE(integrator);
    // held: all of the weight; sliding: N and μN
    const Pose held = test::last(ran(kTilted + block + floor_of(0.5) + moves(integrator, 0.5)));
    REQUIRE(held.contacts.size() == 4);
    const Vec3 pull = weight * Vec3(std::sin(kSlope), 0, -std::cos(kSlope));
    CHECK((sum(held, crate, ground) + pull).norm() < 1e-5 * weight);
    const Pose slides = test::last(ran(kTilted + block + floor_of(0.1) + moves(integrator, 1)));
    CHECK((sum(slides, crate, ground) - weight * std::cos(kSlope) * Vec3(-0.1, 0, 1)).norm() < 1e-5 * weight);
    for (const Pose* pose : {&held, &slides})
      for (const ContactPose& each : pose->contacts) {
        CHECK(each.stick == (pose == &held));
        CHECK(each.normal.z() == doctest::Approx(1));
        CHECK(std::abs(each.gap) < 1e-7);
        CHECK(std::abs(each.position.z()) < 1e-7);
      }
    // the way of the last step, and N times all of it
    const double way = body(ran(kTilted + block + floor_of(0.1) + moves(integrator, 1))).position.x();
    double chafing = 0;
    for (const ContactPose& each : slides.contacts) {
      chafing += each.chafing;
      CHECK(each.slip.x() == doctest::Approx(slides.bodies[0].velocity.x() / 240).epsilon(0.01));
    }
    CHECK(chafing == doctest::Approx(weight * std::cos(kSlope) * way).epsilon(1e-3));
    // a stack: the upper one's weight between them, both below
    const Pose stack = test::last(ran(R"(
bodies:
  c0: {box: [0.2, 0.2, 0.2], mass: 2, position: [0, 0, 0.1], motion: free, solid: true}
  c1: {sphere: 0.1, mass: 2, position: [0, 0, 0.3], motion: free, solid: true}
)" + floor_of(0.4) + moves(integrator, 0.5)));
    Vec3 between = Vec3::Zero();
    for (const ContactPose& each : stack.contacts) {
      if (each.a.body == 1 && each.b.body == 0) between += each.force;
      if (each.a.body == 0 && each.b.body == 1) between -= each.force;
    }
    CHECK((between - Vec3(0, 0, weight)).norm() < 1e-4 * weight);
    CHECK((sum(stack, crate, ground) - Vec3(0, 0, 2 * weight)).norm() < 1e-4 * weight);
  }
  // a driven block's edges on a free one's face: told of the one that is free
  const Pose lies = test::last(ran(R"(
bodies:
  stand: {box: [0.1, 0.1, 0.1], position: [0, 0, -0.05], motion: fixed, solid: true}
  plate: {box: [1, 1, 0.05], mass: 2, position: [0, 0, 0.025], motion: free, solid: true}
)" + moves("energy-momentum", 0.2)));
  CHECK((sum(lies, {.body = 1}, {.body = 0}) - Vec3(0, 0, weight)).norm() < 1e-4 * weight);
}

TEST_CASE("solids: what passes through obstacles all the same is told") {
  const auto told = [](const std::string& shape, const std::string& simulation) {
    const Result<Scene> scene =
        parse_scene(test::kStock + kAside + "bodies: {load: {" + shape + ", mass: 1, motion: free, solid: true}}\n" +
                        floor_of(0.1) + "simulation: " + simulation + "\n",
                    "test");
    REQUIRE(scene.ok());
    std::string all;
    for (const std::string& each : warnings(*scene)) all += each + "\n";
    return all;
  };
  const std::string runs = "{mode: dynamics, end: 1}";
  CHECK(told("box: [1, 1, 1]", runs).empty());
  CHECK(told("cylinder: [1, 1]", runs).empty());
  CHECK(told("box: [1, 1, 1]", "{mode: statics}").find("at rest body 'load' holds off rods alone") !=
        std::string::npos);
}

}  // namespace filum::test_solids_contact
