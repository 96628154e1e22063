// Rods at rest against obstacles: closed forms of beams and cables that lift off, edges, sides, friction along a path.
#include "unit/rod_rig.hpp"

#include <filum/run.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace filum::test_contact_statics {

namespace {

constexpr double kPi = std::numbers::pi;

std::string text(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}

// Rests, everything presses, nothing overlaps, forces and moments balance.
Outcome rests(const std::string& scene_text, const SolveOptions& options = {}) {
  const Scene scene = test::scene_of(scene_text);
  const Outcome outcome = test::solved(scene_text, options);
  for (const Check& check : outcome.checks) CHECK(check.kind != CheckKind::PassesThrough);
  for (const Snapshot& state : outcome.states) {
    for (const ContactPose& contact : state.pose.contacts) {
      CHECK(contact.normal_force() >= 0);
      const RodPose& rod = state.pose.rods[static_cast<std::size_t>(contact.a.rod)];
      CHECK(std::abs(contact.gap) <= 1e-6 * rod.outline[0].maxCoeff());
    }
  }
  const test::Wrench sum = test::outside(scene, test::last(outcome));
  // round-off of a contact force is k ε |x|, k a hundred times the rod's own stiffness
  CHECK(sum.force.norm() < 1e-6 * sum.force_scale);
  CHECK(sum.moment.norm() < 1e-6 * std::max(sum.moment_scale, sum.force_scale));
  return outcome;
}

double pressed(const Pose& pose) {
  double force = 0;
  for (const ContactPose& contact : pose.contacts) force += contact.normal_force();
  return force;
}

// Of the stock's hose.
constexpr double kArea = kPi * 25e-6;
constexpr double kWeight = 1100 * kArea * 9.81;
constexpr double kBending = 5e6 * kPi * 625e-12 / 4;

}  // namespace

