// Where things touch: cosserat rests and moves as kirchhoff does, and goes on from there without what it touched.
#include "formulations/cosserat/cosserat.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace filum::test_contact_agreement {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSlope = 20 * kPi / 180;

Scene example(const std::string& name) {
  const Result<Scene> scene = read_scene(std::string(FILUM_SOURCE_DIR) + "/scenes/" + name + ".yaml");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

double distance(const Pose& a, const Pose& b) {
  double largest = 0;
  for (std::size_t r = 0; r < a.rods.size(); ++r)
    for (std::size_t i = 0; i < a.rods[r].position.size(); ++i)
      largest = std::max(largest, (a.rods[r].position[i] - b.rods[r].position[i]).norm() / a.rods[r].s.back());
  return largest;
}

// Shape to 1e-8 of the length, and all that is told of contacts.
void check_same(const Outcome& one, const Outcome& other) {
  REQUIRE(one.states.size() == other.states.size());
  for (std::size_t k = 0; k < one.states.size(); ++k) {
    const Pose& a = one.states[k].pose;
    const Pose& b = other.states[k].pose;
    CHECK(distance(a, b) < 1e-8);
    REQUIRE(a.contacts.size() == b.contacts.size());
    double scale = 0;
    for (const ContactPose& contact : a.contacts) scale = std::max(scale, contact.force.norm());
    for (std::size_t c = 0; c < a.contacts.size(); ++c) {
      CHECK((a.contacts[c].force - b.contacts[c].force).norm() <= 1e-6 * scale);
      CHECK(a.contacts[c].a.s == doctest::Approx(b.contacts[c].a.s).epsilon(1e-6));
      CHECK(a.contacts[c].b.obstacle == b.contacts[c].b.obstacle);
      CHECK(a.contacts[c].stick == b.contacts[c].stick);
      CHECK(a.contacts[c].chafing == doctest::Approx(b.contacts[c].chafing).epsilon(1e-6));
    }
    for (std::size_t h = 0; h < a.holds.size(); ++h)
      CHECK((a.holds[h].force - b.holds[h].force).norm() <= 1e-6 * std::max(scale, a.holds[h].force.norm()));
  }
  CHECK(one.events.size() == other.events.size());
  REQUIRE(one.checks.size() == other.checks.size());
  for (std::size_t k = 0; k < one.checks.size(); ++k) {
    CHECK(one.checks[k].kind == other.checks[k].kind);
    CHECK(one.checks[k].value == doctest::Approx(other.checks[k].value).epsilon(1e-6));
  }
}

Outcome solved_in(Scene scene, const char* formulation, int path) {
  scene.simulation.formulation = formulation;
  SolveOptions options;
  options.path = path;
  const Outcome outcome = test::solved(scene, options);
  REQUIRE_MESSAGE(outcome.solve.converged, outcome.solve.why);
  return outcome;
}

Outcome ran_in(Scene scene, const char* formulation) {
  scene.simulation.formulation = formulation;
  const Result<Outcome> outcome = run(scene);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  for (const Check& check : outcome->checks) CHECK(check.kind != CheckKind::PassesThrough);
  return *outcome;
}

// In both; what cosserat has.
Outcome ran_alike(const std::string& text) {
  const Scene scene = test::scene_of(text);
  Outcome outcome = ran_in(scene, "cosserat");
  check_same(ran_in(scene, "kirchhoff"), outcome);
  return outcome;
}

// Along a plane that is tilted by 20°, seen from the plane.
std::string slope(double friction, double end) {
  return "gravity: [" + std::to_string(9.81 * std::sin(kSlope)) + ", 0, " + std::to_string(-9.81 * std::cos(kSlope)) +
         R"(]
rods: {a: {material: rubber, section: hose, segments: 30, shape: {line: [[0, 0, 5 mm], [1, 0, 5 mm]]}}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: )" +
         std::to_string(friction) + "}]\nsimulation: {mode: dynamics, step: 1/240, end: " + std::to_string(end) +
         "}\nrecord: {every: " + std::to_string(end / 4) + "}\n";
}

double moved(const Outcome& outcome, std::size_t state) {
  double most = 0;
  const RodPose& before = outcome.states.front().pose.rods[0];
  const RodPose& after = outcome.states[state].pose.rods[0];
  for (std::size_t i = 0; i < after.s.size(); ++i)
    most = std::max(most, (after.position[i] - before.position[i]).norm());
  return most;
}

}  // namespace

TEST_CASE("touching, cosserat: example scenes rest as in kirchhoff, along a path too") {
  struct Case {
    const char* name;
    int path;
  };
  for (const Case& each : {Case{"cable-over-edge", 4}, Case{"cable-in-engine-bay", 1}}) {
    CAPTURE(each.name);
    const Scene scene = example(each.name);
    const Outcome one = solved_in(scene, "kirchhoff", each.path);
    const Outcome other = solved_in(scene, "cosserat", each.path);
    check_same(one, other);
    CHECK(other.solve.stable == one.solve.stable);
    CHECK(!test::last(other).contacts.empty());
  }
}

TEST_CASE("touching, cosserat: what is drawn inside is pushed out, and an event says so") {
  const Scene scene = test::scene_of(R"(
gravity: [0, 0, 0]
rods: {a: {material: metal, section: wire, length: 0.4, segments: 40, shape: {line: [[-0.2, 0, 0], [0.2, 0, 0]]}}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position]}
obstacles: [{name: block, box: {size: [0.1, 0.1, 60 mm], position: [3 mm, 0, -20 mm]}}]
)");
  const Outcome other = solved_in(scene, "cosserat", 1);
  check_same(solved_in(scene, "kirchhoff", 1), other);
  REQUIRE(other.events.size() == 1);
  CHECK(other.events[0].kind == EventKind::PushedOut);
}

