// `start: relaxed`: rods that were drawn longer or shorter than they are begin at their own length, and this is told.
#include "unit/live_session.hpp"

#include <filum/scene_file.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace filum::test_relaxed_start {

namespace {

Scene scene_of(const std::string& text, const std::string& formulation) {
  const Result<Scene> scene = parse_scene(
      "filum: 1\n"
      "materials: {stuff: {young: 1e9, poisson: 0.4, density: 1200}}\n"
      "sections: {s: {shape: circle, radius: 4 mm}}\n"
      "simulation: {mode: dynamics, step: 1/60, formulation: " +
          formulation + "}\n" + text,
      "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

std::vector<Event> laid_out(Session& session) {
  std::vector<Event> found = session.take_events();
  std::erase_if(found, [](const Event& event) { return event.kind != EventKind::LaidOut; });
  return found;
}

struct Sample {
  const char* name;
  double longer;  // as drawn
  std::string text;
};

const Sample kSamples[] = {
    {"a rope drawn at half its length between two pins", -0.5,
     "rods: {a: {material: stuff, section: s, length: 2, segments: 20, shape: {line: [[0,0,0],[1,0,0]]}}}\n"
     "holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position]}]\n"},
    {"one that hangs on one end", -0.5,
     "rods: {a: {material: stuff, section: s, length: 2, segments: 20, shape: {line: [[0,0,0],[1,0,0]]}}}\n"
     "holds: [{rod: a, at: start, fix: [position]}]\n"},
    {"one with a load", -0.5,
     "rods: {a: {material: stuff, section: s, length: 2, segments: 20, shape: {line: [[0,0,0],[1,0,0]]}}}\n"
     "bodies: {load: {mass: 3, box: [0.1, 0.1, 0.1], position: [1,0,0], motion: free}}\n"
     "holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position], body: load}]\n"},
    {"a clamped rod drawn a fifth too long", 0.2,
     "rods: {a: {material: stuff, section: s, length: 1, segments: 20, shape: {line: [[0,0,0],[1.2,0,0]]}}}\n"
     "holds: [{rod: a, at: start, fix: [position, orientation]}]\n"},
    {"an arch drawn too long", 0.2,
     "rods: {a: {material: stuff, section: s, length: 1, segments: 30, shape: {arc: {centre: [0,0,0], axis: [0,1,0], "
     "start: [0.6,0,0], angle: 2}}}}\n"
     "holds: [{rod: a, at: start, fix: [position]}]\n"}};

}  // namespace

TEST_CASE("rods drawn with another length begin at their own, in three formulations") {
  for (const char* formulation : {"kirchhoff", "cosserat", "chain"})
    for (const Sample& sample : kSamples) {
      CAPTURE(std::string(formulation));
      CAPTURE(std::string(sample.name));
      const Scene scene = scene_of(sample.text, formulation);
      Session session = test::begun(scene);
      // chords of a laid curve are shorter than its arcs by (κl)²/24
      CHECK(session.pose().rods[0].length == doctest::Approx(*scene.rods[0].length).epsilon(2e-3));
      const std::vector<Event> told = laid_out(session);
      REQUIRE(told.size() == 1);
      CHECK(told[0].object.name == "a");
      CHECK(told[0].value == doctest::Approx(sample.longer).epsilon(1e-3));
      CHECK(told[0].why.empty());
    }
}

TEST_CASE("a rope drawn at half its length falls without being pumped, in chain as in kirchhoff") {
  for (const char* formulation : {"kirchhoff", "chain"}) {
    CAPTURE(std::string(formulation));
    Session session = test::begun(scene_of(kSamples[0].text, formulation));
    const double start = session.pose().energy.balance();
    const double mass = 1200 * 3.14159265 * 16e-6 * 2;
    double highest = -10;
    for (int k = 0; k < 300; ++k) {
      test::must(session.step());
      const Pose pose = session.pose();
      CHECK(pose.energy.balance() - start < 1e-3 * mass * 9.81 * 2);
      for (const Vec3& x : pose.rods[0].position) highest = std::max(highest, x.z());
    }
    // nothing throws it over its pins
    CHECK(highest < 0.3);
  }
}

TEST_CASE("what cannot have its own length says why; what has it says nothing") {
  Session taut = test::begun(scene_of(
      "rods: {a: {material: stuff, section: s, length: 1, segments: 10, shape: {line: [[0,0,0],[1.05,0,0]]}}}\n"
      "holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position]}]\n",
      "kirchhoff"));
  const std::vector<Event> told = laid_out(taut);
  REQUIRE(told.size() == 1);
  CHECK_FALSE(told[0].why.empty());
  CHECK(taut.pose().rods[0].length == doctest::Approx(1.05).epsilon(1e-6));

  Session plain = test::begun(scene_of(
      "rods: {a: {material: stuff, section: s, segments: 10, shape: {line: [[0,0,0],[1.05,0,0]]}}}\n", "kirchhoff"));
  CHECK(laid_out(plain).empty());
}

TEST_CASE("as-shaped begins stretched as it is drawn, and says nothing") {
  Scene scene = scene_of(kSamples[3].text, "kirchhoff");
  scene.simulation.start = StartKind::AsShaped;
  Session session = test::begun(scene);
  CHECK(session.pose().rods[0].length == doctest::Approx(1.2).epsilon(1e-9));
  CHECK(laid_out(session).empty());
}

}  // namespace filum::test_relaxed_start
