// Rods that find their own lengths.
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "sim/routing/part_force.hpp"
#include "sim/statics/load_stepping.hpp"

#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace filum::test_routing {

namespace {

// A cable of 0.5 m whose ends are 0.4 m apart and at a right angle to each other.
const std::string kHead = R"(filum: 1
gravity: [0, 0, 0]
sections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, radius: 3 mm}}
)";
const std::string kBent = R"(
holds:
  - {name: a, rod: c, at: start, fix: [position, orientation]}
  - {name: b, rod: c, at: end, fix: [position, orientation], orientation: {tangent: [0, 1, 0], normal: [0, 0, 1]}}
)";

Scene scene_of(const std::string& rest, const std::string& formulation = "cosserat", int segments = 100) {
  const Result<Scene> scene =
      parse_scene(kHead + "rods: {c: {section: w, length: 0.5, segments: " + std::to_string(segments) +
                      ", shape: {line: [[0, 0, 0], [0.4, 0, 0]]}, normal: [0, 0, 1]}}\n" + rest +
                      "\nsimulation: {formulation: " + formulation + "}\n",
                  "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

std::string self_finding(const std::string& pull) {
  return "routing: [{rod: c, mode: self-finding, pull: " + pull + "}]";
}

Outcome solved(const Scene& scene) {
  const Result<Outcome> outcome = solve(scene);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->solve.converged);
  return *outcome;
}

// Elastic energy and configurational force of the bent cable at a length.
struct AtLength {
  double energy = 0;
  double force = 0;
};
AtLength bent_cable(double length, int segments) {
  Scene scene = scene_of(kBent, "cosserat", segments);
  scene.rods[0].length = length;
  const Outcome outcome = solved(scene);
  const Pose& pose = outcome.states.back().pose;
  return {pose.energy.elastic, sim::part_force(scene, scene.rods[0], pose.rods[0], {0, length}).configurational};
}

}  // namespace

TEST_CASE("the configurational force is what a little more length takes from the energy") {
  double error[2];
  for (const int k : {0, 1}) {
    const int segments = k == 0 ? 50 : 100;
    const double step = 1e-4;
    const double slope =
        (bent_cable(0.45 + step, segments).energy - bent_cable(0.45 - step, segments).energy) / (2 * step);
    error[k] = std::abs(bent_cable(0.45, segments).force + slope) / std::abs(slope);
  }
  // sampled at the nodes it is off by the mesh's error, of second order
  CHECK(error[1] < 2e-3);
  CHECK(error[0] / error[1] == doctest::Approx(4).epsilon(0.3));
}

TEST_CASE("a self-finding cable has the length at which energy and pull are least") {
  for (const char* formulation : {"cosserat", "kirchhoff"}) {
    CAPTURE(formulation);
    const Outcome outcome = solved(scene_of(kBent + self_finding("2 N"), formulation));
    REQUIRE(outcome.lengths.size() == 1);
    const FoundLength& found = outcome.lengths[0];
    CHECK(found.verdict == LengthVerdict::Found);
    CHECK(found.force == doctest::Approx(2).epsilon(1e-6));
    CHECK(found.added == doctest::Approx(found.length - 0.5));
    CHECK(found.from == RodPlace{PlaceKind::Hold, "a"});
    CHECK(outcome.states.back().pose.rods[0].s.back() == doctest::Approx(found.length).epsilon(1e-12));
    const Event& told = outcome.events.back();
    CHECK(told.kind == EventKind::LengthFound);
    CHECK(told.object == ObjectRef{ObjectKind::Rod, "c"});
    CHECK(told.from == found.from);
    CHECK(told.to == RodPlace{PlaceKind::Hold, "b"});
    CHECK(told.value == found.length);
    // a little longer or shorter costs more
    const auto cost = [](double length) { return bent_cable(length, 100).energy + 2 * length; };
    CHECK(cost(found.length) < cost(1.01 * found.length));
    CHECK(cost(found.length) < cost(0.99 * found.length));
  }
}

TEST_CASE("the pull tunes a cable from bent to straight") {
  double last = 1;
  for (const char* pull : {"0.05", "0.5", "5", "50", "500"}) {
    const double length = solved(scene_of(kBent + self_finding(pull))).lengths[0].length;
    CHECK(length < last);
    CHECK(length > 0.4);
    last = length;
  }
  // the bends at its clamps become ever shorter: √(EI/pull) = 6 mm
  CHECK(last < 0.4 + 0.006);
}

TEST_CASE("between pins a self-finding cable is straight") {
  const Outcome outcome =
      solved(scene_of("holds: [{rod: c, at: start, fix: [position]}, {rod: c, at: end, fix: "
                      "[position]}]\n" +
                      self_finding("2 N")));
  CHECK(outcome.lengths[0].verdict == LengthVerdict::Shortest);
  CHECK(outcome.lengths[0].length == doctest::Approx(0.4).epsilon(1e-12));
}

