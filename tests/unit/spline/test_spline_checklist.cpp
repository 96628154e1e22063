// The checklist of the source of spline rods [Theetten2006], as far as no other test has it; docs/theory/spline.md, section
// 10, says which test has which item.
#include "formulations/spline/spline_model.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"
#include "unit/spline/spline_rig.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/session.hpp>

namespace filum::test::test_spline_checklist {

namespace {

// A beam between two ends of its line, of length 1 and EI = 1, with weight w per length.
Scene beam(int segments, double weight) {
  Scene scene = cantilever(1e4, segments);
  scene.gravity = Vec3(0, 0, -weight);
  return scene;
}

Hold hold_at(double share, bool turns) {
  Hold hold;
  hold.name = "at " + std::to_string(share);
  hold.rod = "rod";
  hold.at = {share, 0};
  hold.fix.position = kAllAxes;
  if (turns) hold.fix.orientation = kAllAxes;
  return hold;
}

// A scene with sections of its own.
Scene read(const std::string& text) {
  const Result<Scene> scene = parse_scene(text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

// The vertical displacement at a share of the length.
double drop(const Outcome& outcome, double share) {
  const RodPose& rod = last(outcome).rods[0];
  return -rod.position[sample_at(rod, share)].z();
}

}  // namespace

TEST_CASE("checklist 2, 38: stiffnesses from E, ν and D; materials with units, which yield only if they say so") {
  struct Row {
    const char* name;
    double GPa, poisson, density;
  };
  // the source's table 1, densities in Mg/m³
  for (const Row& row :
       {Row{"nylon", 2.7, 0.33, 1.1}, Row{"aluminium", 71.7, 0.34, 2.8}, Row{"copper", 120.7, 0.35, 8.9},
        Row{"steel", 206.8, 0.28, 7.8}, Row{"stainless", 189.6, 0.28, 7.8}}) {
    CAPTURE(row.name);
    const auto model_of = [&](const std::string& more) {
      return spline::compile_spline(
          in_spline(read("filum: 1\nmaterials: {m: {young: " + std::to_string(row.GPa) + " GPa, poisson: " +
                         std::to_string(row.poisson) + ", density: " + std::to_string(1000 * row.density) + more +
                         "}}\nsections: {s: {shape: circle, radius: 5 mm}}\n"
                         "rods: {rod: {section: s, material: m, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n")));
    };
    const spline::SplineModel model = model_of("");
    const Stiffness& h = model.segments[0].stiffness;
    const double E = row.GPa * 1e9, D = 0.01, G = E / (2 * (1 + row.poisson));
    CHECK(h.EA == doctest::Approx(E * M_PI * D * D / 4).epsilon(1e-12));
    CHECK(h.EI[0] == doctest::Approx(E * M_PI * std::pow(D, 4) / 64).epsilon(1e-12));
    CHECK(h.GJ == doctest::Approx(G * M_PI * std::pow(D, 4) / 32).epsilon(1e-12));
    CHECK(h.mass_per_length == doctest::Approx(1000 * row.density * M_PI * D * D / 4).epsilon(1e-12));
    CHECK(model.memory.empty());
    CHECK_FALSE(model_of(", yield: 100 MPa").memory.empty());
  }
}

TEST_CASE("checklist 3: the mass matrix sums to the mass of the rod, and is banded") {
  Scene scene = cantilever(100, 11);
  scene.forces.push_back({{"rod", {0.37, 0}}, "", Vec3(0, 0, 1), false});
  const spline::SplineModel model = spline::compile_spline(scene);
  double all = 0, lumped = 0;
  for (const spline::Segment& segment : model.segments)
    for (const auto& row : segment.mass)
      for (const double mass : row) all += mass;
  for (const double mass : model.control_mass) lumped += mass;
  CHECK(all == doctest::Approx(1).epsilon(1e-12));
  CHECK(lumped == doctest::Approx(1).epsilon(1e-12));
  CHECK(model.controls == 11 + 3 + 1);
}

TEST_CASE("checklist 6: a bent rod turned and moved as a whole has the same strains, and nothing left over") {
  Scene scene = beam(12, 8);
  scene.sections.back().section.EI = Vec2(1, 2.5);
  scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(0.5, 2, -3), false});
  const Outcome plain = solved(scene);
  const Mat3 turn = math::exp_so3(Vec3(0.4, -1.1, 0.7));
  const Vec3 shift(3, -2, 5);
  for (Vec3& point : scene.rods[0].shape.points) point = turn * point + shift;
  scene.rods[0].normal = turn * Vec3::UnitY();
  Scene same = scene;
  same.rods[0].shape.points = {Vec3::Zero(), Vec3::UnitX()};
  same.rods[0].normal = Vec3::UnitY();
  const Outcome straight = solved(same);
  scene.gravity = turn * scene.gravity;
  scene.forces[0].force = turn * scene.forces[0].force;
  const Outcome turned = solved(scene);
  CHECK(last(turned).energy.elastic == doctest::Approx(last(straight).energy.elastic).epsilon(1e-9));
  CHECK((tip(turned) - (turn * tip(straight) + shift)).norm() < 1e-8);
  for (std::size_t i = 0; i < last(turned).rods[0].s.size(); ++i)
    CHECK((last(turned).rods[0].curvature[i] - last(straight).rods[0].curvature[i]).norm() < 1e-6);
  const Vec3 left = last(plain).holds[0].force + Vec3(0.5, 2, -3) + Vec3(0, 0, -8);
  CHECK(left.norm() < 1e-9);
}

TEST_CASE("checklist 7: a straight rod without load has no force, and a disturbance of 1e-12 makes no spike") {
  for (const double disturbance : {0.0, 1e-12}) {
    Scene scene = cantilever(1e4, 10);
    scene.forces.push_back({{"rod", {0.5, 0}}, "", Vec3(0, disturbance, 0), false});
    const Outcome outcome = solved(scene);
    CHECK(outcome.solve.converged);
    CHECK(last(outcome).holds[0].force.norm() < 1e-9);
    CHECK(last(outcome).holds[0].moment.norm() < 1e-9);
    CHECK((tip(outcome) - Vec3(1, 0, 0)).norm() < 1e-9);
  }
}

TEST_CASE("checklist 8: curvature of a circle and of a helix, converging") {
  // R/(R² + c²), pitch 2πc
  for (const double c : {0.0, 0.03}) {
    const double R = 0.1, exact = R / (R * R + c * c);
    double before = 1;
    for (const int segments : {8, 16, 32}) {
      Scene scene = in_spline(scene_of(
          "rods: {coil: {section: wire, material: metal, rest: as-shaped, shape: {helix: "
          "{centre: [0, 0, 0], start: [0.1, 0, 0], axis: [0, 0, 1], angle: 300 deg, pitch: " +
          std::to_string(2 * M_PI * c) + "}}}}\nholds: [{rod: coil, at: start, fix: [position, orientation]}]\n"));
      scene.rods[0].segments = segments;
      scene.gravity.setZero();
      const Outcome outcome = solved(scene);
      const RodPose& rod = last(outcome).rods[0];
      const double error = std::abs(rod.curvature[rod.s.size() / 2].norm() / exact - 1);
      CHECK(error < 0.3 * before);
      before = error;
    }
    CHECK(before < 3e-3);
  }
}

TEST_CASE("checklist 13: a small tip load and the own weight bend a cantilever as a beam") {
  Scene scene = beam(10, 0);
  scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(0, 0, -0.1), false});
  CHECK(drop(solved(scene), 1) == doctest::Approx(0.1 / 3).epsilon(0.01));
  CHECK(drop(solved(beam(10, 0.1)), 1) == doctest::Approx(0.1 / 8).epsilon(0.001));
}

