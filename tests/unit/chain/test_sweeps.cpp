// Sweeps over groups against the direct solve: the same impulses in the end, and a residual that tells when it is not
// there yet.
#include "formulations/chain/solve/sweeps.hpp"

#include "unit/chain/chain_rig.hpp"
#include "unit/chain/schur_bench.hpp"

#include <algorithm>

namespace filum::test_sweeps {

using namespace filum::test;

namespace {

// Impulses of so many sweeps from none at all, over those of the direct solve.
struct Compared {
  int groups = 0;
  double error = 0;     // |μ − μ direct| / |μ direct|
  double residual = 0;  // as the sweeps tell it
};
Compared sweep(SchurBench bench, int sweeps) {
  SchurBench direct = bench;
  direct.analyse();
  int rounds = 0;
  do REQUIRE(direct.solve());
  while (direct.revise() && ++rounds < 20);
  REQUIRE(rounds < 20);

  Sweeps groups;
  groups.analyse(bench.set);
  groups.begin(bench.set);
  for (int k = 0; k < sweeps; ++k) REQUIRE(groups.sweep(bench.set, bench.mobility));
  const Vector expected = direct.collect(&Constraint::impulse);
  for (std::size_t c = 0; c < bench.set.constraints.size(); ++c) {
    const Constraint& row = bench.set.constraints[c];
    if (row.rows == 1) CHECK((row.impulse[0] >= row.lowest && row.impulse[0] <= row.highest));
  }
  return {groups.groups(), (bench.collect(&Constraint::impulse) - expected).norm() / expected.norm(),
          Sweeps::residual(bench.set)};
}

// A rod of parts first … last, hung on part 0, whose motion is given, with one more part at its end.
void add_rod(SchurBench& bench, int group, int first, int last, int end, double softness) {
  for (int part = first; part <= last + 1; ++part)
    bench.add(6, {part == first ? 0 : part - 1, part <= last ? part : end}, softness, group);
}

}  // namespace

TEST_CASE("one group is the direct solve, in one sweep") {
  for (const double softness : {0.3, 1e-6, 0.0}) {
    SchurBench bench(20);
    add_rod(bench, 0, 1, 18, 19, softness);
    const Compared one = sweep(bench, 1);
    CHECK(one.groups == 1);
    // the same sums in the same order
    CHECK(one.error == 0);
    CHECK(one.residual < 1e-9);
  }
}

TEST_CASE("two rods on a body come to share it") {
  SchurBench bench(20);
  add_rod(bench, 0, 1, 8, 19, 0.01);
  add_rod(bench, 1, 9, 18, 19, 0.01);
  const Compared one = sweep(bench, 1);
  CHECK(one.groups == 2);
  CHECK(one.error > 0.01);
  CHECK(one.residual > 0.01);
  const Compared many = sweep(bench, 400);
  CHECK(many.error < 1e-9);
  CHECK(many.residual < 1e-9);
}

TEST_CASE("a rod, ropes and a coupling on the same bodies") {
  SchurBench bench(16);
  add_rod(bench, 0, 1, 8, 9, 0.01);
  bench.add(1, {0, 9, 10}, 0.001, 1);
  bench.add(1, {9, 11, 9}, 0.05, 2);  // past the same body twice
  bench.add(1, {11, 9}, 0.05, 2);
  bench.add(6, {10, 11}, 0.02, 3);
  bench.add(3, {4, 10}, 0.1, 3);
  CHECK(sweep(bench, 1).groups == 4);
  CHECK(sweep(bench, 400).error < 1e-9);
  // every sweep brings it nearer
  double before = 1;
  for (const int sweeps : {1, 3, 10, 30}) {
    const Compared now = sweep(bench, sweeps);
    CHECK(now.error < before);
    before = now.error;
  }
}

TEST_CASE("bounded rows end where the direct solve has them") {
  int at_bounds = 0;
  for (int trial = 0; trial < 30; ++trial) {
    CAPTURE(trial);
    SchurBench bench(14);
    for (int k = 0; k < trial; ++k) bench.number();
    add_rod(bench, 0, 1, 6, 9, 0.5);
    // ropes that only pull, and friction, in groups of their own and with the rod
    for (int k = 0; k < 6; ++k) {
      const int row = bench.add(1, {k + 1, 9, 10 + k % 4}, 0.1, k % 3);
      Constraint& constraint = bench.set.constraints[at(row)];
      constraint.lowest = k % 2 == 0 ? -std::numeric_limits<double>::infinity() : -0.2;
      constraint.highest = k % 2 == 0 ? 0 : 0.1;
      constraint.right[0] *= 5;
    }
    const Compared many = sweep(bench, 300);
    CHECK(many.error < 1e-8);
    CHECK(many.residual < 1e-8);
    SchurBench direct = bench;
    direct.analyse();
    do REQUIRE(direct.solve());
    while (direct.revise());
    for (const Constraint& row : direct.set.constraints) at_bounds += row.is_given();
  }
  // there was something to be decided
  CHECK(at_bounds > 30);
}

TEST_CASE("the residual is that of the whole system, whoever solved it") {
  SchurBench bench(20);
  add_rod(bench, 0, 1, 8, 19, 0.01);
  add_rod(bench, 1, 9, 18, 19, 0.01);
  bench.analyse();
  CHECK(Sweeps::residual(bench.set) == doctest::Approx(1));  // nothing done yet
  REQUIRE(bench.solve());
  CHECK(Sweeps::residual(bench.set) < 1e-12);

  // |b − S μ| / |b| in dense matrices
  Sweeps groups;
  groups.analyse(bench.set);
  groups.begin(bench.set);
  REQUIRE(groups.sweep(bench.set, bench.mobility));
  const Vector right = bench.collect(&Constraint::right);
  const Vector left = right - bench.dense() * bench.collect(&Constraint::impulse);
  CHECK(Sweeps::residual(bench.set) == doctest::Approx(left.norm() / right.norm()));
}

namespace {

RopePoint place(const std::string& body, const Vec3& point) {
  RopePoint made;
  made.body = body;
  made.point = point;
  return made;
}

// A hook block on two ropes that run from the ceiling through it and back, and a load on a sling below, all aside by a
// tenth: the sling is one group, the ropes are another.
Scene crane(double hook, double mass, int sweeps) {
  const Vec3 down = Vec3(0.1, 0, -1).normalized();
  Scene scene = one_rod(wire(1e11, 0.01, 7850, 0.1), 4 * down, 6 * down, 10);
  scene.gravity = {0, 0, -9.81};
  scene.bodies = {load(hook, 4 * down), load(mass, 6 * down)};
  scene.bodies[0].name = "hook";
  scene.holds = {grip(0, false, "hook"), grip(1, false, "load")};
  for (const double side : {-0.2, 0.2}) {
    Rope rope;
    rope.name = side < 0 ? "left" : "right";
    rope.stiffness = 1e7;
    rope.through = {place("", {2 * side, 0, 0}), place("hook", {side, 0, 0}), place("", {side / 2, 0, 0})};
    scene.ropes.push_back(rope);
  }
  scene.simulation.chain.sweeps = sweeps;
  return scene;
}

struct Swung {
  Vec3 load = Vec3::Zero();  // where it is in the end
  double worst = 0;          // residual of a step
  int unconverged = 0;       // steps
};
Swung swing(const Scene& scene, int steps) {
  ChainRig rig(scene);
  Swung result;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = rig.model().step(rig.workspace(), rig.state(), rig.targets, kFrame);
    REQUIRE(report.usable);
    result.worst = std::max(result.worst, report.residual);
    result.unconverged += !report.converged;
  }
  result.load = rig.pose().bodies[1].position;
  return result;
}

}  // namespace

