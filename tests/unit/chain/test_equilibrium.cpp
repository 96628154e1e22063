// Equilibria of chains: exact discrete answers, and those of kirchhoff rods, which they approach at second order.
#include "math/rotation.hpp"
#include "unit/chain/chain_rig.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>
#include <filum/solve.hpp>

#include <array>
#include <numbers>

namespace filum::test_equilibrium {

using namespace filum::test;

namespace {

constexpr double kPi = std::numbers::pi;

Outcome solved_in(Scene scene, const char* formulation, int segments) {
  scene.simulation.formulation = formulation;
  for (Rod& rod : scene.rods) rod.segments = segments;
  const Outcome outcome = solved(scene);
  REQUIRE_MESSAGE(outcome.solve.converged, formulation, ": ", outcome.solve.why);
  return outcome;
}

// The largest distance between the same places of a chain and of something far finer.
double distance(const Scene& scene, int segments, const char* formulation = "kirchhoff") {
  constexpr int kFiner = 8;
  const Outcome chain = solved_in(scene, "chain", segments);
  const Outcome fine = solved_in(scene, formulation, kFiner * segments);
  double largest = 0;
  for (std::size_t r = 0; r < scene.rods.size(); ++r)
    for (std::size_t i = 0; i < last(chain).rods[r].position.size(); ++i)
      largest = std::max(largest, (last(chain).rods[r].position[i] - last(fine).rods[r].position[kFiner * i]).norm());
  return largest;
}

// Within `near` at `segments`, and four times as near with twice as many.
void check_order(const Scene& scene, int segments, double near, double order = 1.7) {
  const double coarse = distance(scene, segments);
  const double fine = distance(scene, 2 * segments);
  CAPTURE(coarse);
  CAPTURE(fine);
  CHECK(coarse < near);
  // the observed order; of a finite mesh a little off 2
  CHECK(std::log2(coarse / fine) > order);
}

// Near kirchhoff rods, and of second order by itself: chains give way to shear as to stretch, so that rods as soft as
// these come near each other by so much only.
void check_joined(const Scene& scene, int segments, double near) {
  CHECK(distance(scene, segments) < near);
  const double coarse = distance(scene, segments, "chain");
  const double fine = distance(scene, 2 * segments, "chain");
  CAPTURE(coarse);
  CAPTURE(fine);
  CHECK(std::log2(coarse / fine) > 1.8);
}

PointForce pull(double fraction, const Vec3& force) {
  PointForce made;
  made.point = {"rod", {fraction, 0}};
  made.force = force;
  return made;
}
PointTorque wring(double fraction, const Vec3& torque) {
  PointTorque made;
  made.point = {"rod", {fraction, 0}};
  made.torque = torque;
  return made;
}

}  // namespace

TEST_CASE("a pulled cable stretches by fL/EA with every number of elements, in three materials") {
  for (const double young : {2e7, 2e9, 2e11})
    for (const int segments : {1, 3, 6, 12, 24}) {
      CAPTURE(young);
      CAPTURE(segments);
      const Section section = wire(young, 0.1, 1000);
      Scene scene = one_rod(section, Vec3::Zero(), Vec3(10, 0, 0), segments);
      scene.holds = {grip(0, true)};
      scene.forces = {pull(1, Vec3(0.01 * section.EA, 0, 0))};
      ChainRig rig(scene);
      const SolveReport report = rig.solve();
      REQUIRE_MESSAGE(report.converged, report.why);
      const RodPose rod = rig.pose().rods[0];
      CHECK(rod.position.back()[0] - 10 == doctest::Approx(0.01 * 10).epsilon(1e-6));
      CHECK(rod.length - 10 == doctest::Approx(0.01 * 10).epsilon(1e-6));
    }
}

TEST_CASE("a hanging cable opens each joint by the weight below it") {
  const Section section = wire(1e8, 0.02, 1000);
  Scene scene = one_rod(section, Vec3::Zero(), Vec3(0, 0, -8), 16);
  scene.gravity = {0, 0, -9.81};
  scene.holds = {grip(0, true)};
  ChainRig rig(scene);
  REQUIRE(rig.solve().converged);
  const RodPose rod = rig.pose().rods[0];
  for (std::size_t i = 0; i + 1 < rod.s.size(); ++i) {
    const double below = section.mass_per_length * (8 - rod.s[i]) * 9.81;
    CHECK(rod.axial_force[i] == doctest::Approx(below).epsilon(1e-6));
  }
}

TEST_CASE("a wrung cable turns by τL/GJ") {
  const Section section = wire(1e9, 0.02, 1000);
  Scene scene = one_rod(section, Vec3::Zero(), Vec3(2, 0, 0), 12);
  scene.holds = {grip(0, true)};
  scene.torques = {wring(1, Vec3(0.05 * section.GJ, 0, 0))};
  ChainRig rig(scene);
  REQUIRE(rig.solve().converged);
  CHECK(2 * kPi * rig.pose().rods[0].turns == doctest::Approx(0.05 * (2 - 1.0 / 12)).epsilon(1e-6));
}

TEST_CASE("an end torque bends a chain into the polygon of its joints") {
  // centres of the elements lie on a circle of ℓ/(2 tan(τℓ/2EI)); EI/τ = 1 m
  for (const auto& each : {std::pair{24, 0.0145}, std::pair{12, 0.059}, std::pair{6, 0.24}}) {
    const auto& segments = std::get<0>(each);
    const auto& off = std::get<1>(each);
    CAPTURE(segments);
    Section section = wire(1e9, 0.02, 1000);
    Scene scene = one_rod(section, Vec3::Zero(), Vec3(10, 0, 0), segments);
    scene.holds = {grip(0, true)};
    scene.torques = {wring(1, Vec3(0, -section.EI[0], 0))};
    ChainRig rig(scene);
    // the torque grows: a chain of few elements would fold at once
    for (int i = 1; i <= 10; ++i) {
      rig.targets.torque_scale[0] = 0.1 * i;
      const SolveReport report = rig.solve();
      REQUIRE_MESSAGE(report.converged, report.why);
    }
    const RodPose rod = rig.pose().rods[0];
    std::array<Vec3, 3> centre;
    for (std::size_t k = 0; k < 3; ++k) centre[k] = 0.5 * (rod.position[k + 1] + rod.position[k + 2]);
    const Vec3 a = centre[1] - centre[0];
    const Vec3 b = centre[2] - centre[1];
    const double radius = a.norm() * b.norm() * (a + b).norm() / (2 * a.cross(b).norm());
    const double length = 10.0 / segments;
    CHECK(radius == doctest::Approx(length / (2 * std::tan(length / 2))).epsilon(1e-6));
    CHECK(1 - radius == doctest::Approx(off).epsilon(0.02));
  }
}

TEST_CASE("a cantilever approaches the kirchhoff rod at second order") {
  Scene scene = one_rod(wire(1e9, 0.01, 1000), Vec3::Zero(), Vec3(1, 0, 0), 20);
  scene.holds = {grip(0, true)};
  scene.forces = {pull(1, Vec3(0, 0.2, -1))};
  check_order(scene, 20, 2e-3);
}

TEST_CASE("a cable between two grips approaches the kirchhoff rod at second order") {
  // drawn as it hangs: from a straight line it might as well go up
  Scene scene = one_rod(wire(1e8, 0.01, 1000), Vec3::Zero(), Vec3(0.6, 0, 0), 20);
  scene.rods[0].shape.kind = CurveKind::Points;
  scene.rods[0].shape.points = {Vec3::Zero(), Vec3(0.3, 0, -0.4), Vec3(0.6, 0, 0)};
  scene.gravity = {0, 0, -9.81};
  scene.holds = {grip(0, true), grip(1, true)};
  check_order(scene, 20, 5e-3);
}

TEST_CASE("a catenary approaches the kirchhoff rod at second order") {
  Scene scene = one_rod(wire(1e7, 0.005, 1000), Vec3::Zero(), Vec3(0.7, 0, 0), 20);
  scene.rods[0].length = 1;
  scene.gravity = {0, 0, -9.81};
  scene.holds = {grip(0, false), grip(1, false)};
  check_order(scene, 20, 5e-3);
}

TEST_CASE("a load on a rope bends and stretches it as kirchhoff says: tension adds no stiffness at rest") {
  // clamped aside at the top, so that the rope bends under its load
  Scene scene = one_rod(wire(1e10, 0.01, 7850, 0.1), Vec3::Zero(), Vec3(1, 0, 0), 40);
  scene.gravity = {0, 0, -9.81};
  scene.bodies = {load(5, Vec3(1, 0, 0))};
  scene.holds = {grip(0, true), grip(1, false, "load")};
  check_order(scene, 40, 5e-3);
}

TEST_CASE("branches that meet at a junction, and a ring, rest as kirchhoff rods do") {
  Scene branched = scene_of(R"(rods:
  trunk: {material: rubber, section: hose, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}
  branch: {material: rubber, section: hose, shape: {line: [[0.2, 0, 0], [0.2, 0.2, 0]]}}
junctions: [{rods: [{rod: trunk, at: middle}, {rod: branch, at: start}]}]
holds: [{rod: trunk, at: start, fix: [position, orientation]}, {rod: trunk, at: end, fix: [position, orientation]}]
)");
  check_joined(branched, 20, 4e-4);

  // three rods in space that end where they meet, one of them flat; then held there by a ball
  Scene star = scene_of(R"(rods:
  one: {material: rubber, section: hose, shape: {line: [[0, 0, 0], [0.2, 0, 0.05]]}}
  two: {material: rubber, section: band, shape: {line: [[0.2, 0, 0.05], [0.35, 0.1, 0.05]]}}
  three: {material: rubber, section: hose, shape: {line: [[0.3, -0.1, 0], [0.2, 0, 0.05]]}}
junctions: [{rods: [{rod: one, at: end}, {rod: two, at: start}, {rod: three, at: end}]}]
holds: [{rod: one, at: start, fix: [position, orientation]}, {rod: three, at: start, fix: [position]}]
forces: [{rod: two, at: end, force: [0, 0.02, 0.1]}]
)");
  check_joined(star, 12, 6e-4);
  star.holds[1].at = {1, 0};
  check_joined(star, 12, 6e-4);

  Scene ring = scene_of(R"(gravity: [0, 0, 0]
rods: {r: {material: rubber, section: hose, closed: true, shape: {arc: {centre: [0, 0, 0], axis: [0, 0, 1], start: [0.1, 0, 0], angle: 360 deg}}}}
)");
  const double radius = 0.1;
  const double EI = 5e6 * kPi * std::pow(0.005, 4) / 4;
  // straight at rest: ½ EI κ² L, of a polygon with the same turning angles to all digits
  CHECK(last(solved_in(ring, "chain", 40)).energy.elastic == doctest::Approx(kPi * EI / radius).epsilon(2e-3));
}

TEST_CASE("a ring held at its seam has all of its twist, whole turns or not") {
  Scene ring = scene_of(R"(gravity: [0, 0, 0]
rods: {r: {material: rubber, section: hose, closed: true, twist: 1.5 turns, shape: {arc: {centre: [0, 0, 0], axis: [0, 0, 1], start: [0.1, 0, 0], angle: 360 deg}}}}
holds: [{rod: r, at: start, fix: [position, orientation]}]
)");
  const Pose chain = last(solved_in(ring, "chain", 40));
  const Pose kirchhoff = last(solved_in(ring, "kirchhoff", 40));
  CHECK(chain.rods[0].turns == doctest::Approx(1.5).epsilon(1e-3));
  CHECK(chain.energy.elastic == doctest::Approx(kirchhoff.energy.elastic).epsilon(5e-3));
}

}  // namespace filum::test_equilibrium
