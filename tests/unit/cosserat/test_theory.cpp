// Cosserat against theory where the validation book does not look: what Grégoire's thesis asks of a cable.
#include "unit/cosserat/laying_rig.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

namespace filum::test_theory {

namespace {

constexpr double kPi = std::numbers::pi;

Scene in_cosserat(const std::string& text) {
  Scene scene = test::scene_of(text);
  scene.simulation.formulation = "cosserat";
  return scene;
}

Outcome settled(const Scene& scene) {
  Outcome outcome = test::solved(scene);
  REQUIRE_MESSAGE(outcome.solve.converged, outcome.solve.why);
  return outcome;
}

double size_of(const std::vector<double>& list) {
  double sum = 0;
  for (const double x : list) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("near an equilibrium a step of Newton leaves the square of the error: the tangent is the derivative") {
  const std::string texts[] = {R"(
rods: {a: {material: rubber, section: band, length: 0.5, segments: 9, shape: {line: [[0,0,0],[0.4,0.1,0]]}, normal: [0,0,1], rest: {curvature: [2, 1], twist_rate: 3}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position]}, {rod: a, at: 0.2, fix: {position: [y, z]}, slide: true}]
)",
                               R"(
rods:
  trunk: {material: rubber, section: hose, length: 0.3, segments: 6, shape: {line: [[0,0,0],[0.3,0,0]]}, normal: [0,0,1]}
  left:  {material: rubber, section: hose, length: 0.25, segments: 5, shape: {line: [[0.3,0,0],[0.45,0.2,0]]}, normal: [0,0,1]}
  right: {material: rubber, section: hose, length: 0.25, segments: 5, shape: {line: [[0.31,-0.01,0],[0.46,-0.21,0]]}, normal: [0,0,1]}
bodies: {unit: {box: [0.1, 0.1, 0.1], mass: 0.1, position: [0.48, -0.23, 0], motion: free}}
holds:
  - {name: in, rod: trunk, at: start, fix: [position, orientation]}
  - {name: out, rod: left, at: end, fix: [position, orientation]}
  - {rod: right, at: end, fix: [position, orientation], body: unit}
junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}]
)",
                               R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 8, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
forces: [{rod: a, at: end, force: [0, 0.2, 0.3], follow: true}]
torques: [{rod: a, at: middle, torque: [0.01, 0.02, 0], follow: true}, {rod: a, at: end, torque: [0, 0, 0.01]}]
)"};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const std::string& text : texts) {
    CAPTURE(text);
    test::LayingRig rig(in_cosserat(text));
    cosserat::System& system = rig.system();
    system.set_targets(rig.targets, rig.cable);
    REQUIRE(rig.solve().converged);
    // a little away from equilibrium in every unknown; the step back leaves the square of that
    system.evaluate(rig.cable, true);
    for (std::size_t i = 0; i < system.step().size(); ++i)
      system.step()[i] = system.is_free(static_cast<int>(i)) ? 1e-4 * any(random) : 0;
    system.advance(rig.cable, 1);
    system.evaluate(rig.cable, true);
    const double before = size_of(system.step());
    REQUIRE(system.solve(0));
    system.advance(rig.cable, 1);
    system.evaluate(rig.cable, false);
    CHECK(size_of(system.step()) < 1e-2 * before);
  }
}