TEST_CASE("checklist 16: a pinned column buckles at π² EI/L²") {
  const auto stands = [](double load) {
    Scene scene = cantilever(1000, 10);
    scene.holds = {hold_at(0, false), hold_at(1, false)};
    scene.holds[1].fix.position = {false, true, true};
    // nothing but the twist's own frame would turn it about itself
    scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(-load, 0, 0), false});
    const Outcome outcome = solved(scene);
    CHECK(outcome.solve.converged);
    return outcome.solve.stable == true;
  };
  CHECK(stands(0.995 * M_PI * M_PI));
  CHECK_FALSE(stands(1.005 * M_PI * M_PI));
}

TEST_CASE("checklist 17: the rate of a helical spring is G D⁴/(8 Dc³ N) within 5 %") {
  Scene scene = in_spline(scene_of(R"(rods: {spring: {section: wire, material: metal, segments: 64, rest: as-shaped,
  shape: {helix: {centre: [0, 0, 0], start: [20 mm, 0, 0], axis: [0, 0, 1], angle: 1440 deg, pitch: 6 mm}}}}
holds:
  - {rod: spring, at: start, fix: [position, orientation]}
  - {rod: spring, at: end, fix: [position, orientation]}
forces: [{rod: spring, at: end, force: [0, 0, 0.2]}]
)"));
  scene.gravity.setZero();
  scene.holds[1].fix.position = {true, true, false};
  const Outcome outcome = solved(scene);
  const double shear = 70e9 / 2.6, wire = 2e-3, coil = 40e-3;
  const double rate = shear * std::pow(wire, 4) / (8 * std::pow(coil, 3) * 4);
  CHECK(tip(outcome).z() - 24e-3 == doctest::Approx(0.2 / rate).epsilon(0.05));
}

