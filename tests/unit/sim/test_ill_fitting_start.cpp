// Runs of rods that are drawn otherwise than they are held: the first step has no gap to close and no turn to catch up with.
#include "unit/live_session.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace filum::test_ill_fitting_start {

namespace {

Session begun(const std::string& text, const char* formulation) {
  Scene scene = test::scene_of(text + "simulation: {mode: dynamics, step: 0.1 ms}\n");
  scene.simulation.formulation = formulation;
  return test::begun(scene);
}

struct Sample {
  const char* name;
  std::string text;
};

const Sample kSamples[] = {
    {"a clamp that holds the cross-section turned by 170 degrees about the rod",
     "rods: {a: {section: band, material: rubber, length: 0.5, segments: 20, shape: {line: [[0,0,0],[0.5,0,0]]}, "
     "normal: [0,0,1]}}\n"
     "holds: [{name: h, rod: a, at: start, fix: [position, orientation], orientation: {tangent: [1,0,0], normal: [0, "
     "0.17, -0.98]}}]\n"},
    {"a slack rod whose end is held along one axis",
     "rods: {a: {section: hose, material: rubber, length: 0.5, segments: 20, shape: {line: [[0,0,0],[0.4,0,0]]}}}\n"
     "holds: [{name: h, rod: a, at: start, fix: [position, orientation]}, {name: g, rod: a, at: end, fix: {position: "
     "[x]}}]\n"},
    {"a hold beside the rod that is to slide through it",
     "rods: {a: {section: hose, material: rubber, length: 0.5, segments: 20, shape: {line: [[0,0,0],[0.4,0,0]]}}}\n"
     "holds: [{name: h, rod: a, at: start, fix: [position]}, {name: g, rod: a, at: 53 %, fix: [position], slide: true, "
     "position: [0.2, 0.03, -0.04]}]\n"}};

}  // namespace

TEST_CASE("rods that do not fit their holds as drawn are moved, and keep their energy") {
  for (const char* formulation : {"kirchhoff", "cosserat"})
    for (const Sample& sample : kSamples) {
      CAPTURE(std::string(formulation));
      CAPTURE(std::string(sample.name));
      Session session = begun(sample.text, formulation);
      const Pose first = session.pose();
      double moved = 0;
      for (int k = 0; k < 24; ++k) {
        test::must(session.step());
        moved = std::max(moved, session.pose().energy.kinetic);
        CHECK(std::abs(session.pose().energy.balance() - first.energy.balance()) <
              1e-6 * (std::abs(first.energy.elastic) + moved));
      }
      CHECK(session.pose().energy.drained == 0);
      CHECK(moved > 0);
    }
}

TEST_CASE("a hold that slides holds the rod from the first instant on") {
  const Session session = begun(kSamples[2].text, "kirchhoff");
  const Pose pose = session.pose();
  const double s = pose.holds[1].s;
  double nearest = 1;
  for (const Vec3& x : pose.rods[0].position) nearest = std::min(nearest, (x - Vec3(0.2, 0.03, -0.04)).norm());
  CHECK(nearest < 1e-9);
  // about where it was drawn
  CHECK(s == doctest::Approx(0.265).epsilon(0.06));
  CHECK(pose.rods[0].length == doctest::Approx(0.5).epsilon(2e-3));
}

TEST_CASE("cosserat begins with the energy of what is drawn, as kirchhoff does") {
  // between holds that are half a percent too near
  const std::string text =
      "rods: {a: {section: wire, material: metal, length: 1, segments: 20, rest: {curvature: [0.4, 0]}, "
      "shape: {line: [[0,0,0],[0.995,0,0]]}}}\n"
      "holds: [{name: h, rod: a, at: start, fix: [position, orientation]}, {name: g, rod: a, at: end, fix: "
      "[position]}]\n";
  Session kirchhoff = begun(text, "kirchhoff");
  Session cosserat = begun(text, "cosserat");
  const double stored = kirchhoff.pose().energy.elastic;
  // about half of EA·ε²
  CHECK(stored > 0.49 * 70e9 * 3.14e-6 * 0.005 * 0.005);
  CHECK(cosserat.pose().energy.elastic == doctest::Approx(stored).epsilon(1e-12));
  const double start = cosserat.pose().energy.balance();
  test::must(cosserat.step());
  CHECK(std::abs(cosserat.pose().energy.balance() - start) < 1e-6 * stored);
}

}  // namespace filum::test_ill_fitting_start
