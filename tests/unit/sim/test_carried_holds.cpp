// Holds on free bodies that slide, that hold along some of the body's axes, or that sit on a junction: against closed
// forms, in every formulation that has them; who has not says so.
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace filum::test_carried_holds {

namespace {

constexpr double kG = 9.81;

Result<Scene> read(const std::string& text) {
  const std::string sections =
      "filum: 1\nmaterials: {metal: {young: 70e9, poisson: 0.3, density: 2700}}\n"
      "sections:\n  cord: {shape: given, EA: 1e5, EI: [1e-2, 1e-2], GJ: 1e-2, mass_per_length: 1e-4, radius: 1 mm}\n"
      "  bar: {shape: circle, radius: 10 mm}\n  rib: {shape: circle, radius: 2 mm}\n  wire: {shape: circle, radius: 1 "
      "mm}\n";
  return parse_scene(sections + text, "test");
}

Scene scene_of(const std::string& text) {
  const Result<Scene> scene = read(text);
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

Pose rest_of(const std::string& text) {
  const Outcome outcome = test::solved(scene_of(text));
  REQUIRE_MESSAGE(outcome.solve.converged, outcome.solve.why);
  return test::last(outcome);
}

// A heavy bead on a light slack cord between two points of unequal height.
std::string bead_on_cord(const std::string& formulation) {
  return R"(
bodies: {bead: {box: [0.02, 0.02, 0.02], mass: 2, position: [0.45, 0, -0.6], motion: free}}
rods: {a: {section: cord, segments: 100, shape: {points: [[0, 0, 0], [0.45, 0, -0.6], [1, 0, 0.2]]}, rest: straight}}
holds: [{name: left, rod: a, at: start, fix: [position]}, {name: right, rod: a, at: end, fix: [position]},
        {name: eye, rod: a, at: 0.75 m, fix: [position], slide: true, body: bead}]
simulation: {formulation: )" +
         formulation + ", mode: statics}\n";
}

// A bead on a stiff straight rail, drawn down it by its weight.
std::string bead_on_rail(const std::string& formulation, const std::string& friction) {
  return R"(
bodies: {bead: {box: [0.02, 0.02, 0.02], mass: 0.1, position: [0.2, 0, -0.1], motion: free}}
rods: {a: {material: metal, section: bar, segments: 40, shape: {line: [[0, 0, 0], [2, 0, -1]]}}}
holds: [{name: left, rod: a, at: start, fix: [position, orientation]}, {name: right, rod: a, at: end, fix: [position, orientation]},
        {name: eye, rod: a, at: 10 %, fix: [position], slide: true, friction: )" +
         friction + R"(, body: bead}]
simulation: {formulation: )" +
         formulation + ", mode: dynamics, step: 1/240, end: 0.5}\n";
}

Outcome ran(const std::string& text) {
  const Result<Outcome> outcome = run(scene_of(text));
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  return *outcome;
}

}  // namespace

TEST_CASE("a bead on a slack cord comes to rest where both sides pull alike") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    const Pose pose = rest_of(bead_on_cord(formulation));
    // each side bears half the weight, but for 8 mN of the cord's own and what a mesh that bends within three segments of
    // √(EI/T) = 29 mm leaves
    CHECK((pose.holds[2].force - Vec3(0, 0, -2 * kG)).norm() < 1e-6);
    CHECK(pose.holds[0].force.z() == doctest::Approx(kG).epsilon(1e-3));
    CHECK(pose.holds[1].force.z() == doctest::Approx(kG).epsilon(1e-3));
    CHECK(std::abs(pose.holds[0].force.x() + pose.holds[1].force.x()) < 1e-6);
    // where a cord without stiffness has it: cos θ = D/L on both sides, and their heights differ by H; the bend takes
    // some millimetres of either side
    const double length = pose.rods[0].s.back();
    const double steep = std::acos(1 / length);
    CHECK(pose.holds[2].s == doctest::Approx(0.5 * (length - 0.2 / std::sin(steep))).epsilon(5e-3));
    CHECK((pose.bodies[0].position - pose.holds[2].position).norm() < 1e-9);
  }
}

TEST_CASE("a bead slides down its rail by g sin α, less what friction takes, and the account closes") {
  for (const char* formulation : {"kirchhoff", "cosserat"})
    for (const double friction : {0.0, 0.2}) {
      CAPTURE(std::string(formulation));
      CAPTURE(friction);
      const Outcome outcome = ran(bead_on_rail(formulation, std::to_string(friction) + " N"));
      const double slope = 1 / std::sqrt(5.0);
      const double way = 0.5 * (kG * slope - friction / 0.1) * 0.25;
      const Pose& pose = test::last(outcome);
      // the rail begins to sag as it is let go; friction comes on as its stick gives way by a thousandth of a segment, two
      // steps in which it is 2 m/s² short
      const double near = friction > 0 ? 1e-2 : 2e-3;
      CHECK(pose.holds[2].s == doctest::Approx(0.1 * std::sqrt(5.0) + way).epsilon(near));
      CHECK(outcome.run->max_energy_error < 1e-8 * outcome.run->energy_scale);
    }
}

TEST_CASE("what slides outwards on a spinning body gains as energy and angular momentum say") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    // a short stiff bar along z that the body holds along its own y and z and from turning; free along x
    const Outcome outcome = ran(R"(
gravity: [0, 0, 0]
bodies: {arm: {mass: 3, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0], spin: [0, 0, 4], motion: free}}
rods: {a: {material: metal, section: bar, segments: 4, shape: {line: [[0.1, 0, -0.05], [0.1, 0, 0.05]]},
           velocity: [0, 0.4, 0], spin: [0, 0, 4]}}
holds: [{name: slot, rod: a, at: middle, fix: {position: [y, z], orientation: true}, body: arm}]
simulation: {formulation: )" + std::string(formulation) +
                                ", mode: dynamics, step: 1/480, end: 0.4}\n");
    const Pose& pose = test::last(outcome);
    const double mass = 2700 * std::numbers::pi * 1e-4 * 0.1;
    const double reduced = mass * 3 / (mass + 3);
    // about the common centre: L = (I + μ r²) ω, 2E = (I + μ r²) ω² + μ ṙ²; the bar's own spin inertia is in I
    const double inertia = 0.02 + 0.5 * mass * 1e-4;
    const auto of = [&](double r) { return inertia + reduced * r * r; };
    const double r0 = 0.1, w0 = 4;
    const auto rate = [&](double r) { return std::sqrt(of(r0) * w0 * w0 * (1 - of(r0) / of(r)) / reduced); };
    double r = r0 + 1e-9;
    double t = 0;
    // ṙ begins as √: in r̈ = r ω² instead
    double speed = 0;
    const double h = 1e-6;
    while (t < 0.4 - 0.5 * h) {
      const double w = of(r0) * w0 / of(r);
      speed += h * r * w * w;
      r += h * speed;
      t += h;
    }
    CHECK(speed == doctest::Approx(rate(r)).epsilon(1e-4));
    const Vec3 apart = pose.rods[0].position[2] - pose.bodies[0].position;
    CHECK(apart.norm() == doctest::Approx(r).epsilon(2e-3));
    CHECK(pose.bodies[0].spin.z() == doctest::Approx(of(r0) * w0 / of(r)).epsilon(2e-3));
    CHECK(outcome.run->max_energy_error < 1e-6 * outcome.run->energy_scale);
  }
}