TEST_CASE("contact at rest: a heavy beam over a support sags on to it and lifts off as beam theory says") {
  // pinned at both ends, a round bar below its middle: R = (δ₀ − δ) 48 EI/L³, δ₀ = 5 q L⁴/384 EI
  const double length = 0.2;
  const double sag = 5 * kWeight * std::pow(length, 4) / (384 * kBending);
  for (const double share : {0.0, 0.5, 0.9, 1.1}) {
    CAPTURE(share);
    const double top = -share * sag;
    const Outcome outcome =
        rests(R"(
rods: {a: {material: rubber, section: hose, segments: 40, shape: {line: [[0, 0, 0], [0.2, 0, 0]]}}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: {position: [y, z]}}
obstacles: [{name: bar, cylinder: {from: [0.1, -0.1, )" +
              text(top - 0.015) + "], to: [0.1, 0.1, " + text(top - 0.015) + "], radius: 10 mm}}]\n");
    const double wanted = std::max(0.0, (sag + top) * 48 * kBending / std::pow(length, 3));
    CHECK(pressed(test::last(outcome)) == doctest::Approx(wanted).epsilon(0.01));
    CHECK(test::last(outcome).contacts.size() == (share < 1 ? 1 : 0));
    CHECK(outcome.solve.stable == true);
    CHECK(outcome.solve.iterations < 20);
  }
}

TEST_CASE("contact at rest: a strip lifted off a floor leaves it where beam theory says") {
  // lifted by h at one end: the free length is (24 EI h/q)^¼, its pull half the weight of that
  const double h = 2e-4;
  const double lifted = std::pow(24 * kBending * h / kWeight, 0.25);
  const Outcome outcome = rests(R"(
rods: {a: {material: rubber, section: hose, segments: 200, shape: {line: [[0, 0, 5 mm], [0.5, 0, 5 mm]]}}}
holds:
  - {name: up, rod: a, at: end, fix: [position], position: [0.5, 0, )" +
                                text(0.005 + h) + R"(]}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
)");
  const Pose& pose = test::last(outcome);
  CHECK(pose.holds[0].force.z() == doctest::Approx(kWeight * lifted / 2).epsilon(0.01));
  CHECK(pressed(pose) == doctest::Approx(kWeight * (0.5 - lifted / 2)).epsilon(0.01));
  // to a segment
  CHECK(std::abs(0.5 - pose.contacts.back().a.s - lifted) < 0.5 / 200);
  // the edge of what lies bears half the weight of what hangs, all else its own
  CHECK(pose.contacts[100].normal_force() == doctest::Approx(kWeight * 0.5 / 200).epsilon(1e-3));
  CHECK(outcome.solve.stable == true);
}

TEST_CASE("contact at rest: a heavy cable touches down where the catenary says") {
  // from the floor on: height (H/q)(cosh(q x/H) − 1), length (H/q) sinh(q x/H)
  const double q = 1100 * kPi * 1e-6 * 1.5;  // of a thread of the same rubber, on another planet
  const double scale = 3;                    // H/q, m
  const double reach = 4;
  const double height = scale * (std::cosh(reach / scale) - 1);
  const double hanging = scale * std::sinh(reach / scale);
  const std::string top = "[" + text(3 + reach) + ", 0, " + text(height + 0.001) + "]";
  const Outcome outcome =
      rests("gravity: [0, 0, -1.5]\nrods: {a: {material: rubber, section: wire, length: " + text(3 + hanging) +
            ", segments: 300, shape: {spline: [[0, 0, 1 mm], [3, 0, 1 mm], [5, 0, 0.8], " + top +
            R"(]}}}
holds:
  - {name: far, rod: a, at: start, fix: [position]}
  - {name: up, rod: a, at: end, fix: [position]}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
)");
  const Pose& pose = test::last(outcome);
  // it stretches by a thousandth, which is slack
  CHECK(-pose.holds[0].force.x() == doctest::Approx(q * scale).epsilon(0.02));
  CHECK(pose.holds[1].force.z() == doctest::Approx(q * hanging).epsilon(0.01));
  CHECK(pose.contacts.back().a.s == doctest::Approx(3).epsilon(0.02));
  CHECK(outcome.solve.stable == true);
}

TEST_CASE("contact at rest: a taut rod over a ball is unstable, over a bar stable") {
  // over the far side of the ball, so that the way round it is shorter on every other side
  const auto over = [](const std::string& shape) {
    return rests(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, length: 0.4, segments: 40,
  shape: {spline: [[-0.2, 0, 0], [-0.1, 0, 32 mm], [0, 0, 55.5 mm], [0.1, 0, 32 mm], [0.2, 0, 0]]}}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position]}
obstacles: [{)" + shape +
                 "}]\n");
  };
  CHECK(over("cylinder: {from: [0, -1, 10 mm], to: [0, 1, 10 mm], radius: 40 mm}").solve.stable == true);
  const Outcome ball = over("sphere: {centre: [0, 0, 10 mm], radius: 40 mm}");
  CHECK(ball.solve.stable == false);
  CHECK(!test::last(ball).contacts.empty());
}

TEST_CASE(
    "contact at rest: a rod that is drawn too short or too long for its length stays on the side it is drawn on") {
  // laid out at its own length it would hang below the bar, or go straight through it
  for (const double length : {0.40, 0.46}) {
    CAPTURE(length);
    const Outcome over =
        rests("rods: {a: {material: rubber, section: hose, length: " + text(length) + R"(, segments: 40,
  shape: {spline: [[-0.2, 0, 0], [-0.1, 0, 32 mm], [0, 0, 55.5 mm], [0.1, 0, 32 mm], [0.2, 0, 0]]}}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position]}
obstacles: [{name: bar, cylinder: {from: [0, -1, 10 mm], to: [0, 1, 10 mm], radius: 40 mm}}]
)");
    CHECK(test::last(over).rods[0].position[20].z() > 0.055 - 1e-6);
    CHECK(over.events.empty());
  }
}