TEST_CASE("a hanging cable carries in every segment the weight below it") {
  const Outcome outcome = settled(in_cosserat(R"(
rods: {a: {material: metal, section: wire, length: 1, segments: 20, shape: {line: [[0,0,0],[0,0,-1]]}, normal: [1,0,0]}}
holds: [{rod: a, at: start, fix: [position]}]
)"));
  const RodPose& rod = test::last(outcome).rods[0];
  const double weight = 2700 * kPi * 1e-6 * 9.81;
  for (std::size_t i = 0; i < rod.s.size(); ++i)
    CHECK(rod.axial_force[i] == doctest::Approx(weight * (1 - rod.s[i])).epsilon(1e-6).scale(weight));
}

TEST_CASE("along a weightless round cable twist, force and force times moment are constant") {
  const Outcome outcome = settled(in_cosserat(R"(
gravity: [0, 0, 0]
rods: {a: {material: metal, section: wire, length: 0.5, segments: 160, shape: {line: [[0,0,0],[0.4,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]},
        {name: far, rod: a, at: end, fix: [position, orientation], position: [0.35, 0.1, 0.05], orientation: {tangent: [0.8, 0.6, 0], normal: [0, 0, 1]}}]
drivers: [{hold: far, path: [{t: 0, turns: 0.4}, {t: 1, turns: 0.4}]}]
)"));
  const Pose& pose = test::last(outcome);
  const RodPose& rod = pose.rods[0];
  const Vec3 force = -pose.holds[1].force;  // what the far part does to the near one is the hold's force reversed
  const double twist = rod.twist[40];
  const double wrench = force.dot(rod.frame[40] * rod.moment[40]);
  for (std::size_t i = 1; i + 1 < rod.s.size(); ++i) {
    CHECK(rod.twist[i] == doctest::Approx(twist).epsilon(1e-6));
    // of second order in the mesh
    CHECK(force.dot(rod.frame[i] * rod.moment[i]) == doctest::Approx(wrench).epsilon(2e-3));
    CHECK(rod.axial_force[i] ==
          doctest::Approx(-force.dot(rod.frame[i] * Vec3::UnitZ())).scale(force.norm()).epsilon(1e-3));
  }
}

TEST_CASE("a cable curved by nature lies on its circle without energy") {
  const Outcome outcome = settled(in_cosserat(R"(
gravity: [0, 0, 0]
rods: {a: {material: metal, section: wire, length: 1, segments: 40, shape: {line: [[0,0,0],[1,0,0]]}, normal: [0,0,1], rest: {curvature: [0, 6.283185307179586]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
)"));
  const Pose& pose = test::last(outcome);
  const RodPose& rod = pose.rods[0];
  const double stiffness = 70e9 * kPi * 1e-12 / 4;
  CHECK(pose.energy.elastic < 1e-15 * stiffness);
  CHECK((rod.position.front() - rod.position.back()).norm() < 1e-9);
  CHECK((rod.position.front() - rod.position[20]).norm() == doctest::Approx(1 / kPi).epsilon(1e-9));
}

TEST_CASE("a flat cable bends about its soft axis") {
  // the band stands on edge; pushed together it leaves by its flat side
  Scene scene = in_cosserat(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: band, length: 0.5, segments: 40, shape: {line: [[0,0,0],[0.4,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation]}]
)");
  SolveOptions options;
  options.nudge = true;
  const Result<Outcome> outcome = solve(scene, options);
  REQUIRE(outcome.ok());
  CHECK(outcome->solve.stable == true);
  double along_width = 0, along_height = 0;
  for (const Vec3& x : test::last(*outcome).rods[0].position) {
    along_width = std::max(along_width, std::abs(x.z()));
    along_height = std::max(along_height, std::abs(x.y()));
  }
  CHECK(along_height > 0.05);
  CHECK(along_width < 1e-6);
}

TEST_CASE("units and segments make no difference but that of the mesh, rigid motions none at all") {
  const auto cable = [](double unit, int segments) {
    Scene scene = test::cable_scene(segments, 0.5 * unit);
    Section& s = scene.sections[0].section;
    s.EI *= unit * unit;
    s.GJ *= unit * unit;
    s.mass_per_length /= unit;
    s.radius *= unit;
    return scene;
  };
  const auto middle = [](const Outcome& o) {
    return test::last(o).rods[0].position[test::last(o).rods[0].position.size() / 2];
  };
  const Vec3 reference = middle(settled(cable(1, 640)));
  for (const double unit : {1e-3, 1e-2, 10.0, 1000.0})
    CHECK((middle(settled(cable(unit, 40))) / unit - middle(settled(cable(1, 40)))).norm() < 1e-9);
  // of second order; the error changes its sign on the way, so it is measured by a bound
  for (const int segments : {20, 40, 80, 160}) {
    CAPTURE(segments);
    CHECK((middle(settled(cable(1, segments))) - reference).norm() < 0.03 / (segments * segments));
  }

  // all of it turned and moved, gravity too
  const Quat turn = Quat(0.5, 0.1, -0.7, 0.3).normalized();
  const Vec3 shift(1, -2, 3);
  Scene moved = cable(1, 40);
  moved.gravity = turn * moved.gravity;
  for (Vec3& p : moved.rods[0].shape.points) p = turn * p + shift;
  moved.rods[0].normal = turn * moved.rods[0].normal.value_or(Vec3::UnitZ());
  Scene still = cable(1, 40);
  still.rods[0].normal = still.rods[0].normal.value_or(Vec3::UnitZ());
  const RodPose a = test::last(settled(still)).rods[0];
  const RodPose b = test::last(settled(moved)).rods[0];
  for (std::size_t i = 0; i < a.position.size(); ++i)
    CHECK((turn * a.position[i] + shift - b.position[i]).norm() < 1e-9);
}

TEST_CASE("a very stiff cable does not kink, and holds are met exactly under load") {
  Scene scene = test::cable_scene(60);
  Section& s = scene.sections[0].section;
  s.EI = {2e3, 2e3};
  s.GJ = 1.5e3;
  s.EA = 1e9;
  Hold middle = scene.holds[0];
  middle.name = "middle";
  middle.at = {0.5, 0};
  middle.fix.orientation = {};
  middle.position = Vec3(0.18, 0.03, 0.07);
  scene.holds.push_back(middle);
  PointForce pull;
  pull.point = {"cable", {0.75, 0}};
  pull.force = {0, 0, -500};
  scene.forces.push_back(pull);
  const Outcome outcome = settled(scene);
  const Pose& pose = test::last(outcome);
  CHECK((pose.holds[2].position - *middle.position).norm() < 1e-12);
  CHECK((pose.rods[0].position.back() - Vec3(0.4, 0, 0)).norm() < 1e-12);
  for (std::size_t i = 1; i + 1 < pose.rods[0].position.size(); ++i) {
    const Vec3 before = pose.rods[0].position[i] - pose.rods[0].position[i - 1];
    const Vec3 after = pose.rods[0].position[i + 1] - pose.rods[0].position[i];
    // 60 segments on less than two turns in all
    CHECK(std::acos(std::clamp(before.normalized().dot(after.normalized()), -1.0, 1.0)) < 0.5);
    CHECK(before.norm() == doctest::Approx(0.5 / 60).epsilon(1e-4));
  }
}

TEST_CASE("no force acts along the rod where a hold lets it slide") {
  const Outcome outcome = settled(in_cosserat(R"(
rods: {a: {material: rubber, section: hose, length: 0.8, segments: 60, shape: {line: [[0,0,0],[0.6,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position], position: [0.5, 0.1, -0.2]},
        {name: ring, rod: a, at: 0.4, fix: [position], slide: true, position: [0.3, 0, 0.05]}]
)"));
  const Pose& pose = test::last(outcome);
  const HoldPose& ring = pose.holds[2];
  CHECK(std::abs(ring.s - 0.4) > 1e-3);  // another material point than drawn
  // the tangent between the two nodes next to it
  const RodPose& rod = pose.rods[0];
  const auto next = static_cast<std::size_t>(std::upper_bound(rod.s.begin(), rod.s.end(), ring.s) - rod.s.begin());
  const Vec3 tangent = (rod.position[next] - rod.position[next - 1]).normalized();
  CHECK(ring.force.norm() > 1e-3);
  CHECK(std::abs(ring.force.dot(tangent)) < 0.05 * ring.force.norm());
  CHECK((ring.position - Vec3(0.3, 0, 0.05)).norm() < 1e-10);
}

TEST_CASE("forces and moments balance at a junction, and its relative orientations stay") {
  const Scene scene = in_cosserat(R"(
rods:
  trunk: {material: rubber, section: hose, length: 0.35, segments: 40, shape: {line: [[0,0,0],[0.3,0,0]]}, normal: [0,0,1]}
  left:  {material: rubber, section: hose, length: 0.3, segments: 40, shape: {line: [[0.3,0,0],[0.45,0.2,0]]}, normal: [0,0,1]}
  right: {material: rubber, section: wire, length: 0.3, segments: 40, shape: {line: [[0.3,0,0],[0.45,-0.2,0]]}, normal: [0,0,1]}
holds:
  - {rod: trunk, at: start, fix: [position, orientation]}
  - {rod: left, at: end, fix: [position, orientation]}
  - {rod: right, at: end, fix: [position, orientation]}
junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}]
)");
  const Pose pose = test::last(settled(scene));
  // over the whole harness: reactions and weight, forces and moments about the origin
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  double scale = 0;
  for (const HoldPose& hold : pose.holds) {
    force += hold.force;
    moment += hold.moment + hold.position.cross(hold.force);
    scale = std::max(scale, hold.force.norm());
  }
  for (std::size_t r = 0; r < 3; ++r) {
    const RodPose& rod = pose.rods[r];
    const double per_length = 1100 * kPi * (r == 2 ? 1e-6 : 25e-6);
    for (std::size_t i = 0; i < rod.s.size(); ++i) {
      const double cell =
          (i > 0 ? rod.s[i] - rod.s[i - 1] : 0) / 2 + (i + 1 < rod.s.size() ? rod.s[i + 1] - rod.s[i] : 0) / 2;
      const Vec3 weight(0, 0, -9.81 * per_length * cell);
      force += weight;
      moment += rod.position[i].cross(weight);
    }
  }
  CHECK(force.norm() < 1e-6 * scale);
  CHECK(moment.norm() < 1e-6 * scale * 0.5);
  const auto relative = [&](std::size_t a, bool a_end, std::size_t b) {
    const Quat qa = a_end ? pose.rods[a].frame.back() : pose.rods[a].frame.front();
    return Quat(qa.conjugate() * pose.rods[b].frame.front());
  };
  // as drawn: tangents 53.13° to either side
  const double angle = std::atan2(0.2, 0.15);
  for (const std::size_t branch : {std::size_t{1}, std::size_t{2}}) {
    const Vec3 tangent = relative(0, true, branch) * Vec3::UnitZ();
    CHECK(tangent.z() == doctest::Approx(std::cos(angle)).epsilon(1e-9));
  }
}

TEST_CASE("a moved end is settled within a few iterations") {
  // Grégoire's figures 6.3 to 6.5: 6 iterations for a big move, 4 for a smaller one, 2 with linear prediction
  test::LayingRig rig(test::cable_scene(40));
  const auto iterations = [&](const Vec3& by) {
    rig.targets.holds[1].position += by;
    const SolveReport report = rig.solve();
    REQUIRE(report.converged);
    return report.iterations;
  };
  iterations(Vec3::Zero());
  CHECK(iterations(Vec3(-0.1, 0.05, 0.05)) <= 8);
  CHECK(iterations(Vec3(-0.02, 0.01, 0)) <= 5);
  CHECK(iterations(Vec3(0.002, 0, 0.001)) <= 4);
}

}  // namespace filum::test_theory
