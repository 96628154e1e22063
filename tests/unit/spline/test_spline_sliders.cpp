// Spline rods that slide through holds: the same places, forces and stops as the discrete rods have, across knots, with
// friction and in motion.
#include "unit/spline/spline_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace filum::test_spline_sliders {

namespace {

using test::last;
using test::solved;

// A hose of 1.1 m that leaves its fitting, slides through a ring and hangs down beyond it.
Scene hose(const std::string& formulation, int segments, const std::string& ring = "fix: [position], slide: true",
           const std::string& more = "") {
  Scene scene = test::scene_of(
      "rods: {hose: {material: rubber, section: hose, length: 1.1, segments: " + std::to_string(segments) +
      ", shape: {line: [[0, 0, 0], [1.1, 0, 0]]}, normal: [0, 0, 1]}}\n"
      "holds:\n"
      "  - {name: fitting, rod: hose, at: start, fix: [position, orientation]}\n"
      "  - {name: ring, rod: hose, at: 0.45, " +
      ring + ", position: [0.4, 0.1, 0.06]}\n" + more);
  scene.simulation.formulation = formulation;
  return scene;
}

Pose settled(const Scene& scene) {
  const Outcome outcome = solved(scene);
  REQUIRE_MESSAGE(outcome.solve.converged, outcome.solve.why);
  return last(outcome);
}

Vec3 tangent_near(const RodPose& rod, double s) {
  std::size_t i = 1;
  while (i + 2 < rod.s.size() && rod.s[i] < s) ++i;
  const double share = (s - rod.s[i - 1]) / (rod.s[i] - rod.s[i - 1]);
  return ((1 - share) * (rod.frame[i - 1] * Vec3::UnitZ()) + share * (rod.frame[i] * Vec3::UnitZ())).normalized();
}

}  // namespace

TEST_CASE("Spline: a ring without friction pulls square to the rod, where the discrete rods have it") {
  const Pose fine = settled(hose("kirchhoff", 400));
  double before = 1;
  for (const int segments : {12, 24, 48}) {
    CAPTURE(segments);
    const Pose pose = settled(hose("spline", segments));
    const double off = (pose.rods[0].position.back() - fine.rods[0].position.back()).norm();
    CHECK(off < before);
    before = off;
    const HoldPose& ring = pose.holds[1];
    CHECK(std::abs(ring.s - fine.holds[1].s) < 2e-3);
    CHECK(std::abs(ring.force.dot(tangent_near(pose.rods[0], ring.s))) < 2e-3 * ring.force.norm());
    CHECK((pose.holds[0].force + ring.force - fine.holds[0].force - fine.holds[1].force).norm() < 1e-8);
  }
  CHECK(before < 2e-4);
}

TEST_CASE(
    "Spline: the ring is led along the rod, through its knots, and stops at its end, as the discrete rods have it") {
  Result<Session> session = Session::begin(hose("spline", 16));
  Result<Session> other = Session::begin(hose("kirchhoff", 160));
  REQUIRE(session.ok());
  REQUIRE(other.ok());
  const auto lead = [&](double x) {
    for (Session* each : {&*session, &*other}) {
      REQUIRE(each->move_hold("ring", Vec3(x, 0.1, 0.06)).ok());
      const SolveReport report = each->settle();
      REQUIRE_MESSAGE(report.converged, report.why);
    }
    return session->pose().holds[1].s;
  };
  double s = 0;
  for (int k = 0; k <= 10; ++k) {
    const double now = lead(0.4 + 0.02 * k);
    CHECK(now > s);
    CHECK(now == doctest::Approx(other->pose().holds[1].s).epsilon(5e-3));
    s = now;
  }
  // too far: it slips off what hangs down, and stops at the end, which is told
  for (const double x : {0.62, 0.66, 0.7, 0.74}) s = lead(x);
  CHECK(s == 1.1);
  CHECK(other->pose().holds[1].s == 1.1);
  const std::vector<Event> events = session->take_events();
  CHECK(std::any_of(events.begin(), events.end(), [](const Event& e) { return e.kind == EventKind::SliderStopped; }));
}