TEST_CASE("a slot bears no force along its free axis, in kirchhoff, cosserat and chain alike") {
  // a cantilever whose tip lies in a slot of a hanging block: free along an x that turns with the block
  const auto text = [](const std::string& formulation) {
    return R"(
bodies: {block: {box: [0.1, 0.1, 0.1], mass: 0.3, position: [0.4, 0, 0], orientation: [0.966, 0, 0.259, 0], motion: free}}
rods: {beam: {material: metal, section: rib, segments: 20, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}},
       hanger: {material: metal, section: wire, segments: 20, shape: {line: [[0.4, 0, 0.3], [0.4, 0, 0]]}}}
holds: [{name: wall, rod: beam, at: start, fix: [position, orientation]}, {name: roof, rod: hanger, at: start, fix: [position, orientation]},
        {name: below, rod: hanger, at: end, fix: [position, orientation], body: block},
        {name: slot, rod: beam, at: end, fix: {position: [y, z]}, body: block}]
simulation: {formulation: )" +
           formulation + ", mode: statics}\n";
  };
  const Pose fine = rest_of(text("kirchhoff"));
  // world axes at the start, which turn with the block
  const Quat drawn = Quat(0.966, 0, 0.259, 0).normalized();
  const Vec3 free = fine.bodies[0].orientation * (drawn.conjugate() * Vec3::UnitX());
  CHECK(std::abs(fine.holds[3].force.dot(free)) < 1e-9);
  CHECK(fine.holds[3].force.norm() > 0.04);
  // what hangs on the hanger is the block's weight and what the beam gives it
  CHECK((fine.holds[2].force + fine.holds[3].force - Vec3(0, 0, -0.3 * kG)).norm() < 1e-6);
  for (const char* other : {"cosserat", "chain"}) {
    CAPTURE(std::string(other));
    const Pose pose = rest_of(text(other));
    const double near = std::string(other) == "chain" ? 1e-3 : 1e-9;  // chain: second order in 20 elements
    CHECK((pose.bodies[0].position - fine.bodies[0].position).norm() < near);
    CHECK((pose.holds[3].force - fine.holds[3].force).norm() <
          (near < 1e-6 ? 1e-6 : 0.02 * fine.holds[3].force.norm()));
  }
}

