// A run that goes on in another formulation: shapes, velocities, bodies and turns are carried over both ways.
#include "unit/chain/chain_rig.hpp"
#include "unit/live_session.hpp"

#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <algorithm>

namespace filum::test_switching {

using namespace filum::test;

namespace {

constexpr double kLength = 1;

// A soft cable of a metre, clamped at both ends 0.8 m apart, hanging through.
Scene soft_cable(double turns = 0) {
  Scene scene = one_rod(wire(2e6, 0.01, 1200), Vec3::Zero(), Vec3(0.8, 0, 0), 40);
  scene.rods[0].length = kLength;
  scene.rods[0].twist = turns;
  scene.gravity = {0, 0, -9.81};
  scene.holds = {grip(0, true), grip(1, true)};
  return scene;
}

Scene in(Scene scene, const char* formulation) {
  scene.simulation.formulation = formulation;
  scene.simulation.step = 1e-3;
  return scene;
}

// How far the first rods of two poses are apart at worst.
double apart(const Pose& a, const Pose& b) {
  REQUIRE(a.rods[0].position.size() == b.rods[0].position.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.rods[0].position.size(); ++i)
    worst = std::max(worst, (a.rods[0].position[i] - b.rods[0].position[i]).norm());
  return worst;
}

// Momentum of the first rod, of even mass.
Vec3 momentum(const Pose& pose, double mass) {
  const RodPose& rod = pose.rods[0];
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i < rod.s.size(); ++i)
    sum += mass / kLength * (rod.s[i] - rod.s[i - 1]) * 0.5 * (rod.velocity[i] + rod.velocity[i - 1]);
  return sum;
}

}  // namespace

TEST_CASE("a cable at rest stays where it is when the formulation changes") {
  for (const auto& each :
       {std::pair{"kirchhoff", "chain"}, {"chain", "kirchhoff"}, {"cosserat", "chain"}, {"chain", "cosserat"}}) {
    const auto& from = std::get<0>(each);
    const auto& to = std::get<1>(each);
    CAPTURE(std::string(from));
    CAPTURE(std::string(to));
    const Scene scene = soft_cable(0.5);
    Session session = begun(in(scene, from));
    REQUIRE(session.settle().converged);
    const Pose before = session.pose();
    REQUIRE(session.edit(in(scene, to)).ok());
    const Pose carried = session.pose();
    // edges stretch and elements do not: at its ends a rod is off by half of what an edge stretches, 8e-5 m
    CHECK(apart(before, carried) < 1e-4 * kLength);
    CHECK(carried.rods[0].turns == doctest::Approx(before.rods[0].turns).epsilon(1e-3));
    // and what the other makes of it is the same equilibrium but for the mesh: 1.8e-3 with 40 segments, 5.8e-4 with 80,
    // 2.1e-4 with 160
    REQUIRE(session.settle().converged);
    CHECK(apart(before, session.pose()) < 3e-3 * kLength);
    CHECK(apart(before, session.pose()) > 0);
  }
}

TEST_CASE("a swing with a load goes on in another formulation") {
  for (const auto& each : {std::pair{"kirchhoff", "chain"}, {"chain", "kirchhoff"}, {"chain", "cosserat"}}) {
    const auto& from = std::get<0>(each);
    const auto& to = std::get<1>(each);
    CAPTURE(std::string(from));
    CAPTURE(std::string(to));
    Scene scene = one_rod(wire(2e8, 0.01, 1200), Vec3::Zero(), Vec3(0.8, 0, -0.6), 20);
    scene.gravity = {0, 0, -9.81};
    Body body = load(2, Vec3(0.8, 0, -0.6));
    body.spin = {0, 1, 0};
    scene.bodies = {body};
    scene.holds = {grip(0, false), grip(1, false, "load")};
    Session session = begun(in(scene, from));
    for (int i = 0; i < 300; ++i) REQUIRE(session.step());
    const Pose before = session.pose();
    REQUIRE(session.edit(in(scene, to)).ok());
    const Pose carried = session.pose();
    CHECK(apart(before, carried) < 1e-4 * kLength);
    CHECK(carried.bodies[0].position == before.bodies[0].position);
    CHECK(carried.bodies[0].velocity == before.bodies[0].velocity);
    CHECK(carried.bodies[0].orientation.angularDistance(before.bodies[0].orientation) < 1e-7);
    CHECK((carried.bodies[0].spin - before.bodies[0].spin).norm() < 1e-12);
    const Vec3 rod = momentum(before, 0.0942);
    CHECK((momentum(carried, 0.0942) - rod).norm() < 1e-2 * rod.norm());
    // no jump in the energy, and the swing goes on: half a second later it is where a run without a switch is
    CHECK(carried.energy.kinetic == doctest::Approx(before.energy.kinetic).epsilon(1e-3));
    Session other = begun(in(scene, from));
    for (int i = 0; i < 800; ++i) REQUIRE(other.step());
    for (int i = 0; i < 500; ++i) REQUIRE(session.step());
    CHECK((session.pose().bodies[0].position - other.pose().bodies[0].position).norm() < 0.01 * kLength);
  }
}

TEST_CASE("many turns of twist are counted across a change of formulation") {
  for (const auto& each : {std::pair{"kirchhoff", "chain"}, {"chain", "kirchhoff"}}) {
    const auto& from = std::get<0>(each);
    const auto& to = std::get<1>(each);
    CAPTURE(std::string(from));
    Scene scene = one_rod(wire(2e8, 0.01, 1200), Vec3::Zero(), Vec3(kLength, 0, 0), 8);
    scene.rods[0].twist = 9 * 2 * std::numbers::pi;
    scene.holds = {grip(0, true), grip(1, true)};
    Session session = begun(in(scene, from));
    const double turns = session.pose().rods[0].turns;
    CHECK(turns == doctest::Approx(9));
    REQUIRE(session.edit(in(scene, to)).ok());
    CHECK(session.pose().rods[0].turns == doctest::Approx(turns).epsilon(1e-9));
  }
}

TEST_CASE("a body that is to spin begins to after the equilibrium, as in other formulations") {
  Scene scene = one_rod(wire(2e11, 0.001, 7850), Vec3::Zero(), Vec3(0, 0, -1), 20);
  scene.gravity = {0, 0, -9.81};
  Body disc = load(1, Vec3(0, 0, -1));
  disc.inertia = Vec3(1e-3, 1e-3, 2e-3);
  disc.spin = {0, 0, 12};
  scene.bodies = {disc};
  scene.holds = {grip(0, true), grip(1, true, "load")};
  ChainRig rig(scene);
  REQUIRE(rig.solve().converged);
  CHECK(rig.pose().bodies[0].spin.z() == 12);
  REQUIRE(rig.run(2));
  CHECK(std::abs(rig.pose().rods[0].turns) == doctest::Approx(12 * 2 * kFrame / (2 * std::numbers::pi)).epsilon(0.02));
  // and what has moved comes to rest
  REQUIRE(rig.solve().converged);
  CHECK(rig.pose().bodies[0].spin.norm() == 0);
}

}  // namespace filum::test_switching
