// Cables laid by hand over and into things, with friction: a hand moves their ends by a little or by ten radii, at random,
// and each state is found from the one before. And what happens as a hand lets go.
#include "sim/formulations.hpp"
#include "sim/live/living_scene.hpp"
#include "sim/statics/rest_by_motion.hpp"
#include "unit/live_session.hpp"
#include "unit/mesh_file.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

namespace filum::test_moves_in_contact {

namespace {

constexpr double kRadius = 0.003;

// A cable of 3 mm through these points, held at its ends.
std::string cable(const std::string& formulation, const std::string& shape, const std::string& obstacles) {
  return "sections: {w: {shape: circle, radius: 3 mm}}\nmaterials: {m: {young: 20 MPa, poisson: 0.45, density: 1200}}\n"
         "rods:\n  c: {material: m, section: w, " +
         shape +
         "}\nholds:\n  - {name: a, rod: c, at: start, fix: [position, orientation]}\n"
         "  - {name: b, rod: c, at: end, fix: [position, orientation]}\n" +
         (obstacles.empty() ? "" : "obstacles:\n") + obstacles + "simulation: {formulation: " + formulation + "}\n";
}

Scene made(const std::string& text) {
  const Result<Scene> scene = parse_scene("filum: 1\n" + text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

// In balance, pressed on but not into what it touches, and rubbed by no more than Coulomb's law lets.
void rests(const Session& session, const SolveReport& report, double friction) {
  REQUIRE_MESSAGE(report.converged, report.why);
  const Pose pose = session.pose();
  double pressed = 0;
  for (const ContactPose& contact : pose.contacts) {
    const double normal = contact.normal_force();
    CHECK(std::abs(contact.gap) < 1e-6 * kRadius);
    CHECK(normal >= 0);
    CHECK((contact.force - normal * contact.normal).norm() <= friction * normal * (1 + 1e-6) + 1e-9);
    pressed += normal;
  }
  const test::Wrench sum = test::outside(session.scene(), pose);
  CHECK(sum.force.norm() < 1e-6 * std::max(sum.force_scale, pressed));
}

struct Box {
  Vec3 least, most;
};

struct Moves {
  int count = 0;
  int iterations = 0;
  int most = 0;
};

// Ends go by 5 and by 30 mm in turn, in directions drawn by lot, within their boxes.
Moves play(Session& session, const Box& a, const Box& b, double friction, unsigned seed) {
  constexpr int kMoves = 10;
  std::mt19937 random(seed);
  const auto any = [&] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
  const double farthest = 0.98 * session.rod_lengths()[0];
  Moves moves;
  for (int tries = 0; moves.count < kMoves && tries < 10000; ++tries) {
    const bool first = random() % 2 == 0;
    const Vec3 here = session.hold_places()[first ? 0 : 1].position;
    const Vec3 other = session.hold_places()[first ? 1 : 0].position;
    const Vec3 way(any(), any(), any());
    const Vec3 there = here + (moves.count % 2 == 0 ? 0.005 : 0.03) * way.normalized();
    const Box& box = first ? a : b;
    if ((there.array() < box.least.array()).any() || (there.array() > box.most.array()).any()) continue;
    if ((there - other).norm() > farthest) continue;
    CAPTURE(moves.count);
    test::must(session.move_hold(first ? "a" : "b", there));
    const SolveReport report = session.settle();
    rests(session, report, friction);
    ++moves.count;
    moves.iterations += report.iterations;
    moves.most = std::max(moves.most, report.iterations);
  }
  CHECK(moves.count == kMoves);
  return moves;
}

}  // namespace

TEST_CASE("moves in contact: a cable on a block of facets whose ends are lowered by ten radii is found, however far") {
  // before, what rubs was led into the block with the hand, and half of these were lost
  const test::MeshFile block = test::cube_file(0.2);
  const std::string hanging = "length: 0.55, segments: 30, shape: {line: [[-0.25, 0, 0], [0.25, 0, 0]]}";
  const double top = -0.093;  // 10 mm above where it hangs
  const std::string below = "  - {name: block, mesh: " + block.path + ", position: [0, 0, -0.193], friction: ";
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    for (double depth = 0.025; depth < 0.0349; depth += 0.001) {
      CAPTURE(depth);
      Session session = test::begun(made(cable(formulation, hanging, "")));
      REQUIRE(session.settle().converged);
      for (const char* friction : {"0}\n", "0.3}\n"}) {
        test::must(session.edit(made(cable(formulation, hanging, below + friction))));
        rests(session, session.settle(), 0.3);
      }
      for (const char* end : {"a", "b"}) {
        test::must(session.move_hold(end, Vec3(end[0] == 'a' ? -0.25 : 0.25, 0, -depth)));
        rests(session, session.settle(), 0.3);
      }
      CHECK(!session.pose().contacts.empty());
      const Pose pose = session.pose();
      for (const Vec3& x : pose.rods[0].position)
        if (std::abs(x[0]) < 0.09 && std::abs(x[1]) < 0.09) CHECK(x[2] > top + 0.0028);
    }
  }
}

TEST_CASE("moves in contact: over a block, round a corner and over a pipe every move is found") {
  const std::string over =
      "segments: 70, shape: {spline: [[-0.2, 0, -40 mm], [-0.14, 0, -5 mm], [-0.1, 0, 7 mm], [0, 0, 3.5 mm], [0.1, 0, "
      "7 mm], "
      "[0.14, 0, -5 mm], [0.2, 0, -40 mm]]}";
  const std::string round =
      "segments: 80, shape: {spline: [[-0.2, 20 mm, 0], [-0.1, 6 mm, 0], [-20 mm, 6 mm, 0], [4 mm, 4 mm, 0], [6 mm, "
      "-20 mm, "
      "0], [6 mm, -0.1, 0], [20 mm, -0.2, 0]]}";
  const Box left{{-0.32, -0.12, -0.15}, {-0.125, 0.12, 0.1}};
  const Box right{{0.125, -0.12, -0.15}, {0.32, 0.12, 0.1}};
  struct Laid {
    const char* name;
    std::string shape, obstacles;
    double friction;
    Box a, b;
  };
  const Laid list[] = {
      {"block", over, "  - {name: block, box: {size: [0.2, 0.2, 0.1], position: [0, 0, -0.05]}, friction: 0.3}\n", 0.3,
       left, right},
      {"corner",
       round,
       "  - {name: wall, box: {size: [0.4, 0.4, 0.4], position: [-0.2, -0.2, 0]}, friction: 0.5}\n",
       0.5,
       {{-0.35, 0.006, -0.1}, {-0.1, 0.12, 0.1}},
       {{0.006, -0.35, -0.1}, {0.12, -0.1, 0.1}}},
      {"pipe", over,
       "  - {name: pipe, cylinder: {from: [0, -0.3, -0.1], to: [0, 0.3, -0.1], radius: 0.1}, friction: 0.3}\n", 0.3,
       left, right}};
  for (const char* formulation : {"kirchhoff", "cosserat"})
    for (const Laid& laid : list) {
      CAPTURE(std::string(formulation));
      CAPTURE(std::string(laid.name));
      Session session = test::begun(made(cable(formulation, laid.shape, laid.obstacles)));
      rests(session, session.settle(), laid.friction);
      const Moves moves = play(session, laid.a, laid.b, laid.friction, 5);
      MESSAGE(std::string(formulation) << ", " << std::string(laid.name) << ": " << moves.iterations
                                       << " iterations, at most " << moves.most);
    }
}

TEST_CASE("moves in contact: a wire bent round a former springs back when the hand opens") {
  // it leaves the former contact by contact: more iterations than a move takes, and no smaller steps would help
  constexpr double kLength = 0.6;
  constexpr int kSteps = 40;
  for (const double former : {0.25, 0.4}) {
    CAPTURE(former);
    const double around = former + 1e-3;
    const std::string axis = std::to_string(around);
    Session session = test::begun(
        made("gravity: [0, 0, 0]\nsections: {w: {shape: circle, radius: 1 mm}}\n"
             "materials: {m: {young: 120 GPa, poisson: 0.34, density: 8930, yield: 120 MPa}}\n"
             "rods:\n  c: {material: m, section: w, segments: 120, shape: {line: [[0, 0, 0], [0.6, 0, 0]]}}\n"
             "holds:\n  - {name: vice, rod: c, at: start, fix: [position, orientation]}\n"
             "  - {name: hand, rod: c, at: end, fix: [position]}\n"
             "obstacles:\n  - {name: former, cylinder: {from: [0, -0.05, " +
             axis + "], to: [0, 0.05, " + axis + "], radius: " + std::to_string(former) + "}}\n"));
    const auto lead = [&](double share, double pull) {
      const double angle = 0.47 / former * share;
      const double free = (1 + pull) * kLength - around * angle;
      test::must(session.move_hold("hand", {around * std::sin(angle) + free * std::cos(angle), 0,
                                            around * (1 - std::cos(angle)) + free * std::sin(angle)}));
      REQUIRE(session.settle().converged);
    };
    const auto touching = [&] { return session.pose().contacts.size(); };
    for (int k = 1; k <= kSteps; ++k) lead(double(k) / kSteps, 4e-4);
    for (int k = 7; k >= 0; --k) lead(1, 4e-4 * k / 8);
    for (int k = kSteps - 1; k >= 30; --k) lead(double(k) / kSteps, 0);
    CHECK(touching() > 0);
    test::must(session.fix_hold("hand", Fix{{false, false, false}, {false, false, false}}));
    const SolveReport report = session.settle();
    CHECK_MESSAGE(report.converged, report.why);
    for (const ContactPose& contact : session.pose().contacts) CHECK(contact.normal_force() < 1);
  }
}

TEST_CASE("moves in contact: what a hand has let go of is led to where it lies") {
  // a hold that fixes nothing is no scene to be read, but one that moves
  Scene scene =
      made(cable("kirchhoff", "segments: 40, shape: {line: [[-0.2, 0, 4 mm], [0.2, 0, 4 mm]]}",
                 "  - {name: block, box: {size: [0.2, 0.2, 0.1], position: [0, 0, -0.05]}, friction: 0.3}\n"));
  sim::LivingScene held(scene, sim::make_formulation("kirchhoff"));
  REQUIRE(held.find_equilibrium(held.resting()).converged);
  scene.holds[1].fix = {{false, false, false}, {false, false, false}};
  sim::LivingScene open(scene, held.formulation());
  open.carry_over(held, held.held());
  const std::unique_ptr<Workspace> workspace = open.model().workspace();
  const sim::Equilibrium led = sim::lead(open.model(), *workspace, scene, *open.keep(), open.held(), open.held(), {});
  CHECK_MESSAGE(led.report.converged, led.report.why);
  REQUIRE(led.state != nullptr);
  const Pose pose = open.model().sample(*workspace, *led.state, open.held());
  CHECK(!pose.contacts.empty());
  CHECK(pose.rods[0].position.back()[2] < 0);
}

}  // namespace filum::test_moves_in_contact
