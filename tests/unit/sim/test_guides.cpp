// Holds through which the rod slides and which hold its tangent: in every formulation that has them.
#include "math/dense.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace filum::test_guides {

namespace {

// A hose clamped at the origin, through a guide at x = 0.3, pushed aside at its end.
Scene sleeved(const std::string& formulation, int segments, const std::string& force) {
  Scene scene =
      test::scene_of("gravity: [0, 0, 0]\nrods: {a: {material: rubber, section: hose, length: 0.5, segments: " +
                     std::to_string(segments) +
                     R"(, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1]}}
holds: [{name: clamp, rod: a, at: start, fix: [position, orientation]}, {name: guide, rod: a, at: 0.3, fix: [position, orientation], slide: true}]
forces: [{rod: a, at: end, force: )" +
                     force + "}]\n");
  scene.simulation.formulation = formulation;
  return scene;
}

Pose settled(const Scene& scene) {
  const Outcome outcome = test::solved(scene);
  REQUIRE_MESSAGE(outcome.solve.converged, outcome.solve.why);
  return test::last(outcome);
}

const double kBending = 5e6 * std::numbers::pi * std::pow(5e-3, 4) / 4;  // EI of the hose

}  // namespace

TEST_CASE("a guide lets out a bent rod with the force M²/2EI") {
  // [Bigoni2015]: the configurational force of a frictionless sleeve. The load across
  // leaves no axial force at the exit, so the straight part is pulled by it.
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    for (const int segments : {100, 200, 400}) {
      const Pose pose = settled(sleeved(formulation, segments, "[0, 0, -0.03]"));
      const RodPose& rod = pose.rods[0];
      // the moment at the exit: the load at its arm
      const double moment = 0.03 * (rod.position.back().x() - 0.3);
      const double theory = moment * moment / (2 * kBending);
      const double error = std::abs(-pose.holds[0].force.x() / theory - 1);
      CAPTURE(segments);
      // the guide is as long as a segment, which the moment falls along
      CHECK(error < 4.0 / segments);
      CHECK(pose.holds[1].moment.norm() == doctest::Approx(moment).epsilon(4.0 / segments));
      CHECK(pose.holds[1].force.z() == doctest::Approx(0.03).epsilon(1.0 / segments));
      CHECK(pose.holds[0].force.z() + pose.holds[1].force.z() == doctest::Approx(0.03).epsilon(1e-6));
    }
  }
}

TEST_CASE("a rod goes through a guide along its axis, as far as it is drawn") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    Scene scene = sleeved(formulation, 60, "[0, 0, -0.02]");
    scene.holds[0].fix.orientation = {};
    scene.holds[0].position = Vec3(0.05, 0.02, 0.03);
    const Pose pose = settled(scene);
    const RodPose& rod = pose.rods[0];
    CHECK(pose.holds[1].s < 0.28);
    const auto next = static_cast<std::size_t>(pose.holds[1].s / (0.5 / 60)) + 1;
    const Vec3 tangent = rod.frame[next] * Vec3::UnitZ();
    // within a segment of the guide's middle the rod turns by κ l at most
    CHECK(tangent.x() > 0.99);
    CHECK(pose.holds[1].position.x() == doctest::Approx(0.3));
  }
}

TEST_CASE("both formulations agree about a guide that is turned") {
  Scene scene = sleeved("kirchhoff", 60, "[0, 0.01, -0.02]");
  scene.holds[1].orientation =
      Quat(Eigen::AngleAxisd(0.4, Vec3::UnitY())) * math::smallest_turn(Vec3::UnitZ(), Vec3::UnitX());
  const Pose one = settled(scene);
  scene.simulation.formulation = "cosserat";
  const Pose other = settled(scene);
  for (std::size_t i = 0; i < one.rods[0].position.size(); ++i)
    CHECK((one.rods[0].position[i] - other.rods[0].position[i]).norm() < 1e-8);
  CHECK(one.holds[1].s == doctest::Approx(other.holds[1].s).epsilon(1e-9));
}