TEST_CASE("checklist 22: a force at any place of a beam bends it as theory has it") {
  // between pins: P b (L² − b² − x²) x/(6 EI L) left of the load
  Scene scene = cantilever(1e4, 10);
  scene.holds = {hold_at(0, false), hold_at(1, false)};
  scene.holds[1].fix.position = {false, true, true};
  scene.forces.push_back({{"rod", {0.37, 0}}, "", Vec3(0, 0, -0.05), false});
  const Outcome outcome = solved(scene);
  const double b = 1 - 0.37, x = 0.25;
  CHECK(drop(outcome, x) == doctest::Approx(0.05 * b * (1 - b * b - x * x) * x / 6).epsilon(2e-3));
}

TEST_CASE("checklist 23: ten holds at any places keep their places for a minute, and carry the weight") {
  Scene scene =
      in_spline(scene_of(R"(rods: {cord: {section: hose, material: rubber, segments: 24, damping: {rayleigh: [3, 0]},
  shape: {line: [[0, 0, 0], [1, 0, 0]]}}}
simulation: {mode: dynamics, integrator: implicit-euler, step: 1/60, end: 60}
record: {every: 1}
)"));
  std::vector<double> places;
  for (int k = 0; k < 10; ++k) {
    Hold hold = hold_at(0.03 + 0.1 * k + 0.0003 * k * k, false);
    hold.rod = "cord";
    places.push_back(hold.at.fraction);
    scene.holds.push_back(hold);
  }
  const Result<Outcome> outcome = run(scene, {});
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  for (std::size_t k = 0; k < 10; ++k) CHECK((last(*outcome).holds[k].position - Vec3(places[k], 0, 0)).norm() < 1e-6);
  Vec3 sum = Vec3::Zero();
  for (const HoldPose& hold : last(*outcome).holds) sum += hold.force;
  const double weight = 1100 * M_PI * 25e-6 * 9.81;
  CHECK(sum.z() == doctest::Approx(weight).epsilon(1e-4));
}

TEST_CASE("checklist 24: a beam clamped at both ends has the reactions wL/2 and wL²/12") {
  Scene scene = beam(10, 0.1);
  scene.holds = {hold_at(0, true), hold_at(1, true)};
  scene.holds[1].fix.position = {false, true, true};
  const Outcome outcome = solved(scene);
  for (const HoldPose& hold : last(outcome).holds) {
    CHECK(hold.force.z() == doctest::Approx(0.05).epsilon(1e-6));
    CHECK(std::abs(hold.moment.y()) == doctest::Approx(0.1 / 12).epsilon(1e-3));
  }
}

