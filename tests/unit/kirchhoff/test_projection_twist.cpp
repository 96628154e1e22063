// Quasi-static twist under the projection stepper: uniform, persistent, and in step with the shape of the centre line.
#include "math/dense.hpp"
#include "unit/kirchhoff/projection_rig.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_projection_twist {

using namespace filum::test;

namespace {

Scene clamped_line(int segments, Grip at_end) {
  Scene scene = bare_scene(given(0.02, 0.013, 0.1));
  add_line(scene, {0, 0, 0}, {1, 0, 0}, segments);
  add_hold(scene, 0, Grip::Clamp);
  add_hold(scene, 1, at_end);
  return scene;
}

}  // namespace

TEST_CASE("projection: between two clamps the twist is uniform, with a free end there is none") {
  Scene scene = clamped_line(10, Grip::Clamp);
  Motion motion(scene);
  motion.targets.holds[1].turns = 0.3;
  motion.steps(1, 1e-4);
  for (std::size_t k = 0; k < motion.state.twist.size(); ++k) {
    // joints at the clamps stand for half an edge
    const double share = motion.model.joints[k].cell;
    CHECK(motion.state.twist[k] == doctest::Approx(0.3 * kTurn * share).epsilon(1e-12));
  }
  // the moment on the turning end is GJ Θ/L about the rod
  motion.steps(1, 1e-4);
  CHECK(motion.state.hold_moment[1].x() == doctest::Approx(0.013 * 0.3 * kTurn).epsilon(1e-9));
  CHECK(motion.state.hold_moment[0].x() == doctest::Approx(-0.013 * 0.3 * kTurn).epsilon(1e-9));

  Scene loose = clamped_line(10, Grip::Place);
  loose.rods[0].twist = 2;
  Motion free(loose);
  free.steps(1, 1e-4);
  for (const double twist : free.state.twist) CHECK(std::abs(twist) < 1e-12);
}

TEST_CASE("projection: fifty turns in, fifty turns counted, and out again") {
  for (const bool round : {true, false}) {
    Scene scene = clamped_line(8, Grip::Clamp);
    if (!round) scene.sections[0].section.EI[1] = 0.05;
    Motion motion(scene);
    for (int k = 1; k <= 125; ++k) {
      motion.targets.holds[1].turns = 0.4 * k;
      motion.steps(1, 1e-5);
    }
    CHECK(motion.twist() == doctest::Approx(50 * kTurn).epsilon(1e-10));
    for (int k = 124; k >= 0; --k) {
      motion.targets.holds[1].turns = 0.4 * k;
      motion.steps(1, 1e-5);
    }
    CHECK(std::abs(motion.twist()) < 1e-9);
  }
}

TEST_CASE("projection: half a turn in one step is refused in words") {
  Motion motion(clamped_line(8, Grip::Clamp));
  motion.targets.holds[1].turns = 0.5;
  const StepReport report = motion.step(1e-4);
  CHECK_FALSE(report.usable);
  CHECK(std::string(report.why).find("half a turn") != std::string::npos);
}

TEST_CASE("projection: the two ends may turn against each other by nearly half a turn each") {
  Motion motion(clamped_line(8, Grip::Clamp));
  for (int k = 1; k <= 4; ++k) {
    motion.targets.holds[0].turns = -0.45 * k;
    motion.targets.holds[1].turns = 0.45 * k;
    motion.steps(1, 1e-5);
  }
  CHECK(motion.twist() == doctest::Approx(3.6 * kTurn).epsilon(1e-12));
}

