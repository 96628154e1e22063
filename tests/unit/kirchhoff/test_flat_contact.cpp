// Flat rods touch obstacles by their outline: a band lies flat, falls over, rubs.
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace filum::test_flat_contact {
namespace {

constexpr double kHalf = 1.5e-3;  // of the band's thickness, m; it is 12 mm wide
// Of rubber: what positions leave of the law's stiff springs to round-off is then 1e-10 of its weight.
const double kWeight = 1100 * 12e-3 * 3e-3 * 0.4 * 9.81;
constexpr const char* kIntegrators[] = {"energy-momentum", "implicit-euler", "bdf2", "generalised-alpha"};
constexpr const char* kFloor = "plane: {point: [0, 0, 0], normal: [0, 0, 1]}";

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

// A band of 0.4 m at a height, its width turned from level by an angle about itself.
std::string band(double height, double turn, const std::string& more = "") {
  return "rods: {a: {material: rubber, section: band, segments: 16, normal: [0, " + number(std::cos(turn)) + ", " +
         number(std::sin(turn)) + "]" + more + ", shape: {line: [[-0.2, 0, " + number(height) + "], [0.2, 0, " +
         number(height) + "]]}}}\n";
}

// The same of metal.
std::string metal(std::string rods) {
  return rods.replace(rods.find("rubber"), 6, "metal");
}

std::string obstacle(const std::string& shape, double friction) {
  return "obstacles: [{name: floor, " + shape + ", friction: " + number(friction) + "}]\n";
}

std::string moving(const std::string& integrator, double end) {
  return "simulation: {mode: dynamics, integrator: " + integrator + ", step: 1/240, end: " + number(end) + "}\n";
}

Vec3 pressed(const Pose& pose) {
  Vec3 sum = Vec3::Zero();
  for (const ContactPose& contact : pose.contacts) sum += contact.force;
  return sum;
}

// All of it at half its thickness, its broad side down.
void check_flat(const Pose& pose) {
  for (const Vec3& x : pose.rods[0].position) CHECK(x.z() == doctest::Approx(kHalf).epsilon(2e-6));
  for (const Quat& frame : pose.rods[0].frame) CHECK(std::abs((frame * Vec3::UnitY()).z()) > 1 - 1e-9);
}

}  // namespace

TEST_CASE("flat contact: a band that is dropped askew, or stands on its edge, comes to lie flat") {
  for (const char* integrator : kIntegrators)
    for (const double turn : {0.3, -0.8, 1.5}) {
      CAPTURE(integrator);
      CAPTURE(turn);
      const Outcome outcome =
          ran(band(0.008, turn, ", damping: {rayleigh: [20, 1e-4]}") + obstacle(kFloor, 0.4) + moving(integrator, 1.5));
      check_flat(test::last(outcome));
      CHECK((pressed(test::last(outcome)) - Vec3(0, 0, kWeight)).norm() < 1e-6 * kWeight);
      for (const Vec3& v : test::last(outcome).rods[0].velocity) CHECK(v.norm() < 1e-6);
    }
}

TEST_CASE("flat contact: the accounts of a drop close, and nothing is gained") {
  const Outcome outcome = ran(band(0.01, 0.5) + obstacle(kFloor, 0.3) + moving("energy-momentum", 0.3));
  CHECK(outcome.run->max_energy_error < 1e-6 * outcome.run->energy_scale);
  double before = 0;
  for (const HistoryRow& row : outcome.history) {
    CHECK(row.energy.dissipated >= before - 1e-9 * outcome.run->energy_scale);
    before = row.energy.dissipated;
  }
}

TEST_CASE("flat contact: at rest a band lies flat, its forces balance to 1e-9, in both formulations") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(formulation);
    const Outcome outcome = test::solved(band(0.002, 0.1) + obstacle(kFloor, 0.4) +
                                         "simulation: {mode: statics, formulation: " + formulation + "}\n");
    check_flat(test::last(outcome));
    CHECK((pressed(test::last(outcome)) - Vec3(0, 0, kWeight)).norm() < 1e-9 * kWeight);
  }
}

TEST_CASE(
    "flat contact: on a slope a band across it holds without creep or slides by Coulomb's law, and does not roll") {
  const double angle = 20 * std::numbers::pi / 180;
  const auto slope = [&](double friction, double end) {
    return ran("gravity: [0, " + number(9.81 * std::sin(angle)) + ", " + number(-9.81 * std::cos(angle)) + "]\n" +
               band(kHalf, 0) + obstacle(kFloor, friction) + moving("energy-momentum", end));
  };
  const Outcome holds = slope(0.5, 2);
  for (const Vec3& x : test::last(holds).rods[0].position) CHECK(std::abs(x.y()) < 1e-7);
  const Outcome slides = slope(0.1, 0.5);
  const double wanted = 0.5 * 9.81 * (std::sin(angle) - 0.1 * std::cos(angle));
  CHECK(test::last(slides).rods[0].velocity[8].y() == doctest::Approx(wanted).epsilon(1e-3));
  check_flat(test::last(slides));
}