TEST_CASE("without a pull a cable that has to turn back grows until it is stopped, and says so") {
  const Scene scene = scene_of(R"(
holds:
  - {name: a, rod: c, at: start, fix: [position, orientation], orientation: {tangent: [0, 1, 0], normal: [0, 0, 1]}}
  - {name: b, rod: c, at: end, fix: [position, orientation], position: [0.05, 0, 0],
     orientation: {tangent: [0, -1, 0], normal: [0, 0, 1]}}
routing: [{rod: c, mode: self-finding, pull: 0, longest: 2 m}])");
  const Outcome outcome = solved(scene);
  CHECK(outcome.lengths[0].verdict == LengthVerdict::Longest);
  CHECK(outcome.lengths[0].length == doctest::Approx(2).epsilon(1e-9));
  CHECK(outcome.events.back().kind == EventKind::LengthLongest);
}

TEST_CASE("weight does not make a self-finding cable grow beyond its balance") {
  Scene scene = scene_of(kBent + self_finding("2 N"));
  scene.gravity = Vec3(0, 0, -9.81);
  const FoundLength heavy = solved(scene).lengths[0];
  CHECK(heavy.verdict == LengthVerdict::Found);
  CHECK(heavy.force == doctest::Approx(2).epsilon(1e-6));
  // 0.44 N of weight against 2 N: it sags a little
  CHECK(heavy.length > 0.449);
  CHECK(heavy.length < 0.46);
}

TEST_CASE("every part between holds finds its own length, and the holds stay") {
  const Scene scene = scene_of(R"(
holds:
  - {name: a, rod: c, at: start, fix: [position, orientation]}
  - {name: clip, rod: c, at: middle, fix: [position], position: [0.2, 0.1, 0]}
  - {name: b, rod: c, at: end, fix: [position, orientation], orientation: {tangent: [0, 1, 0], normal: [0, 0, 1]}}
routing: [{rod: c, mode: self-finding, pull: 2 N}])");
  const Outcome outcome = solved(scene);
  REQUIRE(outcome.lengths.size() == 2);
  double sum = 0;
  for (const FoundLength& found : outcome.lengths) {
    CHECK(found.verdict == LengthVerdict::Found);
    // segments are shared anew between the parts: a ten-thousandth
    CHECK(found.force == doctest::Approx(2).epsilon(2e-4));
    sum += found.length;
  }
  CHECK(outcome.lengths[0].to == RodPlace{PlaceKind::Hold, "clip"});
  CHECK(outcome.lengths[0].length < outcome.lengths[1].length);
  const Pose& pose = outcome.states.back().pose;
  CHECK(pose.rods[0].s.back() == doctest::Approx(sum).epsilon(1e-9));
  CHECK((pose.holds[1].position - Vec3(0.2, 0.1, 0)).norm() < 1e-12);
  CHECK(pose.holds[1].s == doctest::Approx(outcome.lengths[0].length).epsilon(1e-9));
  CHECK((pose.holds[2].position - Vec3(0.4, 0, 0)).norm() < 1e-12);
}

TEST_CASE("the branches of a floating junction find their lengths together") {
  const Result<Scene> scene = parse_scene(kHead + R"(rods:
  a: {section: w, length: 0.3, segments: 30, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}, normal: [0, 0, 1]}
  b: {section: w, length: 0.3, segments: 30, shape: {line: [[0.3, 0, 0], [0.5, 0.2, 0]]}, normal: [0, 0, 1]}
  c: {section: w, length: 0.3, segments: 30, shape: {line: [[0.3, 0, 0], [0.5, -0.2, 0]]}, normal: [0, 0, 1]}
junctions: [{name: y, rods: [{rod: a, at: end}, {rod: b, at: start}, {rod: c, at: start}]}]
holds:
  - {name: ha, rod: a, at: start, fix: [position, orientation]}
  - {name: hb, rod: b, at: end, fix: [position, orientation]}
  - {name: hc, rod: c, at: end, fix: [position, orientation], position: [0.5, -0.25, 0.05]}
routing:
  - {rod: a, mode: self-finding, pull: 2}
  - {rod: b, mode: self-finding, pull: 2}
  - {rod: c, mode: self-finding, pull: 1}
simulation: {formulation: cosserat}
)",
                                          "test");
  REQUIRE(scene.ok());
  const Outcome outcome = solved(*scene);
  REQUIRE(outcome.lengths.size() == 3);
  for (const FoundLength& found : outcome.lengths) {
    CHECK(found.verdict == LengthVerdict::Found);
    // sought with rods that stretch easily: the forces come out to a part in a hundred
    CHECK(found.force == doctest::Approx(found.pull).epsilon(0.01));
  }
}