TEST_CASE("a rod swings in a guide and stays in it") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    const Scene scene = sleeved(formulation, 40, "[0, 0, -0.02]");
    Result<Session> session = Session::begin(scene);
    REQUIRE(session.ok());
    double off = 0;
    double tilt = 0;
    double least = 0.3;
    double sag = 0;
    for (int k = 0; k < 60; ++k) {
      REQUIRE(session->step());
      const Pose pose = session->pose();
      // the rod where the guide grips it, along the chord of its segment there
      const RodPose& rod = pose.rods[0];
      const double place = pose.holds[1].s / 0.5 * 40;
      const auto before = static_cast<std::size_t>(place);
      const double share = place - static_cast<double>(before);
      const Vec3 gripped = (1 - share) * rod.position[before] + share * rod.position[before + 1];
      off = std::max(off, (gripped - Vec3(0.3, 0, 0)).norm());
      tilt = std::max(tilt, 1 - (rod.position[before + 1] - rod.position[before]).normalized().x());
      least = std::min(least, pose.holds[1].s);
      sag = std::min(sag, rod.position.back().z());
    }
    // the chord leaves a curve of κ = 0.02 N · 0.2 m/EI by κl²/8 = 0.03 mm, and its direction by half of κl = 0.02
    CHECK(off < 1e-4);
    CHECK(tilt < 2e-3);
    // all the while the end swings, and draws the rod through by as much as the part up to the clamp stretches
    CHECK(sag < -0.02);
    CHECK(least < 0.3 - 5e-6);
    const Pose pose = session->pose();
    CHECK(pose.energy.kinetic > 0);
    CHECK(pose.holds[1].force.norm() > 1e-4);
  }
}

TEST_CASE("a ring that may follow along the rod has no say in where along it it is") {
  // free along x, as the rod is: any arc length would do, and it keeps its own
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    Scene scene = sleeved(formulation, 40, "[0, 0, -0.02]");
    scene.holds[1].fix.position = {false, true, true};
    scene.holds[1].fix.orientation = {};
    const Pose pose = settled(scene);
    CHECK(std::abs(pose.holds[1].force.x()) < 1e-12);
    CHECK(pose.holds[1].force.norm() < 1);
    // without mass it cannot say how it gets there
    const Result<Outcome> moved = run(scene);
    REQUIRE_FALSE(moved.ok());
    CHECK(moved.error().message.find("hold 'guide' slides and leaves an axis free") != std::string::npos);
  }
}

TEST_CASE(
    "friction of a sliding hold: it keeps the rod up to its force, slides against just that, and remembers where") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    // a soft hose along x, pinned at its end on a hand, through a sliding hold with 2 N of friction; EA = 393 N
    Scene scene = test::scene_of(
        "gravity: [0, 0, 0]\nrods: {a: {material: rubber, section: hose, segments: 40, shape: {line: "
        "[[0,0,0],[1,0,0]]}}}\n"
        "holds: [{name: eye, rod: a, at: 0.4, fix: [position], slide: true, friction: 2 N},\n"
        "        {name: start, rod: a, at: start, fix: {position: [y, z]}},\n"
        "        {name: hand, rod: a, at: end, fix: [position]}]\n");
    scene.simulation.formulation = formulation;
    auto session = Session::begin(scene);
    REQUIRE(session.ok());
    const double stretch = 2 / (5e6 * std::numbers::pi * 25e-6);  // at which it gives way
    const auto hand_to = [&](double x) {
      REQUIRE(session->move_hold("hand", Vec3(x, 0, 0)).ok());
      const SolveReport report = session->settle();
      CHECK_MESSAGE(report.converged, report.why);
      return session->pose();
    };
    // within its limit the part beyond is stretched, by all but the thousandth of a segment that the stick gives way
    Pose pose = hand_to(1 + 0.5 * 0.6 * stretch);
    CHECK(-pose.holds[0].force.x() == doctest::Approx(1).epsilon(0.02));
    CHECK(pose.holds[0].s == doctest::Approx(0.4).epsilon(1e-4));
    // beyond it slides, against 2 N by unstretched length: beyond the hold the rod is stretched by 0.5 %
    pose = hand_to(1.1);
    CHECK(-pose.holds[0].force.x() == doctest::Approx(2).epsilon(stretch));
    const double slid = pose.holds[0].s;
    CHECK(slid < 0.4 - 0.09);
    // back: it sticks there until the other way is pushed as hard
    pose = hand_to(1.1 - 0.5 * 0.7 * stretch);
    CHECK(pose.holds[0].s == doctest::Approx(slid).epsilon(2e-4));
    CHECK(std::abs(pose.holds[0].force.x()) < 1.9);
  }
}