TEST_CASE("a free body holds a junction of rods") {
  for (const char* formulation : {"kirchhoff", "cosserat", "chain"})
    for (const char* fix : {"[position]", "[position, orientation]"}) {
      CAPTURE(std::string(formulation));
      CAPTURE(std::string(fix));
      const Pose pose = rest_of(R"(
bodies: {hook: {box: [0.05, 0.05, 0.05], mass: 1.5, position: [0.3, 0, -0.3], motion: free}}
rods: {left: {material: metal, section: wire, segments: 12, shape: {line: [[0, 0, 0], [0.3, 0, -0.25]]}},
       right: {material: metal, section: wire, segments: 12, shape: {line: [[0.6, 0, 0], [0.3, 0, -0.25]]}}}
junctions: [{name: eye, rods: [{rod: left, at: end}, {rod: right, at: end}]}]
holds: [{name: l, rod: left, at: start, fix: [position]}, {name: r, rod: right, at: start, fix: [position]},
        {name: hang, rod: right, at: end, body: hook, fix: )" +
                                std::string(fix) + R"(}]
simulation: {formulation: )" + formulation +
                                ", mode: statics}\n");
      CHECK((pose.holds[2].force - Vec3(0, 0, -1.5 * kG)).norm() < 1e-6 * kG);
      CHECK(pose.bodies[0].position.x() == doctest::Approx(0.3).epsilon(1e-6));
      // stretch and bending of the wires lower it by less than a tenth of a millimetre
      CHECK(pose.bodies[0].position.z() == doctest::Approx(-0.3).epsilon(1e-3));
    }
}

TEST_CASE("who cannot carry a hold names it and who can") {
  const auto refused = [](const std::string& text) {
    const Result<Scene> scene = read(text);
    REQUIRE_FALSE(scene.ok());
    return scene.error().message;
  };
  CHECK(refused(bead_on_cord("chain")) == "the sliding hold 'eye' needs formulation kirchhoff or cosserat or spline");
  CHECK(refused(bead_on_cord("spline")) ==
        "hold 'eye' that slides on a free body needs formulation kirchhoff or cosserat");
}

}  // namespace filum::test_carried_holds