TEST_CASE("contact at rest: a slack cable that is drawn straight over something comes to lie, and stays on its side") {
  // straight it is in balance, and leaves that at the least disturbance
  const auto laid = [](const std::string& formulation, const std::string& obstacle, const std::string& height) {
    return rests("simulation: {formulation: " + formulation + R"(}
rods: {a: {material: rubber, section: hose, length: 0.306, segments: 30, shape: {line: [[-0.15, 0, )" +
                 height + "], [0.15, 0, " + height + R"(]]}}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position]}
obstacles: [{name: below, )" +
                 obstacle + "}]\n");
  };
  const std::string block = "box: {size: [0.1, 0.12, 20 mm], position: [0, 0, -10 mm]}";
  const std::string bar = "cylinder: {from: [0, -0.2, -10 mm], to: [0, 0.2, -10 mm], radius: 10 mm}";
  for (const std::string formulation : {"kirchhoff", "cosserat"})
    for (const std::string& obstacle : {block, bar})
      for (const std::string height : {"4 mm", "5 mm", "10 mm"}) {
        CAPTURE(formulation);
        CAPTURE(obstacle);
        CAPTURE(height);
        const Outcome outcome = laid(formulation, obstacle, height);
        CHECK(outcome.solve.stable == true);
        const Pose& pose = test::last(outcome);
        // 2 % of slack is an arc of 14 % of the span, and lies aside on what is below
        double aside = 0;
        for (const Vec3& x : pose.rods[0].position) aside = std::max(aside, std::abs(x.y()));
        CHECK(aside > 0.02);
        REQUIRE(!pose.contacts.empty());
        CHECK(pressed(pose) > 0.2 * kWeight * 0.306);
      }
}

TEST_CASE("contact at rest: over the edge of a block, round its corner, in a channel of blocks") {
  const Outcome edge = rests(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 40, shape: {line: [[-0.2, 0, 30 mm], [0.3, 0, 30 mm]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
obstacles: [{name: bracket, box: {size: [0.2, 0.1, 40 mm], position: [-0.1, 0, 0]}}]
)");
  // what hangs over the edge hangs below the top of the block
  CHECK(test::last(edge).rods[0].position.back().z() < -0.1);
  double last = 0;
  for (const ContactPose& contact : test::last(edge).contacts) last = std::max(last, contact.position.x());
  CHECK(last > -5e-3);
  // drawn through the channel, then both ends are moved aside, to opposite sides
  const Outcome channel = rests(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, length: 0.3, segments: 40, shape: {line: [[-0.15, 0, 6 mm], [0.15, 0, 6 mm]]}}}
holds:
  - {rod: a, at: start, fix: [position], position: [-0.15, -40 mm, 6 mm]}
  - {rod: a, at: end, fix: [position], position: [0.15, 40 mm, 6 mm]}
obstacles:
  - {name: left, box: {size: [80 mm, 5 mm, 30 mm], position: [0, -8 mm, 15 mm]}}
  - {name: right, box: {size: [80 mm, 5 mm, 30 mm], position: [0, 8 mm, 15 mm]}}
)");
  bool left = false, right = false;
  for (const ContactPose& contact : test::last(channel).contacts) {
    left = left || contact.b.obstacle == 0;
    right = right || contact.b.obstacle == 1;
  }
  CHECK(left);
  CHECK(right);
}

TEST_CASE(
    "contact at rest: a taut rod that is drawn straight through a block settles over its edges, whatever the mesh") {
  // A string over two edges: legs to the holds at 153 and 147 mm, 10 mm below the edges, and a little round each of them.
  const auto leg = [](double along) {
    const double r = 1e-3;
    const double way = std::hypot(along, 0.01);
    return std::sqrt(way * way - r * r) + r * (std::atan2(0.01, along) + std::asin(r / way));
  };
  const double pull = 70e9 * kPi * 1e-6 * ((leg(0.153) + 0.1 + leg(0.147)) / 0.4 - 1);
  for (const int segments : {17, 20, 33, 40, 64, 100}) {
    CAPTURE(segments);
    const Outcome outcome = rests(R"(
gravity: [0, 0, 0]
rods: {a: {material: metal, section: wire, length: 0.4, segments: )" +
                                  std::to_string(segments) + R"(, shape: {line: [[-0.2, 0, 0], [0.2, 0, 0]]}}}
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position]}
obstacles: [{name: block, box: {size: [0.1, 0.1, 60 mm], position: [3 mm, 0, -20 mm]}}]
)");
    const Pose& pose = test::last(outcome);
    CHECK(outcome.solve.stable == true);
    // nothing rubs, so that the pull is the same all along; the rod's own stiffness, which rounds the corners over some
    // 10 mm, asks for a few hundredths more
    const auto [least, most] = std::minmax_element(pose.rods[0].axial_force.begin(), pose.rods[0].axial_force.end());
    CHECK(*least > 0.99 * *most);
    CHECK(*most == doctest::Approx(1.02 * pull).epsilon(0.02));
    REQUIRE(outcome.events.size() == 1);
    CHECK(outcome.events[0].kind == EventKind::PushedOut);
  }
}

TEST_CASE("contact at rest: friction acts along a path, by the capstan's law, and remembers") {
  // a rope over a post, a weight at one end, the other end drawn down: T = W e^{μπ} once it slips
  const std::string rope = R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: wire, length: 0.5, segments: 160,
  shape: {spline: [[-51 mm, 0, -0.17], [-51 mm, 0, 0], [-36 mm, 0, 36 mm], [0, 0, 51 mm], [36 mm, 0, 36 mm], [51 mm, 0, 0], [51 mm, 0, -0.17]]}}}
bodies: {hand: {motion: driven, position: [51 mm, 0, -0.17]}}
holds:
  - {name: pull, rod: a, at: end, fix: [position], body: hand}
forces: [{rod: a, at: start, force: [0, 0, -1]}]
obstacles: [{name: post, cylinder: {from: [0, -0.1, 0], to: [0, 0.1, 0], radius: 50 mm}, friction: 0.3}]
drivers: [{body: hand, path: [{t: 0, position: [51 mm, 0, -0.17]}, {t: 1, position: [51 mm, 0, -0.22]}, {t: 2, position: [51 mm, 0, -0.17]}]}]
)";
  SolveOptions options;
  options.path = 41;
  const Outcome outcome = rests(rope, options);
  const auto pull = [&](std::size_t k) { return -outcome.states[k].pose.holds[0].force.z(); };
  CHECK(pull(0) == doctest::Approx(1).epsilon(1e-3));
  CHECK(pull(20) == doctest::Approx(std::exp(0.3 * kPi)).epsilon(0.02));
  CHECK(pull(40) == doctest::Approx(std::exp(-0.3 * kPi)).epsilon(0.02));
  CHECK(!outcome.solve.stable.has_value());
  CHECK(outcome.solve.why.find("path") != std::string::npos);
  // what slipped has chafed
  double chafing = 0;
  for (const ContactPose& contact : test::last(outcome).contacts) chafing += contact.chafing;
  CHECK(chafing > 0);
}

TEST_CASE("contact at rest: the first equilibrium is without friction, and a run begins from it") {
  const std::string lying = R"(
rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[0, 0, 50 mm], [0.4, 0, 5 mm]]}}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.5}]
)";
  const Outcome still = rests(lying);
  CHECK(pressed(test::last(still)) == doctest::Approx(kWeight * test::last(still).rods[0].s.back()).epsilon(1e-9));
  for (const ContactPose& contact : test::last(still).contacts)
    CHECK((contact.force - contact.normal_force() * contact.normal).norm() < 1e-12);
  const Result<Outcome> moved =
      run(test::scene_of(lying + "simulation: {mode: dynamics, start: equilibrium, step: 1/240, end: 0.1}\n"));
  REQUIRE(moved.ok());
  CHECK(moved->run->completed);
  for (const Vec3& v : test::last(*moved).rods[0].velocity) CHECK(v.norm() < 1e-9);
}