TEST_CASE("Spline: friction of a ring is a force limit, as of the discrete rods") {
  const auto slid = [](const std::string& formulation, double friction) {
    Scene scene = hose(formulation, formulation == "spline" ? 24 : 200,
                       "fix: [position], slide: true, friction: " + std::to_string(friction) + " N");
    Result<Session> session = Session::begin(scene);
    REQUIRE(session.ok());
    REQUIRE(session->settle().converged);
    for (int k = 1; k <= 10; ++k) {
      REQUIRE(session->move_hold("ring", Vec3(0.4, 0.1, 0.06 + 0.01 * k)).ok());
      REQUIRE(session->settle().converged);
    }
    const Pose pose = session->pose();
    return std::pair(pose.holds[1].s, pose.holds[1].force.dot(tangent_near(pose.rods[0], pose.holds[1].s)));
  };
  const auto [s, force] = slid("spline", 0.2);
  const auto [other, other_force] = slid("kirchhoff", 0.2);
  CHECK(s == doctest::Approx(other).epsilon(5e-3));
  CHECK(std::abs(force) <= 0.2 * 1.01);
  CHECK(force == doctest::Approx(other_force).epsilon(0.03));
}

TEST_CASE("Spline: a rod swings through a ring and keeps its energy, as the discrete rods do") {
  Scene scene = hose("spline", 20);
  scene.holds[1].position.reset();
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.step = 1.0 / 480;
  scene.simulation.end = 0.4;
  const auto outcome = run(scene);
  REQUIRE(outcome.ok());
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  const Pose& pose = outcome->states.back().pose;
  CHECK(outcome->run->max_energy_error < 0.02 * outcome->run->energy_scale);
  CHECK((pose.holds[1].position - Vec3(0.45, 0, 0)).norm() < 1e-9);
  scene.simulation.formulation = "kirchhoff";
  scene.rods[0].segments = 80;
  const auto other = run(scene);
  REQUIRE(other.ok());
  const Pose& compared = other->states.back().pose;
  CHECK((pose.rods[0].position.back() - compared.rods[0].position.back()).norm() < 0.02);
  CHECK(std::abs(pose.holds[1].s - compared.holds[1].s) < 0.01);
}

TEST_CASE("Spline: a guide holds the tangent, and lets out a bent rod with the force M²/2EI") {
  // [Bigoni2015], as tests/unit/sim/test_guides.cpp has it of the discrete rods
  Scene scene = test::scene_of(
      "gravity: [0, 0, 0]\n"
      "rods: {a: {material: rubber, section: hose, length: 0.5, segments: 100, shape: {line: [[0,0,0],[0.5,0,0]]}, "
      "normal: "
      "[0,0,1]}}\n"
      "holds: [{name: clamp, rod: a, at: start, fix: [position, orientation]}, {name: guide, rod: a, at: 0.3, fix: "
      "[position, orientation], slide: true}]\n"
      "forces: [{rod: a, at: end, force: [0, 0, -0.03]}]\n");
  scene.simulation.formulation = "spline";
  const Pose pose = settled(scene);
  const double bending = 5e6 * std::acos(-1.0) * std::pow(5e-3, 4) / 4;
  const double moment = 0.03 * (pose.rods[0].position.back().x() - 0.3);
  CHECK(-pose.holds[0].force.x() == doctest::Approx(moment * moment / (2 * bending)).epsilon(0.05));
  CHECK(pose.holds[1].moment.norm() == doctest::Approx(moment).epsilon(0.05));
  CHECK(pose.holds[0].force.z() + pose.holds[1].force.z() == doctest::Approx(0.03).epsilon(1e-6));
}

TEST_CASE("Spline: a ring that slides is kept when a state is saved, edited and taken over") {
  Scene scene = hose("spline", 20);
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  const double s = session->pose().holds[1].s;
  scene.rods[0].segments = 26;
  REQUIRE(session->edit(scene).ok());
  CHECK(session->pose().holds[1].s == doctest::Approx(s).epsilon(1e-9));
  scene.simulation.formulation = "kirchhoff";
  scene.rods[0].segments = 100;
  REQUIRE(session->edit(scene).ok());
  CHECK(session->pose().holds[1].s == doctest::Approx(s).epsilon(1e-9));
  REQUIRE(session->settle().converged);
  CHECK(std::abs(session->pose().holds[1].s - s) < 2e-3);
}

}  // namespace filum::test_spline_sliders