TEST_CASE("flat contact: a clamped band that is drawn on a table hangs down over its edge, across all of its width") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(formulation);
    const Outcome outcome = test::solved(std::string(R"(
rods: {a: {material: rubber, section: band, segments: 40, normal: [0, 1, 0],
  shape: {line: [[-0.2, 0, 1.5 mm], [0.1, 0, 1.5 mm]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
obstacles: [{name: table, box: {size: [0.3, 0.2, 0.1], position: [-0.15, 0, -0.05]}}]
simulation: {mode: statics, formulation: )") +
                                         formulation + "}\n");
    const RodPose& rod = test::last(outcome).rods[0];
    // it comes no lower than the table on the way, and hangs down beyond it
    for (std::size_t i = 0; i <= 25; ++i) CHECK(rod.position[i].z() > kHalf * (1 - 1e-4));
    CHECK(rod.position.back().z() < -0.01);
    for (const Vec3& x : rod.position) CHECK(std::abs(x.y()) < 1e-9);
    // both edges bear the same
    double sides = 0;
    for (const ContactPose& contact : test::last(outcome).contacts)
      sides += contact.force.norm() * (contact.position.y() > 0 ? 1 : -1);
    CHECK(std::abs(sides) < 1e-6 * pressed(test::last(outcome)).norm());
    for (const Check& check : outcome.checks) CHECK(check.kind != CheckKind::PassesThrough);
  }
}

TEST_CASE("flat contact: a band that is dropped comes to rest on every shape") {
  for (const char* shape : {"box: {size: [0.6, 0.2, 0.02], position: [0, 0, -0.01]}",
                            "box: {size: [0.6, 4 mm, 0.02], position: [0, 0, -0.01]}",
                            "cylinder: {from: [0, -0.1, -0.2], to: [0, 0.1, -0.2], radius: 0.2}",
                            "capsule: {from: [-0.3, 0, -0.02], to: [0.3, 0, -0.02], radius: 0.02}",
                            "sphere: {centre: [0, 0, -0.2], radius: 0.2}"}) {
    CAPTURE(shape);
    // of stiff metal: its fast vibrations are left to an integrator that damps them
    const Outcome outcome = ran(metal(band(0.005, 0.02, ", damping: {rayleigh: [20, 1e-3]}")) + obstacle(shape, 0.8) +
                                moving("implicit-euler", 0.4));
    for (const ContactPose& contact : test::last(outcome).contacts) CHECK(std::abs(contact.gap) < 1e-6 * kHalf);
    CHECK(!test::last(outcome).contacts.empty());
    for (const Vec3& v : test::last(outcome).rods[0].velocity) CHECK(v.norm() < 0.01);
    CHECK(test::last(outcome).rods[0].position[8].z() == doctest::Approx(kHalf).epsilon(0.01));
  }
}

TEST_CASE("flat contact: a free body that falls on a band is borne by it") {
  const Outcome outcome = ran(metal(band(kHalf, 0, ", damping: {rayleigh: [20, 1e-3]}")) + obstacle(kFloor, 0.5) + R"(
bodies: {brick: {box: [40 mm, 8 mm, 20 mm], mass: 0.2, position: [0, 0, 14 mm], motion: free, solid: true, friction: 0.5}}
)" + moving("energy-momentum", 0.5));
  check_flat(test::last(outcome));
  double weight = 0;
  for (const ContactPose& contact : test::last(outcome).contacts)
    if (contact.b.obstacle == 0 && contact.a.rod == 0) weight += contact.force.z();
  CHECK(weight == doctest::Approx(2700.0 / 1100 * kWeight + 0.2 * 9.81).epsilon(1e-4));
}

TEST_CASE("flat contact: rods that touch each other are told to do so as if they were round") {
  const Scene scene = test::scene_of(band(0.1, 0) + "contact: {rods: true}\nsimulation: {mode: dynamics, end: 1}\n");
  bool told = false;
  for (const std::string& warning : warnings(scene))
    told = told || warning.find("as if it were round") != std::string::npos;
  CHECK(told);
}

}  // namespace filum::test_flat_contact