TEST_CASE("contact at rest: what nothing holds and no obstacle catches is told") {
  const Result<Outcome> outcome = solve(test::scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 10, shape: {line: [[0, 0, 50 mm], [0.2, 0, 50 mm]]}}}
obstacles: [{name: ball, sphere: {centre: [2, 0, 0], radius: 10 mm}}]
)"));
  REQUIRE(outcome.ok());
  CHECK(!outcome->solve.converged);
  CHECK(outcome->solve.why.find("nor does an obstacle catch it") != std::string::npos);
}

TEST_CASE("contact at rest: a body that pushes a rod aside never passes through it") {
  SolveOptions options;
  options.path = 9;
  const Outcome outcome = rests(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, length: 0.32, segments: 40, shape: {line: [[-0.15, 0, 0], [0.15, 0, 0]]}}}
bodies: {pusher: {motion: driven, position: [0, -40 mm, 0]}}
holds:
  - {rod: a, at: start, fix: [position, orientation], position: [-0.15, 0, 0]}
  - {rod: a, at: end, fix: [position, orientation], position: [0.15, 0, 0]}
obstacles: [{name: finger, capsule: {from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 8 mm}, body: pusher}]
drivers: [{body: pusher, path: [{t: 0, position: [0, -40 mm, 0]}, {t: 1, position: [0, 60 mm, 0]}]}]
)",
                                options);
  const RodPose& rod = test::last(outcome).rods[0];
  CHECK(rod.position[20].y() == doctest::Approx(0.06 + 0.013).epsilon(1e-3));
}

TEST_CASE("contact at rest: the box of a solid body holds a rod off, and sections may differ in width") {
  const Outcome outcome = rests(R"(
rods: {a: {material: rubber, section: hose, segments: 40, stations: [{s: 50 %, section: wire}],
  shape: {line: [[0, 0, 20 mm], [0.4, 0, 20 mm]]}}}
bodies: {table: {box: [1, 1, 20 mm], position: [0.2, 0, -10 mm], solid: true}}
)");
  const RodPose& rod = test::last(outcome).rods[0];
  CHECK(rod.position[2].z() == doctest::Approx(0.005).epsilon(1e-4));
  CHECK(rod.position[38].z() == doctest::Approx(0.001).epsilon(1e-3));
  CHECK(test::last(outcome).contacts[0].b.body == 0);
}

}  // namespace filum::test_contact_statics