TEST_CASE("projection: taking the end's tangent round a loop twists the rod by the solid angle") {
  // The end's section is carried without twist along a cone of half-angle a about the rod; coming round, it has been
  // turned by the solid angle 2π(1 − cos a) against where it was. Bending is left out of it: the nodes stay in line.
  Scene scene = bare_scene(given(0.02, 0.013, 0.1));
  add_line(scene, {0, 0, 0}, {1, 0, 0}, 4);
  for (const double where : {0.0, 0.25, 0.5, 0.75, 1.0})
    add_hold(scene, where, where == 0 || where == 1 ? Grip::Clamp : Grip::Place);
  Motion motion(scene);
  const double cone = 0.8;
  const long count = 4000;
  Quat section = motion.targets.holds[4].orientation;
  Vec3 tangent = Vec3::UnitX();
  auto carry = [&](const Vec3& next) {
    section = math::smallest_turn(tangent, next) * section;
    tangent = next;
    motion.targets.holds[4].orientation = section;
    motion.steps(1, 1e-4);
  };
  auto on_cone = [&](double angle) {
    return Vec3(std::cos(cone), std::sin(cone) * std::cos(angle), std::sin(cone) * std::sin(angle));
  };
  for (int k = 1; k <= 20; ++k) carry(Vec3(std::cos(cone * k / 20.0), std::sin(cone * k / 20.0), 0));
  for (long k = 1; k <= count; ++k) carry(on_cone(kTurn * static_cast<double>(k) / count));
  for (int k = 19; k >= 0; --k) carry(Vec3(std::cos(cone * k / 20.0), std::sin(cone * k / 20.0), 0));
  const double solid = kTurn * (1 - std::cos(cone));
  // 4000 chords of the circle: their solid angle is short by some 1e-6
  CHECK(std::abs(motion.twist()) == doctest::Approx(solid).epsilon(3e-6));
}

TEST_CASE("projection: a band that nothing turns finds its angle, however little it is bent") {
  // on a spinning body by its end alone: straight at first, when all angles are worth the same but for round-off
  Section band = given(0.1, 0.1, 0.05);
  band.EI[1] = 0.2;
  Scene scene = bare_scene(band);
  add_line(scene, Vec3(0, 0.1, 0), Vec3(0, 1, 0.2), 20);
  Body body;
  body.name = "body";
  body.mass = 1;
  body.inertia = Vec3(1e-2, 2e-2, 2.5e-2);
  body.spin = Vec3(1, 2, 3);
  body.motion = BodyMotion::Free;
  scene.bodies.push_back(body);
  add_hold(scene, 0, Grip::Place).body = "body";
  Motion motion(scene);
  const double start = motion.energy();
  motion.steps(1000, motion.scheme->longest_step());
  // bent on its soft side, and no energy made
  CHECK(motion.elastic() > 1e-7);
  CHECK(std::abs(motion.energy() - start) < 0.01 * start);
}

TEST_CASE("projection: a ring keeps its link while it moves out of its plane") {
  Scene scene = bare_scene(given(0.02, 0.013, 0.1));
  add_ring(scene, 1, 40).twist = 2.2 * kTurn;
  Motion motion(scene);
  // an ellipse bent into a saddle: some writhe comes and goes, the twist answers
  for (int node = 0; node < motion.model.nodes; ++node) {
    const double a = kTurn * node / motion.model.nodes;
    motion.v(node) = Vec3(0, 0, 0.6 * std::sin(2 * a + 0.3) + 0.3 * std::cos(3 * a));
  }
  const double h = motion.scheme->longest_step();
  double least = motion.twist();
  double most = least;
  for (int k = 0; k < 3000; ++k) {
    motion.steps(1, h);
    least = std::min(least, motion.twist());
    most = std::max(most, motion.twist());
    // the seam's frames meet but for its twist and offset
    const discrete::Joint& seam = motion.model.joints[0];
    const double found =
        rod::joint_strain(motion.frame(seam.left, seam.offset), motion.frame(seam.right, 0), motion.state.twist[0])
            .twist;
    REQUIRE(std::abs(found - motion.state.twist[0]) < 1e-9);
  }
  CHECK(most - least > 1e-3);
  CHECK(most < 3 * kTurn);
  CHECK(least > kTurn);
}

}  // namespace filum::test_projection_twist
