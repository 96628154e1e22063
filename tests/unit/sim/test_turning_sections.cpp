// Cross-sections that may turn by themselves, at junctions and hinges, take no energy from a motion.
#include "unit/live_session.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace filum::test_turning_sections {

namespace {

struct Sample {
  const char* name;
  std::string text;
};

const Sample kSamples[] = {
    {"a trunk with two branches",
     "rods:\n"
     "  t: {material: rubber, section: hose, length: 0.4, segments: 12, shape: {line: [[0,0,0],[0.4,0,0]]}}\n"
     "  b: {material: rubber, section: hose, length: 0.3, segments: 9, shape: {line: [[0.4,0,0],[0.6,0.2236,0]]}}\n"
     "  c: {material: rubber, section: hose, length: 0.3, segments: 9, shape: {line: [[0.4,0,0],[0.6,-0.2236,0]]}}\n"
     "holds: [{rod: t, at: start, fix: [position, orientation]}]\n"
     "junctions: [{rods: [{rod: t, at: end}, {rod: b, at: start}, {rod: c, at: start}]}]\n"},
    {"a hinge",
     "rods: {t: {material: rubber, section: band, length: 0.5, segments: 15, shape: {line: [[0,0,0],[0.5,0,0]]}, "
     "rest: {curvature: [2, 1]}}}\n"
     "holds: [{rod: t, at: start, fix: {position: true, orientation: [x, z]}}]\n"}};

}  // namespace

TEST_CASE("what is let go keeps its energy at junctions and hinges") {
  for (const char* formulation : {"kirchhoff", "cosserat"})
    for (const Sample& sample : kSamples) {
      CAPTURE(std::string(formulation));
      CAPTURE(std::string(sample.name));
      Scene scene = test::scene_of(sample.text + "simulation: {mode: dynamics, step: 1/120}\n");
      scene.simulation.formulation = formulation;
      Session session = test::begun(scene);
      const double start = session.pose().energy.balance();
      double moved = 0;
      for (int k = 0; k < 90; ++k) {
        test::must(session.step());
        moved = std::max(moved, session.pose().energy.kinetic);
        CHECK(std::abs(session.pose().energy.balance() - start) < 1e-5 * moved);
      }
      CHECK(session.pose().energy.drained == 0);
    }
}

TEST_CASE("a tree that is thrown keeps its momenta, those of its junction among them") {
  Scene scene = test::scene_of(
      "gravity: [0, 0, 0]\n"
      "rods:\n"
      "  t: {material: rubber, section: hose, length: 0.4, segments: 8, shape: {line: [[0,0,0],[0.4,0,0]]}, spin: [3, "
      "1, 2]}\n"
      "  b: {material: rubber, section: band, length: 0.3, segments: 6, shape: {line: [[0.4,0,0],[0.6,0.2236,0]]}, "
      "velocity: [0.3, 0, 0.5]}\n"
      "junctions: [{rods: [{rod: t, at: end}, {rod: b, at: start}]}]\n"
      "simulation: {mode: dynamics, step: 1/240}\n");
  Session session = test::begun(scene);
  test::must(session.step());
  const Pose first = session.pose();
  for (int k = 0; k < 120; ++k) test::must(session.step());
  const Pose last = session.pose();
  CHECK((last.momentum - first.momentum).norm() < 1e-8 * first.momentum.norm());
  CHECK((last.angular_momentum - first.angular_momentum).norm() < 1e-7 * first.angular_momentum.norm());
}

}  // namespace filum::test_turning_sections
