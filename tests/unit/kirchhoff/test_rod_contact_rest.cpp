// Rods at rest that hold each other and themselves off: crossed beams by their closed form, ways that never lead through,
// friction along a path, loops and knots.
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

namespace filum::test_rod_contact_rest {

namespace {

constexpr const char* kFormulations[] = {"kirchhoff", "cosserat"};
constexpr double kBending = 70e9 * std::numbers::pi * 1e-12 / 4;  // of the stock's wire, in metal

std::string text(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}

bool passes_through(const Outcome& outcome) {
  for (const Check& check : outcome.checks)
    if (check.kind == CheckKind::PassesThrough) return true;
  return false;
}

// Two metal wires of 200 mm, clamped at both ends, one across the other, `z` above it, as drawn.
std::string crossed(double z, const std::string& more) {
  return R"(
gravity: [0, 0, 0]
rods:
  a: {material: metal, section: wire, segments: 40, shape: {line: [[-0.1, 0, 0], [0.1, 0, 0]]}}
  b: {material: metal, section: wire, segments: 40, shape: {line: [[0, -0.1, )" +
         text(z) + "], [0, 0.1, " + text(z) + R"(]]}}
holds:
  - {rod: a, at: start, fix: [position, orientation]}
  - {rod: a, at: end, fix: [position, orientation]}
  - {name: b0, rod: b, at: start, fix: [position, orientation]}
  - {name: b1, rod: b, at: end, fix: [position, orientation]}
)" + more;
}

// Both ends of b go there, from as it is drawn.
std::string path_of_b(const Vec3& to) {
  const std::string end = text(to.z()) + "]";
  return "drivers:\n  - {hold: b0, path: [{t: 0}, {t: 1, position: [" + text(to.x()) + ", " + text(-0.1 + to.y()) +
         ", " + end + "}]}\n  - {hold: b1, path: [{t: 0}, {t: 1, position: [" + text(to.x()) + ", " +
         text(0.1 + to.y()) + ", " + end + "}]}\n";
}

}  // namespace

TEST_CASE("rod contact at rest: crossed beams share what they are drawn too near by, as beam theory says") {
  // clamped at both ends, F = δ/2 · 192 EI/L³; small against the radius, so that neither stretches
  for (const char* formulation : kFormulations) {
    CAPTURE(formulation);
    const double near = 2e-5;
    const std::string scene =
        crossed(2e-3 - near, std::string("contact: {rods: true}\nsimulation: {formulation: ") + formulation + "}\n");
    const Outcome outcome = test::solved(scene);
    const Pose& pose = test::last(outcome);
    REQUIRE(pose.contacts.size() == 1);
    const ContactPose& contact = pose.contacts[0];
    CHECK(contact.normal_force() == doctest::Approx(0.5 * near * 192 * kBending / std::pow(0.2, 3)).epsilon(0.01));
    // but for the spring that keeps stations in the middle of their edges
    CHECK(std::abs(contact.a.s - 0.1) < 5e-5);
    CHECK(std::abs(contact.b.s - 0.1) < 5e-5);
    CHECK(std::abs(contact.gap) < 1e-9);
    CHECK(contact.position.head<2>().norm() < 5e-5);
    CHECK(outcome.solve.stable == true);
    CHECK(outcome.solve.iterations < 20);
    CHECK(!passes_through(outcome));
    test::check_balance(test::scene_of(scene), pose);
  }
  const Outcome apart = test::solved(crossed(2.1e-3, "contact: {rods: true}\n"));
  CHECK(test::last(apart).contacts.empty());
  CHECK(passes_through(test::solved(crossed(1e-3, "contact: {rods: false}\n"))));
}

TEST_CASE(
    "rod contact at rest: a rod that is pressed on another takes it along and never goes through, in few states or "
    "many") {
  double force = 0;
  for (const int states : {3, 12, 60}) {
    CAPTURE(states);
    SolveOptions options;
    options.path = states;
    const Outcome outcome =
        test::solved(crossed(5e-3, "contact: {rods: true}\n" + path_of_b({0.01, 0, -0.03})), options);
    for (const Snapshot& state : outcome.states) {
      const double a = state.pose.rods[0].position[20].z();
      CHECK(state.pose.rods[1].position[20].z() > a);
    }
    CHECK(!passes_through(outcome));
    const Pose& pose = test::last(outcome);
    REQUIRE(!pose.contacts.empty());
    double pressed = 0;
    for (const ContactPose& contact : pose.contacts) pressed += contact.force.z();
    if (force == 0) force = pressed;
    // without friction there is no path to depend on
    CHECK(pressed == doctest::Approx(force).epsilon(1e-6));
  }
}

TEST_CASE("rod contact at rest: friction along a path is Coulomb's, and the report says that it depends on it") {
  // pressed on, then drawn along: the wire below is carried along by μ N at most
  const double mu = 0.3;
  SolveOptions options;
  options.path = 40;
  const Outcome outcome = test::solved(
      crossed(1.9e-3, "contact: {rods: true, friction: " + text(mu) + "}\n" + path_of_b({0.02, 0, 1.9e-3})), options);
  CHECK(!passes_through(outcome));
  const ContactPose& last = test::last(outcome).contacts.at(0);
  CHECK(!last.stick);
  const Vec3 rubbed = last.force - last.normal_force() * last.normal;
  CHECK(rubbed.norm() == doctest::Approx(mu * last.normal_force()).epsilon(0.01));
  CHECK(last.chafing > 0);
  CHECK(last.chafing == doctest::Approx(0.02 * last.normal_force()).epsilon(0.2));
  CHECK(outcome.solve.why.find("depends on the path") != std::string::npos);
  CHECK(!outcome.solve.stable.has_value());
  // a little of it only: it sticks, and nothing has chafed
  options.path = 4;
  const Outcome little = test::solved(
      crossed(1.9e-3, "contact: {rods: true, friction: " + text(mu) + "}\n" + path_of_b({1e-5, 0, 1.9e-3})), options);
  CHECK(test::last(little).contacts.at(0).stick);
  CHECK(test::last(little).contacts.at(0).chafing < 1e-3 * last.chafing);
}

namespace {

// A cord with a loose overhand knot, pulled tight by its ends.
std::string knot(int segments, const std::string& contact, const std::string& formulation) {
  return R"(
gravity: [0, 0, 0]
rods:
  cord:
    material: rubber
    section: wire
    segments: )" +
         std::to_string(segments) + R"(
    rest: as-shaped
    shape: {spline: [[-0.1700, 0.0800, 0], [-0.1000, 0.0800, -0.0260], [-0.0500, 0.0650, -0.0310], [-0.0200, 0.0200, -0.0210], [-0.0066, -0.0015, -0.0042], [0.0037, -0.0140, 0.0067], [0.0113, -0.0194, 0.0130], [0.0163, -0.0195, 0.0160], [0.0191, -0.0159, 0.0167], [0.0200, -0.0100, 0.0158], [0.0192, -0.0030, 0.0139], [0.0171, 0.0042, 0.0115], [0.0138, 0.0107, 0.0087], [0.0097, 0.0157, 0.0059], [0.0050, 0.0189, 0.0029], [0, 0.0200, 0], [-0.0050, 0.0189, -0.0029], [-0.0097, 0.0157, -0.0059], [-0.0138, 0.0107, -0.0087], [-0.0171, 0.0042, -0.0115], [-0.0192, -0.0030, -0.0139], [-0.0200, -0.0100, -0.0158], [-0.0191, -0.0159, -0.0167], [-0.0163, -0.0195, -0.0160], [-0.0113, -0.0194, -0.0130], [-0.0037, -0.0140, -0.0067], [0.0066, -0.0015, 0.0042], [0.0200, 0.0200, 0.0210], [0.0500, 0.0650, 0.0310], [0.1000, 0.0800, 0.0260], [0.1700, 0.0800, 0]]}
holds:
  - {name: left, rod: cord, at: start, fix: [position]}
  - {name: right, rod: cord, at: end, fix: [position]}
contact: )" +
         contact + R"(
drivers:
  - {hold: left, path: [{t: 0}, {t: 1, position: [-0.242, 0.080, 0]}]}
  - {hold: right, path: [{t: 0}, {t: 1, position: [0.242, 0.080, 0]}]}
simulation: {formulation: )" +
         formulation + "}\n";
}

}  // namespace

TEST_CASE("rod contact at rest: a knot is pulled tight, by states, and holds itself off") {
  SolveOptions options;
  options.path = 30;
  const auto pull = [&](int segments, const std::string& contact, const std::string& formulation) {
    CAPTURE(formulation);
    const Outcome outcome = test::solved(knot(segments, contact, formulation), options);
    CHECK(passes_through(outcome) == (contact == "{rods: false}"));
    CHECK(test::last(outcome).contacts.empty() == (contact == "{rods: false}"));
    return test::last(outcome).holds[1].force.x();
  };
  const double force = pull(100, "{rods: true}", "kirchhoff");
  CHECK(pull(100, "{rods: true}", "cosserat") == doctest::Approx(force).epsilon(1e-6));
  CHECK(pull(200, "{rods: true}", "kirchhoff") == doctest::Approx(force).epsilon(0.03));
  // without contact the loop is drawn out, through itself
  CHECK(pull(100, "{rods: false}", "kirchhoff") < 0.6 * force);
}

TEST_CASE("rod contact at rest: a hand that presses a rod on another, by more than both are thick, takes that along") {
  Result<Session> session = Session::begin(test::scene_of(crossed(5e-3, "contact: {rods: true}\n")));
  REQUIRE(session.ok());
  for (int move = 1; move <= 5; ++move) {
    CAPTURE(move);
    REQUIRE(session->move_hold("b0", {1e-3 * move, -0.1, 5e-3 - 3e-3 * move}).ok());
    REQUIRE(session->move_hold("b1", {1e-3 * move, 0.1, 5e-3 - 3e-3 * move}).ok());
    CHECK(session->settle().converged);
    const Pose pose = session->pose();
    CHECK(pose.rods[1].position[20].z() > pose.rods[0].position[20].z() + 1e-3);
    if (move > 1) CHECK(!pose.contacts.empty());
  }
}

TEST_CASE("rod contact at rest: a run begins from it, and stays") {
  const Scene scene = test::scene_of(crossed(1.9e-3,
                                             "contact: {rods: true, friction: 0.2}\nsimulation: {mode: dynamics, "
                                             "start: equilibrium, step: 1/240, end: 0.1}\n"));
  const Result<Outcome> outcome = run(scene);
  REQUIRE(outcome.ok());
  CHECK(outcome->run->completed);
  const Pose& first = outcome->states.front().pose;
  const Pose& last = outcome->states.back().pose;
  REQUIRE(first.contacts.size() == 1);
  REQUIRE(last.contacts.size() == 1);
  CHECK(last.contacts[0].normal_force() == doctest::Approx(first.contacts[0].normal_force()).epsilon(1e-4));
}

TEST_CASE("rod contact at rest: what nothing holds lies on what is held") {
  const Outcome outcome = test::solved(R"(
rods:
  a: {material: metal, section: wire, segments: 20, shape: {line: [[-0.1, -0.03, 0], [0.1, -0.03, 0]]}}
  b: {material: metal, section: wire, segments: 20, shape: {line: [[-0.1, 0.03, 0], [0.1, 0.03, 0]]}}
  c: {material: metal, section: wire, segments: 20, shape: {line: [[0, -0.05, 2 mm], [0, 0.05, 2 mm]]}}
holds:
  - {rod: a, at: start, fix: [position, orientation]}
  - {rod: a, at: end, fix: [position, orientation]}
  - {rod: b, at: start, fix: [position, orientation]}
  - {rod: b, at: end, fix: [position, orientation]}
contact: {rods: true}
)");
  double lifted = 0;
  for (const ContactPose& contact : test::last(outcome).contacts)
    lifted += contact.a.rod == 2 ? contact.force.z() : -contact.force.z();
  CHECK(lifted == doctest::Approx(2700 * std::numbers::pi * 1e-6 * 0.1 * 9.81).epsilon(1e-6));
  const Result<Outcome> falls = solve(test::scene_of(R"(
rods: {c: {material: metal, section: wire, segments: 20, shape: {line: [[0, -0.05, 2 mm], [0, 0.05, 2 mm]]}}}
contact: {rods: true}
)"));
  CHECK(!(falls.ok() && falls->solve.converged));
}

}  // namespace filum::test_rod_contact_rest