TEST_CASE("touching, cosserat: a rope on a post runs as in kirchhoff") {
  Scene scene = example("rope-on-post");
  scene.simulation.end = 0.25;
  const Outcome other = ran_in(scene, "cosserat");
  check_same(ran_in(scene, "kirchhoff"), other);
  CHECK(!test::last(other).contacts.empty());
}

TEST_CASE("touching, cosserat: a slope holds a rod without creep, or lets it slide by Coulomb's law") {
  const Outcome holds = ran_alike(slope(0.5, 1));
  CHECK(moved(holds, holds.states.size() - 1) < 1e-7);
  CHECK(moved(holds, holds.states.size() - 1) == doctest::Approx(moved(holds, 1)).epsilon(1e-9));
  const Outcome slides = ran_alike(slope(0.1, 0.5));
  const double wanted = 0.5 * 9.81 * (std::sin(kSlope) - 0.1 * std::cos(kSlope));
  CHECK(test::last(slides).rods[0].velocity[15].x() == doctest::Approx(wanted).epsilon(1e-3));
  // what it rubs is told
  for (const ContactPose& contact : test::last(slides).contacts) CHECK(contact.chafing > 0);
}

TEST_CASE("touching, cosserat: what is dropped stays above, what is thrown does not go through a thin plate") {
  const Outcome dropped = ran_alike(R"(
rods: {a: {material: rubber, section: hose, segments: 20, damping: {rayleigh: [2, 0.01]},
  shape: {line: [[0.2, 0, 0.1], [0.8, 0, 0.12]]}}}
obstacles: [{cylinder: {from: [0.5, -1, -0.5], to: [0.5, 1, -0.5], radius: 0.5}, friction: 0.6}]
simulation: {mode: dynamics, step: 1/240, end: 0.5}
)");
  CHECK(!test::last(dropped).contacts.empty());
  const Outcome thrown = ran_alike(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: wire, segments: 10, velocity: [0, 0, -50],
  shape: {line: [[-0.05, 0, 0.5], [0.05, 0, 0.5]]}}}
obstacles: [{name: plate, box: {size: [1, 1, 1 mm]}}]
simulation: {mode: dynamics, step: 1/240, end: 0.03}
)");
  for (const Vec3& x : test::last(thrown).rods[0].position) CHECK(x.z() > 0);
}

TEST_CASE("touching, cosserat: rods hold rods off") {
  const Outcome outcome = ran_alike(R"(
rods:
  a: {material: rubber, section: hose, segments: 30, shape: {line: [[-0.3, 0, 0], [0.3, 0, 0]]}}
  b: {material: rubber, section: hose, segments: 30, shape: {line: [[0.01, -0.25, 0.05], [0.01, 0.25, 0.05]]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation]}]
contact: {rods: true}
simulation: {mode: dynamics, step: 1/240, end: 0.25}
)");
  CHECK(test::last(outcome).rods[1].position[15].z() > test::last(outcome).rods[0].position[15].z());
}

TEST_CASE("touching, cosserat: a run that goes on from a file has the same bits") {
  Scene whole = test::scene_of(slope(0.1, 0.2));
  whole.simulation.formulation = "cosserat";
  Scene first = whole;
  first.simulation.end = 0.1;
  SavedState saved;
  RunOptions save;
  save.save = &saved;
  REQUIRE(run(first, save).ok());
  RunOptions go_on;
  go_on.resume = &saved;
  const Result<Outcome> rest = run(whole, go_on);
  const Result<Outcome> once = run(whole);
  REQUIRE(rest.ok());
  REQUIRE(once.ok());
  CHECK(distance(test::last(*once), test::last(*rest)) == 0);
  const auto& a = test::last(*once).contacts;
  const auto& b = test::last(*rest).contacts;
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k].chafing == b[k].chafing);
}

TEST_CASE("touching, cosserat: an equilibrium is a start for the scene without what it touches") {
  const Scene with = test::scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 40, shape: {line: [[-0.15, 0, 0], [0.15, 0, 0]]}}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: {position: [y, z]}}
obstacles: [{name: bar, cylinder: {from: [0, -0.1, -20 mm], to: [0, 0.1, -20 mm], radius: 10 mm}}]
)");
  Scene without = with;
  without.contact.obstacles = false;
  const cosserat::CosseratFormulation formulation;
  const std::unique_ptr<Model> touching = formulation.compile(with);
  const std::unique_ptr<Model> free = formulation.compile(without);
  const auto work = touching->workspace();
  const auto free_work = free->workspace();
  const Targets targets = sim::resting_targets(with);
  const auto solved = [&](const Model& model, Workspace& workspace, State& state) {
    const SolveReport report = model.solve(workspace, state, targets, {});
    CHECK_MESSAGE(report.converged, report.why);
    return model.sample(workspace, state, targets);
  };
  const auto state = touching->start(targets);
  const Pose lies = solved(*touching, *work, *state);
  CHECK(lies.contacts.size() > 0);
  // the bar is gone: it hangs where it would have hung
  const auto hanging = free->carry_over(*touching, *state, targets);
  const Pose hangs = solved(*free, *free_work, *hanging);
  const auto fresh = free->start(targets);
  CHECK(distance(hangs, solved(*free, *free_work, *fresh)) < 1e-8);
  CHECK(distance(hangs, lies) > 1e-3);
  CHECK(hangs.contacts.empty());
  // what has been packed is all that there is
  const auto again = touching->unpack(state->pack(), targets);
  REQUIRE(again != nullptr);
  const Pose same = touching->sample(*work, *again, targets);
  CHECK(distance(same, lies) == 0);
  CHECK(same.contacts.size() == lies.contacts.size());
}

}  // namespace filum::test_contact_agreement
