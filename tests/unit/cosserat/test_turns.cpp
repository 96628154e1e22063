// Turns of a held end: counted without limit, and undone to the last digit below buckling.
#include "unit/cosserat/laying_rig.hpp"

#include <doctest/doctest.h>

namespace filum::test_turns {

namespace {

// A straight cable of 1 m under tension, or with a twist stiffness so small that no twist can buckle it.
Scene straight_cable(double tension, double twist_stiffness) {
  Scene scene = test::cable_scene(100, 1);
  scene.gravity = Vec3::Zero();
  scene.sections[0].section.EI = {1, 1};
  scene.sections[0].section.GJ = twist_stiffness;
  scene.sections[0].section.EA = 1e6;
  scene.rods[0].shape.points[1] = Vec3(1, 0, 0);
  if (tension > 0) {
    scene.holds[1].fix.position = {false, true, true};
    scene.forces.push_back({{"cable", {1, 0}}, "", Vec3(tension, 0, 0), false});
  }
  return scene;
}

// Turns one end so many times and back, a quarter at a time; how far the cable then is from where it was.
double there_and_back(const Scene& scene, int turns) {
  test::LayingRig rig(scene);
  REQUIRE(rig.solve().converged);
  const std::vector<Vec3> before = rig.cable.rods.position;
  const double twist = rig.turns();
  for (int k = 1; k <= 8 * turns; ++k) {
    rig.targets.holds[1].turns = 0.25 * (k <= 4 * turns ? k : 8 * turns - k);
    const SolveReport report = rig.solve();
    REQUIRE(report.converged);
    REQUIRE(rig.turns() == doctest::Approx(twist + rig.targets.holds[1].turns).epsilon(1e-12));
  }
  double moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    moved = std::max(moved, (rig.cable.rods.position[i] - before[i]).norm());
  return moved;
}

}  // namespace

TEST_CASE("thirty turns and back leave a taut cable where it was") {
  // below the limit of a long taut rod, M < 2 √(B T): M = C 2π n/L = 2π·30·0.1 = 18.8, 2 √(1·120) = 21.9
  CHECK(there_and_back(straight_cable(120, 0.1), 30) < 1e-9);
}

TEST_CASE("thirty turns and back leave a cable that twists easily where it was") {
  // B/C = 100: M = 2π·30/100 = 1.9 is far below 8.987 B/L
  CHECK(there_and_back(straight_cable(0, 0.01), 30) < 1e-9);
}

TEST_CASE("a cable bent at a right angle counts as many turns as its end makes") {
  Scene scene = test::cable_scene(60);
  scene.sections[0].section.GJ = 0.0005;
  test::LayingRig rig(scene);
  rig.targets.holds[1].position = Vec3(0.3, 0.2, 0);
  rig.targets.holds[1].orientation =
      Quat(Eigen::AngleAxisd(math::kPi / 2, Vec3::UnitZ())) * rig.targets.holds[1].orientation;
  REQUIRE(rig.solve().converged);
  rod::LinkLedger ledger(rig.view());
  for (int k = 1; k <= 100; ++k) {
    rig.targets.holds[1].turns = 0.1 * k;
    REQUIRE(rig.solve().converged);
    ledger.follow(rig.end_frame(false), rig.end_frame(true), 0.1);
    const rod::LinkBalance balance = ledger.balance(rig.view());
    CHECK(balance.turns == doctest::Approx(0.1 * k));
    CHECK(std::abs(balance.remainder) < 1e-9);
    CHECK(balance.crossings == 0);
  }
}

}  // namespace filum::test_turns