namespace {

struct Told {
  RunReport report;
  Pose pose;
  double off = 0;       // largest excursion of the balance, J
  double least = 1;     // arc length that it gripped, m
  double slid = 0;      // the way of the hold «g» along its rod, there and back, m
  double blown = 0;     // largest loss in a step, J
  double regained = 0;  // largest gain by friction or blows in a step, J
};

Told played(const std::string& text, const std::string& formulation, double step, double end) {
  Scene scene = test::scene_of(text);
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.formulation = formulation;
  scene.simulation.step = step;
  Result<Session> session = Session::begin(scene);
  REQUIRE_MESSAGE(session.ok(), (session.ok() ? "" : session.error().text()));
  Told told;
  told.pose = session->pose();
  const double start = told.pose.energy.balance();
  for (long k = 0; k < std::lround(end / step); ++k) {
    const Pose before = told.pose;
    REQUIRE_MESSAGE(session->step(), session->report().why);
    told.pose = session->pose();
    told.off = std::max(told.off, std::abs(told.pose.energy.balance() - start));
    told.least = std::min(told.least, told.pose.holds.back().s);
    told.slid += std::abs(told.pose.holds.back().s - before.holds.back().s);
    const double lost = told.pose.energy.dissipated - before.energy.dissipated;
    told.blown = std::max(told.blown, lost);
    told.regained = std::max(told.regained, -lost);
  }
  told.report = session->report();
  return told;
}

void check_kept(const Told& told) {
  CHECK(told.off < 1e-7 * told.report.energy_scale);
  CHECK(told.pose.energy.drained == 0);
}

}  // namespace

TEST_CASE(
    "a hold that slides keeps the energy, at rest and led, gripping a point or a tangent, in the world and on bodies") {
  const std::string rod =
      "rods: {a: {material: rubber, section: hose, segments: 40, shape: {line: [[0,0,0],[0.6,0,0]]}}}\n";
  const std::string pinned = "{rod: a, at: start, fix: [position]}, ";
  const std::string led =
      "drivers: [{hold: g, path: [{t: 0}, {t: 0.4, position: [0.35, 0.1, -0.05]}, {t: 1, position: [0.2, -0.1, "
      "0.05]}]}]\n";
  for (const std::string& rest : std::initializer_list<std::string>{
           // let go beside where it is to be held
           "holds: [" + pinned +
               "{name: g, rod: a, at: 60 %, fix: [position], slide: true, position: [0.36, 0, 0.08]}]\n",
           "holds: [" + pinned + "{name: g, rod: a, at: 40 %, fix: [position, orientation], slide: true}]\n",
           "holds: [" + pinned + "{name: g, rod: a, at: 40 %, fix: [position], slide: true}]\n" + led,
           "holds: [" + pinned + "{name: g, rod: a, at: 40 %, fix: [position, orientation], slide: true}]\n" + led,
           // both ends hang freely
           "holds: [{name: g, rod: a, at: 52 %, fix: [position], slide: true, friction: 0.02 N}]\n",
           "bodies: {b: {box: [0.03, 0.03, 0.03], mass: 0.2, position: [0.24, 0, 0], motion: free}}\nholds: [" +
               pinned +
               "{rod: a, at: end, fix: [position]}, {name: g, rod: a, at: 50 %, fix: [position, orientation], slide: "
               "true, "
               "body: b}]\n"})
    for (const char* formulation : {"kirchhoff", "cosserat"}) {
      CAPTURE(rest);
      CAPTURE(std::string(formulation));
      const Told told = played(rod + rest, formulation, 1.0 / 60, 0.6);
      CHECK(told.slid > 1e-3);
      check_kept(told);
    }
}

TEST_CASE("a hold that comes to the rod's end takes what the blow takes, and the account closes") {
  // a hose that is thrown along itself through a ring, and one that slips out of its guide as it hangs
  for (const char* text : {R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, segments: 30, velocity: [2, 0, 0.1], shape: {line: [[0,0,0],[0.5,0,0]]}}}
holds: [{name: g, rod: a, at: 40 %, fix: [position], slide: true}]
)",
                           R"(
rods: {a: {material: rubber, section: hose, segments: 30, shape: {line: [[0,0,0],[0.5,0.02,-0.02]]}}}
holds: [{name: g, rod: a, at: 30 %, fix: [position, orientation], slide: true}]
)"})
    for (const char* formulation : {"kirchhoff", "cosserat"}) {
      CAPTURE(std::string(formulation));
      CAPTURE(std::string(text));
      const Told told = played(text, formulation, 1.0 / 240, 1);
      // a guide, as long as a segment of 17 mm, is gripped at its middle
      CHECK(told.least < 0.01);
      check_kept(told);
      // never pushed off by the stop
      CHECK(told.blown > 1e-3 * told.report.energy_scale);
      CHECK(told.regained <= 1e-9 * told.report.energy_scale);
    }
}

}  // namespace filum::test_guides