TEST_CASE("a crane swings with enough sweeps as it does directly, and with too few it says so") {
  constexpr int kSteps = 180;
  const Swung direct = swing(crane(60, 600, 0), kSteps);
  CHECK(direct.worst == 0);
  CHECK(direct.unconverged == 0);
  // the load has swung by more than its deflection
  const double swung = (direct.load - Vec3(0.6, 0, -6)).norm();
  REQUIRE(swung > 0.5);

  const Swung enough = swing(crane(60, 600, 200), kSteps);
  CHECK(enough.unconverged == 0);
  CHECK((enough.load - direct.load).norm() < 1e-4 * swung);

  // a hook ten thousand times as light as the load is between two groups: neither knows of the other's load
  const Swung few = swing(crane(1, 10000, 1), kSteps);
  CHECK(few.worst > 0.01);
  CHECK(few.unconverged > kSteps / 2);
}

TEST_CASE("a rod over a sheave is one group, friction included") {
  // a rope over a wheel with a load on either side, the heavier one too heavy to be held by friction
  Scene scene = one_rod(wire(1e11, 0.01, 7850, 0.1), Vec3(-0.3, 0, -4), Vec3(0.3, 0, -4), 40);
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].shape.points = {Vec3(-0.3, 0, -4), Vec3(-0.3, 0, 0), Vec3(0.3, 0, 0), Vec3(0.3, 0, -4)};
  scene.rods[0].length = 8 + 0.3 * std::numbers::pi;
  scene.bodies = {load(100, Vec3(-0.3, 0, -4)), load(250, Vec3(0.3, 0, -4))};
  scene.bodies[1].name = "other";
  scene.holds = {grip(0, false, "load"), grip(1, false, "other")};
  Sheave sheave;
  sheave.name = "wheel";
  sheave.rod = "rod";
  sheave.at = {0.5, 0};
  sheave.axis = {0, 1, 0};
  sheave.radius = 0.3;
  sheave.friction = 0.1;
  scene.sheaves = {sheave};
  const Swung direct = swing(scene, 60);
  scene.simulation.chain.sweeps = 8;
  const Swung swept = swing(scene, 60);
  CHECK(swept.unconverged == 0);
  CHECK(direct.load[2] < -4.5);
  // bounds of friction are renewed as often as there are sweeps, the direct solve stops at 1e-4 of them
  CHECK((swept.load - direct.load).norm() < 1e-3);
}

}  // namespace filum::test_sweeps
