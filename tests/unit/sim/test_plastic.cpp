// Rods that yield: bent to a radius and let go they spring back by the closed form, alike in every formulation that has
// it; below yield nothing changes; what stays is kept by edits, saving and the change of formulation; heat is in the
// ledger; slipping bundles close their loops.
#include "rod/backbone.hpp"

#include <filum/run.hpp>
#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace filum::test_plastic {

namespace {

constexpr double kYield = 200e6 / 120e9;  // strain

Scene read(const std::string& text) {
  const auto scene = parse_scene(text, "plastic");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

// A straight wire of length 1 along x, clamped at its start, its end held wholly.
std::string wire(const std::string& section, const std::string& formulation,
                 const std::string& yield = ", yield: 200 MPa", int segments = 60) {
  return "filum: 1\ngravity: [0, 0, 0]\n"
         "materials: {copper: {young: 120 GPa, poisson: 0.34, density: 8930" +
         yield + "}}\nsections: {wire: {" + section +
         "}}\n"
         "rods: {wire: {material: copper, section: wire, segments: " +
         std::to_string(segments) +
         ", normal: [0, 0, 1], shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n"
         "holds:\n"
         "  - {name: clamp, rod: wire, at: start, fix: [position, orientation]}\n"
         "  - {name: hand, rod: wire, at: end, fix: [position, orientation]}\n"
         "simulation: {formulation: " +
         formulation + "}\n";
}

const std::string kRound = "shape: circle, radius: 1 mm";

Session begun(const std::string& text) {
  auto session = Session::begin(read(text));
  REQUIRE_MESSAGE(session.ok(), (session.ok() ? "" : session.error().text()));
  return std::move(*session);
}

// Leads the hand so that the wire lies on an arc of this curvature, in the plane of x and z.
void bend_to(Session& session, double curvature, double length = 1) {
  const double angle = curvature * length;
  const Vec3 end = std::abs(angle) < 1e-9 ? Vec3(length, 0, 0)
                                          : Vec3(std::sin(angle) / curvature, 0, (1 - std::cos(angle)) / curvature);
  const Mat3 straight = session.pose().rods[0].frame.front().toRotationMatrix();
  const Mat3 turned = Eigen::AngleAxisd(-angle, Vec3::UnitY()).toRotationMatrix() * straight;
  REQUIRE(session.move_hold("hand", end).ok());
  REQUIRE(session.turn_hold("hand", Quat(turned)).ok());
  const SolveReport report = session.settle();
  CHECK_MESSAGE(report.converged, report.why);
  // to an elastic balance first, then in steps of a few yield curvatures: no chatter. A chain turns its elements by less
  // an iteration
  CHECK(report.iterations <= (session.scene().simulation.formulation == "chain" ? 80 : 30));
}

void bend_in_steps(Session& session, double from, double to, int steps) {
  for (int k = 1; k <= steps; ++k) bend_to(session, from + (to - from) * k / steps);
}

void let_go(Session& session) {
  REQUIRE(session.fix_hold("hand", Fix{{false, false, false}, {false, false, false}}).ok());
  const SolveReport report = session.settle();
  CHECK_MESSAGE(report.converged, report.why);
}

// Curvature in the middle of the wire, where ends do not matter.
double curvature(const Session& session) {
  const RodPose rod = session.pose().rods[0];
  return rod.curvature[rod.curvature.size() / 2].norm();
}

}  // namespace

TEST_CASE("a wire bent to a radius and let go springs back by its section's own moment curve, within 1 %") {
  struct Case {
    std::string section;
    rod::Backbone curve;
    double half;  // towards where it bends (d1 is along z: about d2)
  };
  const Case cases[] = {
      {kRound, {rod::Backbone::Form::Round, 0, 0}, 1e-3},
      {"shape: tube, outer_radius: 1 mm, inner_radius: 0.7 mm", {rod::Backbone::Form::Round, 0, 0.7}, 1e-3},
      {"shape: rectangle, width: 2 mm, height: 5 mm", {rod::Backbone::Form::Power, 1.5, 0}, 1e-3},
      {"shape: ellipse, radii: [1 mm, 2 mm]", {rod::Backbone::Form::Round, 0, 0}, 1e-3}};
  for (const std::string formulation : {"kirchhoff", "cosserat", "spline", "chain"})
    for (const Case& c : cases) {
      CAPTURE(formulation);
      CAPTURE(c.section);
      Session session = begun(wire(c.section, formulation));
      const double first = kYield / c.half;
      bend_in_steps(session, 0, 3 * first, 6);
      // rigid elements on an arc are pushed together a little, and yield unevenly for it
      CHECK(curvature(session) == doctest::Approx(3 * first).epsilon(formulation == "chain" ? 1e-2 : 2e-3));
      const double reached = curvature(session) / first;
      let_go(session);
      const double left = (reached - c.curve.value(reached)) * first;
      CHECK(curvature(session) == doctest::Approx(left).epsilon(0.01));
      // it says so
      const RodPose rod = session.pose().rods[0];
      CHECK(rod.plastic[30].norm() == doctest::Approx(left).epsilon(0.01));
      CHECK(rod.yield[30] == doctest::Approx(3).epsilon(0.01));
    }
}

TEST_CASE("below yield nothing changes to the last bit") {
  for (const std::string formulation : {"kirchhoff", "cosserat", "spline", "chain"}) {
    Session elastic = begun(wire(kRound, formulation, ""));
    Session yielding = begun(wire(kRound, formulation, ", yield: 200 MPa, hardening: 1 GPa, isotropic: 0.3"));
    for (const double curvature : {0.5, 1.2, -1.0}) {
      bend_to(elastic, curvature);
      bend_to(yielding, curvature);
    }
    const RodPose a = elastic.pose().rods[0], b = yielding.pose().rods[0];
    for (std::size_t i = 0; i < a.s.size(); ++i) {
      CHECK(a.position[i] == b.position[i]);
      CHECK(a.moment[i] == b.moment[i]);
    }
    CHECK(elastic.pose().energy.elastic == yielding.pose().energy.elastic);
    CHECK(a.yield.empty());
    CHECK(*std::max_element(b.yield.begin(), b.yield.end()) < 1);
    CHECK(std::all_of(b.plastic.begin(), b.plastic.end(), [](const Vec3& p) { return p.isZero(0); }));
  }
}

TEST_CASE("below yield nothing changes to the last bit in motion either") {
  for (const std::string formulation : {"kirchhoff", "cosserat", "spline", "chain"}) {
    CAPTURE(formulation);
    const auto moved = [&](const std::string& yield) {
      Scene scene = read(wire(kRound, formulation, yield, 12));
      scene.holds.pop_back();
      scene.gravity = Vec3(0.3, 0.5, -9.81);
      scene.simulation.mode = Mode::Dynamics;
      scene.simulation.step = 1.0 / 240;
      scene.simulation.end = 0.2;
      scene.simulation.start = StartKind::AsShaped;
      const auto outcome = run(scene);
      REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
      REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
      return outcome->states.back().pose;
    };
    const Pose a = moved("");
    const Pose b = moved(", yield: 20 GPa, hardening: 1 GPa, isotropic: 0.3");
    for (std::size_t i = 0; i < a.rods[0].s.size(); ++i) CHECK(a.rods[0].position[i] == b.rods[0].position[i]);
    CHECK(a.energy.kinetic == b.energy.kinetic);
    CHECK(a.energy.elastic == b.energy.elastic);
  }
}

TEST_CASE("what stays is kept by a change of formulation and of segments, by saving and by undoing") {
  Session session = begun(wire(kRound, "kirchhoff"));
  // by 0.4 of first yield each: with twice that the search crumples the wire
  bend_in_steps(session, 0, 5, 8);
  let_go(session);
  const double left = curvature(session);
  CHECK(left > 1.5);
  const SavedState saved = session.save();

  // another formulation, other segments
  for (const auto& [formulation, segments] : {std::pair{"cosserat", 60},
                                              {"kirchhoff", 47},
                                              {"spline", 47},
                                              {"spline", 30},
                                              {"chain", 60},
                                              {"chain", 45},
                                              {"cosserat", 90},
                                              {"chain", 90},
                                              {"spline", 20},
                                              {"kirchhoff", 60}}) {
    Scene edited = session.scene();
    edited.simulation.formulation = formulation;
    edited.rods[0].segments = segments;
    REQUIRE(session.edit(edited).ok());
    const SolveReport report = session.settle();
    CHECK_MESSAGE(report.converged, report.why);
    CHECK(curvature(session) == doctest::Approx(left).epsilon(2e-3));
  }

  // from the file: the same bits
  const auto loads = [](const std::string& formulation, const SavedState& from, double curved) {
    CAPTURE(formulation);
    Session again = begun(wire(kRound, formulation));
    REQUIRE(again.fix_hold("hand", Fix{{false, false, false}, {false, false, false}}).ok());
    REQUIRE_MESSAGE(again.load(from).ok(), again.load(from).error().text());
    CHECK(curvature(again) == curved);
    CHECK(again.settle().converged);
    CHECK(curvature(again) == doctest::Approx(curved).epsilon(1e-9));
  };
  loads("kirchhoff", saved, left);
  Session other = begun(wire(kRound, "chain"));
  bend_in_steps(other, 0, 5, 8);
  let_go(other);
  CHECK(curvature(other) == doctest::Approx(left).epsilon(0.02));
  loads("chain", other.save(), curvature(other));
}

TEST_CASE("a chain that makes its elements fewer where it is straight keeps what has yielded") {
  const std::string text = wire(kRound, "chain", ", yield: 60 MPa, hardening: 2 GPa", 80) +
                           "forces: [{rod: wire, at: end, force: [0, 0, 0.15 N]}]\n"
                           "drivers: [{force: 0, path: [{t: 0, scale: 1}, {t: 0.2, scale: 1}, {t: 0.21, scale: 0}]}]\n";
  double tip[2];
  std::size_t fewest[2];
  for (const int with : {0, 1}) {
    Scene scene = read(text);
    scene.holds.pop_back();
    scene.rods[0].damping.mass = 8;
    scene.simulation.mode = Mode::Dynamics;
    scene.simulation.step = 1.0 / 240;
    scene.simulation.end = 3;
    scene.simulation.start = StartKind::AsShaped;
    scene.simulation.chain.detail = with == 1 ? 1e-2 : 0;
    const auto outcome = run(scene);
    REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
    REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
    const RodPose rod = outcome->states.back().pose.rods[0];
    tip[with] = rod.position.back()[2];
    fewest[with] = rod.s.size();
    CHECK(*std::max_element(rod.yield.begin(), rod.yield.end()) > 1.2);
  }
  CHECK(tip[0] > 0.02);
  CHECK(tip[1] == doctest::Approx(tip[0]).epsilon(0.05));
  CHECK(fewest[1] < fewest[0]);
}

TEST_CASE("a bent loop closes: to and fro between two curvatures the moment comes back") {
  for (const std::string formulation : {"kirchhoff", "cosserat", "spline", "chain"}) {
    Session session =
        begun(wire("shape: given, EA: 1e5, EI: [0.1, 0.1], GJ: 0.1, mass_per_length: 0.1, radius: 1 mm, "
                   "slip_curvature: 0.6, slipping: 0.2",
                   formulation, ""));
    bend_in_steps(session, 0, 2, 8);
    const double top = session.pose().rods[0].moment[30].norm();
    bend_in_steps(session, 2, -2, 16);
    CHECK(session.pose().rods[0].moment[30].norm() == doctest::Approx(top).epsilon(1e-6));
    bend_in_steps(session, -2, 2, 16);
    CHECK(session.pose().rods[0].moment[30].norm() == doctest::Approx(top).epsilon(1e-6));
    // the smooth curve of two stiffnesses and a slip curvature, to the error of 8 elements
    CHECK(top == doctest::Approx(0.1 * (0.2 * 2 + 0.8 * 0.6 * std::tanh(2 / 0.6))).epsilon(0.01));
    // wires that slide are no yield
    CHECK(session.pose().rods[0].yield.empty());
    let_go(session);
    CHECK(curvature(session) > 0.3);
  }
}

TEST_CASE("a clamped wire that swings beyond yield: work is what is stored plus heat, and the swing stays off") {
  struct Case {
    std::string formulation;
    int segments;
    double error;  // of the energy, share of what moves
  };
  for (const Case& c : {Case{"kirchhoff", 20, 1e-7}, Case{"spline", 12, 1e-5}, Case{"chain", 20, 1e-2}}) {
    CAPTURE(c.formulation);
    const std::string text =
        wire(kRound, c.formulation, ", yield: 60 MPa, hardening: 2 GPa", c.segments) +
        "forces: [{rod: wire, at: end, force: [0, 0, 0.15 N]}]\n"
        "drivers: [{force: 0, path: [{t: 0, scale: 1}, {t: 0.2, scale: 1}, {t: 0.21, scale: 0}]}]\n";
    Scene scene = read(text);
    scene.holds.pop_back();
    scene.simulation.mode = Mode::Dynamics;
    scene.simulation.step = 1.0 / 240;
    scene.simulation.end = 1;
    scene.simulation.start = StartKind::AsShaped;
    const auto outcome = run(scene);
    REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
    REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
    const Energy end = outcome->states.back().pose.energy;
    CHECK(end.dissipated > 0.01 * outcome->run->energy_scale);
    CHECK(outcome->run->max_energy_error < c.error * outcome->run->energy_scale);
    // heat never comes back
    double last = 0;
    for (const HistoryRow& row : outcome->history) {
      CHECK(row.energy.dissipated >= last - 1e-15);
      last = row.energy.dissipated;
    }
    // bent up for good
    const RodPose rod = outcome->states.back().pose.rods[0];
    CHECK(*std::max_element(rod.yield.begin(), rod.yield.end()) > 1.2);
    CHECK(outcome->checks.size() >= 1);
    CHECK(std::any_of(outcome->checks.begin(), outcome->checks.end(),
                      [](const Check& c) { return c.kind == CheckKind::Yield && c.violated && c.s < 0.2; }));
  }
}

TEST_CASE("a spline that swings beyond yield by implicit Euler: heat rises and the swing stays off") {
  const std::string text = wire(kRound, "spline", ", yield: 60 MPa, hardening: 2 GPa", 12) +
                           "forces: [{rod: wire, at: end, force: [0, 0, 0.15 N]}]\n"
                           "drivers: [{force: 0, path: [{t: 0, scale: 1}, {t: 0.2, scale: 1}, {t: 0.21, scale: 0}]}]\n";
  Scene scene = read(text);
  scene.holds.pop_back();
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.step = 1.0 / 240;
  scene.simulation.end = 1;
  scene.simulation.start = StartKind::AsShaped;
  scene.simulation.integrator = Integrator::ImplicitEuler;
  const auto outcome = run(scene);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  double last = 0;
  for (const HistoryRow& row : outcome->history) {
    CHECK(row.energy.dissipated >= last - 1e-15);
    last = row.energy.dissipated;
  }
  CHECK(last > 0.01 * outcome->run->energy_scale);
  const RodPose rod = outcome->states.back().pose.rods[0];
  CHECK(rod.position.back()[2] > 0.01);
  CHECK(*std::max_element(rod.yield.begin(), rod.yield.end()) > 1.2);
}

TEST_CASE("a wire pulled beyond its yield force is longer for good; twisted beyond its yield torque it stays twisted") {
  const std::string given =
      "shape: given, EA: 1e4, EI: [1, 1], GJ: 1, mass_per_length: 0.1, radius: 1 mm, yield_force: 10 N, "
      "yield_torque: 0.5, hardening: 0.2";
  for (const std::string formulation : {"kirchhoff", "spline", "chain"}) {
    CAPTURE(formulation);
    Session session = begun(wire(given, formulation, ""));
    // stretch 3e-3 where 1e-3 is elastic: N = 10 + 0.2·20
    REQUIRE(session.move_hold("hand", Vec3(1.003, 0, 0)).ok());
    CHECK(session.settle().converged);
    CHECK(session.pose().rods[0].axial_force[30] == doctest::Approx(14).epsilon(1e-9));
    // and a turn and a half beyond: τ = 0.5 + 0.2·(2.5 − 0.5)
    REQUIRE(session.twist_hold("hand", 2.5 / (2 * 3.14159265358979323846)).ok());
    CHECK(session.settle().converged);
    CHECK(std::abs(session.pose().rods[0].moment[30][2]) == doctest::Approx(0.9).epsilon(1e-9));
    let_go(session);
    const RodPose rod = session.pose().rods[0];
    // of a chain the half element at the hand forgets, and comes back
    CHECK(rod.length == doctest::Approx(1.0016).epsilon(formulation == "chain" ? 2e-5 : 1e-9));
    CHECK(std::abs(rod.plastic[30][2]) == doctest::Approx(1.6).epsilon(1e-9));
  }
  // cosserat bends and twists, but says that it does not stretch for good
  Session other = begun(wire(given, "cosserat", ""));
  REQUIRE(other.move_hold("hand", Vec3(1.003, 0, 0)).ok());
  const SolveReport report = other.settle();
  CHECK_FALSE(report.converged);
  CHECK(report.why.find("yield force") != std::string::npos);
}

TEST_CASE("a wire asked for too much in one go is not found crumpled") {
  for (const std::string formulation : {"kirchhoff", "cosserat", "spline", "chain"}) {
    CAPTURE(formulation);
    // a straight wire asked to lie on nearly a whole circle, three times first yield, as if it had been led there
    Session session = begun(wire(kRound, formulation, ", yield: 200 MPa", 30));
    REQUIRE(session.move_hold("hand", Vec3(-0.19, 0, 0.14)).ok());
    REQUIRE(session.turn_hold("hand", Quat(Eigen::AngleAxisd(-3, Vec3::UnitY())) * session.pose().rods[0].frame.front())
                .ok());
    const SolveReport report = session.settle();
    const RodPose rod = session.pose().rods[0];
    if (report.converged) CHECK(*std::max_element(rod.yield.begin(), rod.yield.end()) < 40);
    if (!report.converged) CHECK(!report.why.empty());
  }
}

TEST_CASE("what a formulation or stepper has not is refused by name") {
  Scene wound = read(wire(kRound, "chain"));
  wound.holds.pop_back();
  Winch winch;
  winch.name = "hoist";
  winch.rod = "wire";
  winch.at = {1, 0};
  wound.winches.push_back(winch);
  const auto chain = solve(wound);
  REQUIRE_FALSE(chain.ok());
  CAPTURE(chain.error().text());
  CHECK(chain.error().text().find("not yet supported: the yield of rod 'wire' on a winch in the formulation chain") !=
        std::string::npos);
  Scene scene = read(wire(kRound, "kirchhoff"));
  scene.simulation.stepper = Stepper::Projection;
  const auto outcome = solve(scene);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().text().find("'projection' has no plasticity") != std::string::npos);
}

}  // namespace filum::test_plastic
