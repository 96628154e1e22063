// Rods that nothing couples: laying one leaves the others alone.
#include "sim/live/scene_part.hpp"

#include <filum/scene_file.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <string>

namespace filum::test_islands {

namespace {

// A field of cables side by side; the first two are joined, the last two hang on one free body, or on a driven one.
Scene field(const std::string& formulation, const std::string& motion = "free") {
  std::string rods;
  std::string holds;
  for (int k = 0; k < 6; ++k) {
    const std::string y = std::to_string(0.1 * k);
    const std::string name = "c" + std::to_string(k);
    rods += "  " + name + ": {section: w, length: 0.5, segments: 20, shape: {line: [[0, " + y + ", 0], [0.4, " + y +
            ", 0]]}}\n";
    holds += "  - {name: a" + std::to_string(k) + ", rod: " + name + ", at: start, fix: [position, orientation]}\n";
    if (k < 4) holds += "  - {name: b" + std::to_string(k) + ", rod: " + name + ", at: end, fix: [position]}\n";
  }
  for (int k = 4; k < 6; ++k)
    holds += "  - {name: b" + std::to_string(k) + ", rod: c" + std::to_string(k) +
             ", at: end, fix: [position], body: load}\n";
  const Result<Scene> scene = parse_scene(
      "filum: 1\nsections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, "
      "radius: 3 mm}}\nrods:\n" +
          rods + "bodies: {load: {mass: 0.1, box: [0.05, 0.05, 0.05], motion: " + motion +
          ", position: [0.4, 0.45, 0]}}\nholds:\n" + holds +
          "junctions:\n  - {rods: [{rod: c0, at: middle}, {rod: c1, at: middle}]}\n" +
          "forces:\n  - {rod: c3, at: middle, force: [0, 0.2 N, 0]}\nsimulation: {formulation: " + formulation + "}\n",
      "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

double largest_distance(const RodPose& a, const RodPose& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i)
    largest = std::max(largest, (a.position[i] - b.position[i]).norm());
  return largest;
}

bool same_bits(const RodPose& a, const RodPose& b) {
  bool same = a.position.size() == b.position.size();
  for (std::size_t i = 0; same && i < a.position.size(); ++i)
    same = a.position[i] == b.position[i] && a.frame[i].coeffs() == b.frame[i].coeffs();
  return same;
}

}  // namespace

TEST_CASE("junctions and free bodies couple rods, driven bodies and obstacles as they should") {
  Scene scene = field("kirchhoff");
  std::vector<int> island = sim::islands(scene);
  CHECK(island[0] == island[1]);
  CHECK(island[4] == island[5]);
  CHECK(island[2] != island[3]);
  CHECK(island[0] != island[2]);
  CHECK(island[0] != island[4]);
  scene = field("kirchhoff", "driven");
  island = sim::islands(scene);
  CHECK(island[4] != island[5]);
  // where things may touch, everything is one
  scene.obstacles.emplace_back();
  island = sim::islands(scene);
  CHECK(island == std::vector<int>(6, island[0]));
}

TEST_CASE("what is asked of a rod stirs its island, and what a load factor asks of all, all") {
  const Scene scene = field("kirchhoff");
  const std::vector<int> island = sim::islands(scene);
  Targets from;
  from.holds.resize(scene.holds.size());
  from.rod_length.assign(6, 0.5);
  from.force_scale = {1};
  const auto rods = [&](const Targets& to) { return sim::stirred(scene, island, from, to); };
  Targets to = from;
  CHECK(rods(to) == std::vector<char>{0, 0, 0, 0, 0, 0});
  to.holds[1].position.x() = 1;
  CHECK(rods(to) == std::vector<char>{1, 1, 0, 0, 0, 0});
  to = from;
  to.rod_length[4] = 0.6;
  CHECK(rods(to) == std::vector<char>{0, 0, 0, 0, 1, 1});
  to = from;
  to.force_scale[0] = 2;
  CHECK(rods(to) == std::vector<char>{0, 0, 0, 1, 0, 0});
  to = from;
  to.load = 0.5;
  CHECK(rods(to) == std::vector<char>{1, 1, 1, 1, 1, 1});
}

TEST_CASE("laying one island leads where laying all of them leads, and keeps the bits of the others") {
  for (const char* formulation : {"kirchhoff", "cosserat"})
    for (const char* moved : {"b2", "b0"}) {
      CAPTURE(formulation);
      CAPTURE(moved);
      const Scene scene = field(formulation);
      Result<Session> session = Session::begin(scene);
      REQUIRE(session.ok());
      REQUIRE(session->settle().converged);
      const Pose before = session->pose();
      const Vec3 start = before.holds[moved[1] == '2' ? 5 : 1].position;
      for (int k = 1; k <= 8; ++k) {
        REQUIRE(session->move_hold(moved, start + k * Vec3(-0.01, 0.005, 0.01)).ok());
        const SolveReport report = session->settle();
        REQUIRE(report.converged);
        CHECK(report.stable == true);
      }
      const Pose part = session->pose();
      // the whole from the same start, in one session that never knows of parts: its first settling is of everything
      Result<Session> whole = Session::begin(scene);
      REQUIRE(whole.ok());
      REQUIRE(whole->move_hold(moved, start + 8 * Vec3(-0.01, 0.005, 0.01)).ok());
      REQUIRE(whole->settle().converged);
      const Pose all = whole->pose();
      for (std::size_t r = 0; r < 6; ++r) {
        CAPTURE(r);
        // both are found to a residual of 1e-10
        CHECK(largest_distance(part.rods[r], all.rods[r]) < 1e-7);
        const bool stays = moved[1] == '2' ? r != 2 : r > 1;
        CHECK(same_bits(part.rods[r], before.rods[r]) == stays);
      }
      for (std::size_t h = 0; h < part.holds.size(); ++h)
        CHECK((part.holds[h].force - all.holds[h].force).norm() < 1e-6);
      CHECK(part.energy.elastic == doctest::Approx(all.energy.elastic).epsilon(1e-6));
      // what moves next is another
      REQUIRE(session->move_hold("b3", Vec3(0.35, 0.3, 0)).ok());
      REQUIRE(session->settle().converged);
      CHECK((session->pose().rods[3].position.back() - Vec3(0.35, 0.3, 0)).norm() < 1e-9);
      CHECK(same_bits(session->pose().rods[2], part.rods[2]));
    }
}

TEST_CASE("a driven body moves the islands that are held to it, and a length its own") {
  const Scene scene = field("kirchhoff", "driven");
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  const Pose before = session->pose();
  REQUIRE(session->move_body("load", Vec3(0.42, 0.45, 0.02)).ok());
  REQUIRE(session->settle().converged);
  const Pose moved = session->pose();
  for (std::size_t r = 0; r < 6; ++r) CHECK(same_bits(moved.rods[r], before.rods[r]) == (r < 4));
  REQUIRE(session->drive_length("c3", 0.55).ok());
  REQUIRE(session->settle().converged);
  const Pose longer = session->pose();
  CHECK(longer.rods[3].s.back() == doctest::Approx(0.55));
  CHECK(longer.rods[3].position[10].z() < moved.rods[3].position[10].z() - 0.01);
  CHECK(same_bits(longer.rods[4], moved.rods[4]));
}

}  // namespace filum::test_islands