TEST_CASE("a pulled cable gets longer as its hold is pulled, and stays as long") {
  for (const char* formulation : {"cosserat", "kirchhoff"}) {
    CAPTURE(formulation);
    Result<Session> session = Session::begin(scene_of(kBent, formulation));
    REQUIRE(session.ok());
    REQUIRE(session->settle().converged);
    CHECK(session->lengths().empty());
    REQUIRE(session->set_routing({{"c", RoutingMode::Pulled, 1.0, {}, {1, 0}, {}}}).ok());
    REQUIRE(session->settle().converged);
    CHECK(session->lengths()[0].verdict == LengthVerdict::Kept);
    double last = 0.5;
    for (int k = 1; k <= 10; ++k) {
      REQUIRE(session->move_hold("b", Vec3(0.4 + 0.04 * k, 0, 0)).ok());
      REQUIRE(session->settle().converged);
      const FoundLength found = session->lengths()[0];
      CHECK(found.length >= last);
      CHECK(found.force <= 1 + 1e-4);
      last = found.length;
    }
    CHECK(last > 0.8);
    // pushed back it keeps what it has
    REQUIRE(session->move_hold("b", Vec3(0.4, 0, 0)).ok());
    REQUIRE(session->settle().converged);
    CHECK(session->lengths()[0].length == last);
    CHECK(session->lengths()[0].verdict == LengthVerdict::Kept);
    CHECK(*session->scene().rods[0].length == last);
  }
}

TEST_CASE("pulled between two places, the rest of the cable keeps its length") {
  Scene scene = scene_of(kBent +
                         "routing: [{rod: c, mode: pulled, from: 20 %, to: 60 %, pull: 1 N}]\n"
                         "forces: [{rod: c, at: 0.4, force: [0, 0, 0]}]");
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  REQUIRE(session->move_hold("b", Vec3(0.6, 0, 0)).ok());
  REQUIRE(session->settle().converged);
  const FoundLength found = session->lengths()[0];
  CHECK(found.verdict == LengthVerdict::Found);
  CHECK(found.length > 0.3);
  const Scene& now = session->scene();
  const double length = *now.rods[0].length;
  CHECK(length == doctest::Approx(0.3 + found.length));
  CHECK(now.routing[0].from.at(length) == doctest::Approx(0.1));
  // the force is still 0.1 m from the end
  CHECK(now.forces[0].point.at.at(length) == doctest::Approx(length - 0.1));
}

TEST_CASE("a session settles self-finding lengths as solve does, and tells of them once") {
  const Scene scene = scene_of(kBent + self_finding("2 N"));
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  CHECK(session->lengths()[0].length == doctest::Approx(solved(scene).lengths[0].length).epsilon(1e-6));
  CHECK(session->take_events().size() == 1);
  REQUIRE(session->settle().converged);
  CHECK(session->take_events().empty());
  // moved there and back the length is the same
  const double length = session->lengths()[0].length;
  REQUIRE(session->move_hold("b", Vec3(0.45, 0.05, 0)).ok());
  REQUIRE(session->settle().converged);
  CHECK(session->lengths()[0].length > length + 0.01);
  REQUIRE(session->move_hold("b", Vec3(0.4, 0, 0)).ok());
  REQUIRE(session->settle().converged);
  CHECK(session->lengths()[0].length == doctest::Approx(length).epsilon(1e-6));
}

TEST_CASE("a session goes back to lengths it had, to the last bit") {
  for (const char* clip : {"", "  - {name: clip, rod: c, at: middle, fix: [position], position: [0.2, 0.1, 0]}\n"}) {
    CAPTURE(clip);
    Result<Session> session = Session::begin(scene_of(kBent + clip + self_finding("2 N")));
    REQUIRE(session.ok());
    REQUIRE(session->settle().converged);
    const Scene scene = session->scene();
    const SavedState saved = session->save();
    const Pose before = session->pose();
    REQUIRE(session->move_hold("b", Vec3(0.45, 0.05, 0)).ok());
    REQUIRE(session->settle().converged);
    REQUIRE(session->edit(scene).ok());
    REQUIRE(session->load(saved).ok());
    const Pose after = session->pose();
    REQUIRE(after.rods[0].position.size() == before.rods[0].position.size());
    for (std::size_t i = 0; i < before.rods[0].position.size(); ++i)
      CHECK(after.rods[0].position[i] == before.rods[0].position[i]);
    CHECK(after.rods[0].s.back() == before.rods[0].s.back());
  }
}

TEST_CASE("what cannot find its length is refused with a reason") {
  Result<Session> session = Session::begin(scene_of(kBent));
  REQUIRE(session.ok());
  const auto why = [&](const Routing& routing) {
    const Status status = session->set_routing({routing});
    REQUIRE_FALSE(status.ok());
    return status.error().message;
  };
  CHECK(why({"x", RoutingMode::SelfFinding, 1.0, {}, {1, 0}, {}}) == "routing.0.rod: there is no rod 'x'");
  CHECK(why({"c", RoutingMode::SelfFinding, {}, {}, {1, 0}, {}}).find("missing key 'pull'") != std::string::npos);
  CHECK(why({"c", RoutingMode::SelfFinding, -1.0, {}, {1, 0}, {}}).find("pull must be zero or more") !=
        std::string::npos);
  CHECK(why({"c", RoutingMode::Pulled, {}, {0.5, 0}, {0.2, 0}, {}}).find("must lie beyond from") != std::string::npos);
}

}  // namespace filum::test_routing