TEST_CASE("checklist 31, 32: frames are square, do not flip at an inflection, and show the turn that is given") {
  Scene scene = in_spline(scene_of(R"(rods: {hose: {section: hose, material: rubber, length: 0.4, segments: 20,
  shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
holds:
  - {rod: hose, at: start, fix: [position, orientation]}
  - {name: far, rod: hose, at: end, fix: [position, orientation], position: [0.28, 0, 0.12]}
)"));
  for (const double turns : {0.0, 1.0}) {
    scene.rods[0].twist = 2 * M_PI * turns;
    // twist goes into writhe where a rod may leave its plane: the turn is shown on a straight one
    if (turns > 0) {
      scene.rods[0].length.reset();
      scene.holds[1].position.reset();
      scene.gravity.setZero();
    }
    const Outcome outcome = solved(scene);
    const RodPose& rod = last(outcome).rods[0];
    // against the frame carried along the shown curve
    double shown = 0;
    for (std::size_t i = 0; i + 1 < rod.frame.size(); ++i) {
      const Mat3 frame(rod.frame[i]), next(rod.frame[i + 1]);
      CHECK((frame.transpose() * frame - Mat3::Identity()).norm() < 1e-12);
      const Mat3 carried = rod::carried_frame(frame, Vec3(next.col(2)), 0);
      const double step = std::atan2(-carried.col(0).dot(next.col(1)), carried.col(0).dot(next.col(0)));
      CHECK(std::abs(step) < 0.2);
      shown += step / (2 * M_PI);
    }
    CHECK(rod.turns == doctest::Approx(turns).epsilon(1e-9));
    CHECK(std::abs(shown - turns) < 1e-3);
  }
}

TEST_CASE("checklist 34: a clamped rod under twist buckles at 8.987 EI/L") {
  const auto stands = [](double share) {
    Scene scene = cantilever(1000, 13);
    scene.holds = {hold_at(0, true), hold_at(1, true)};
    scene.holds[1].fix.position = {false, true, true};
    scene.rods[0].twist = share * 8.9868189 / 0.8;
    const Outcome outcome = solved(scene);
    CHECK(outcome.solve.converged);
    return outcome.solve.stable == true;
  };
  CHECK(stands(0.99));
  CHECK_FALSE(stands(1.01));
}

TEST_CASE("checklist 25: a clip bears what theory has, and opens when pulled beyond its strength, not across it") {
  // clamped at the start, in the clip at the middle, its end led aside by d: the clip bears 34.286 EI d/L³
  const auto led = [](const std::string& strength, const std::string& end) {
    const Scene scene = in_spline(
        read("filum: 1\ngravity: [0, 0, 0]\nsections: {bar: {shape: given, EA: 1e6, EI: [10, 10], GJ: 10, "
             "mass_per_length: 1, "
             "radius: 3 mm}}\nrods: {bar: {section: bar, segments: 16, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n"
             "holds:\n"
             "  - {name: clamp, rod: bar, at: start, fix: [position, orientation]}\n"
             "  - {name: clip, rod: bar, at: 0.5, fix: [position], clip: {strength: {" +
             strength +
             "}}}\n"
             "  - {name: end, rod: bar, at: end, fix: {position: [y, z]}}\n"
             "drivers: [{hold: end, path: [{t: 0, position: [1, 0, 0]}, {t: 1, position: " +
             end + "}]}]\n"));
    SolveOptions options;
    options.path = 5;
    return solved(scene, options);
  };
  const auto popped = [](const Outcome& outcome) {
    for (const Event& event : outcome.events)
      if (event.kind == EventKind::Popped) return true;
    return false;
  };
  const double load = 34.2857142857 * 10 * 0.002;
  const Outcome held = led("pull: " + std::to_string(load / 0.99) + " N", "[1, 0, 0.002]");
  CHECK_FALSE(popped(held));
  CHECK(-last(held).holds[1].force.z() == doctest::Approx(load).epsilon(1e-3));
  CHECK(popped(led("pull: " + std::to_string(0.99 * load) + " N", "[1, 0, 0.002]")));
  CHECK_FALSE(popped(led("pull: 0.001 N", "[1, 0.002, 0]")));
}

TEST_CASE("checklist 26: a bar pulled beyond yield keeps its force and unloads by its stiffness") {
  const Scene scene = in_spline(read(
      "filum: 1\ngravity: [0, 0, 0]\nsections: {bar: {shape: given, EA: 1e4, EI: [1, 1], GJ: 1, mass_per_length: 0.1, "
      "radius: 1 mm, yield_force: 10 N}}\n"
      "rods: {bar: {section: bar, segments: 9, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n"
      "holds:\n"
      "  - {name: clamp, rod: bar, at: start, fix: [position, orientation]}\n"
      "  - {name: hand, rod: bar, at: end, fix: [position, orientation]}\n"));
  auto session = Session::begin(scene);
  REQUIRE_MESSAGE(session.ok(), (session.ok() ? "" : session.error().text()));
  const auto force_at = [&](double length) {
    REQUIRE(session->move_hold("hand", Vec3(length, 0, 0)).ok());
    const SolveReport report = session->settle();
    CHECK_MESSAGE(report.converged, report.why);
    const std::vector<double> forces = session->pose().rods[0].axial_force;
    for (const double force : forces) CHECK(force == doctest::Approx(forces[0]).epsilon(1e-9));
    return forces[0];
  };
  CHECK(force_at(1.0005) == doctest::Approx(5).epsilon(1e-9));
  CHECK(force_at(1.003) == doctest::Approx(10).epsilon(1e-9));
  CHECK(force_at(1.0025) == doctest::Approx(5).epsilon(1e-9));
  CHECK(std::abs(force_at(1.002)) < 1e-8);
  CHECK(force_at(1.0005) == doctest::Approx(-10).epsilon(1e-9));
  CHECK(force_at(1.001) == doctest::Approx(-5).epsilon(1e-9));
}

}  // namespace filum::test::test_spline_checklist
