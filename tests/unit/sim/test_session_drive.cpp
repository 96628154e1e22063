// A session whose rods are paid out by hand, and that goes over to another formulation.
#include "unit/live_session.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

namespace filum::test_session_drive {

using test::begun;
using test::must;
using test::scene_of;

namespace {

Scene hanging() {
  Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 12, shape: {line: [[0,0,0],[0.45,0,0]]}, normal: [0,0,1]}}
holds: [{name: near, rod: a, at: start, fix: [position, orientation]},
        {name: far, rod: a, at: end, fix: [position, orientation]}]
)");
  scene.simulation.step = 1.0 / 240;
  scene.simulation.end = 1;
  return scene;
}

double lowest(const Pose& pose) {
  double z = 0;
  for (const Vec3& position : pose.rods[0].position) z = std::min(z, position.z());
  return z;
}

}  // namespace

TEST_CASE("a rod is paid out while it moves: longer by what was paid, and the energies balance") {
  Session session = begun(hanging());
  REQUIRE(session.settle().converged);
  const double sag = lowest(session.pose());
  const double before = session.pose().energy.balance();
  for (int k = 1; k <= 240; ++k) {
    must(session.drive_length("a", 0.5 + 0.1 * k / 240));
    REQUIRE(session.step());
  }
  const Pose pose = session.pose();
  CHECK(session.rod_lengths()[0] == doctest::Approx(0.6));
  CHECK(pose.rods[0].s.back() == doctest::Approx(0.6));
  // the scene has the length that it had: nothing was compiled anew
  CHECK(session.scene().rods[0].length == 0.5);
  CHECK(lowest(pose) < sag - 0.03);
  // what is paid out under little tension does little work; the ledger must not lose a tenth of what moves
  CHECK(std::abs(pose.energy.balance() - before) < 0.1 * std::abs(pose.energy.gravity - pose.energy.kinetic));
  CHECK_FALSE(session.drive_length("a", -1).ok());
  CHECK_FALSE(session.drive_length("b", 1).ok());
}

TEST_CASE("a length asked for is saved with the state, goes on over edits, and ends with a length of the scene's") {
  Session session = begun(hanging());
  must(session.drive_length("a", 0.55));
  for (int k = 0; k < 24; ++k) REQUIRE(session.step());
  const SavedState saved = session.save();
  Session other = begun(hanging());
  must(other.load(saved));
  for (int k = 0; k < 24; ++k) REQUIRE((session.step() && other.step()));
  CHECK(other.pose().rods[0].position[6] == session.pose().rods[0].position[6]);
  CHECK(other.rod_lengths()[0] == 0.55);

  Scene edited = other.scene();
  edited.gravity.z() = -5;
  must(other.edit(edited));
  REQUIRE(other.step());
  CHECK(other.rod_lengths()[0] == 0.55);
  edited.rods[0].length = 0.52;
  must(other.edit(edited));
  REQUIRE(other.step());
  CHECK(other.rod_lengths()[0] == 0.52);
}

TEST_CASE("another formulation takes over in full flight: the same places, velocities, turns and lengths") {
  for (const bool to_cosserat : {true, false}) {
    Scene scene = hanging();
    scene.simulation.formulation = to_cosserat ? "kirchhoff" : "cosserat";
    Session session = begun(scene);
    must(session.twist_hold("far", 0.3));
    must(session.drive_length("a", 0.53));
    for (int k = 0; k < 60; ++k) REQUIRE(session.step());
    const Pose before = session.pose();
    scene = session.scene();
    scene.simulation.formulation = to_cosserat ? "cosserat" : "kirchhoff";
    must(session.edit(scene));
    const Pose after = session.pose();
    CHECK(session.time() == doctest::Approx(0.25));
    for (std::size_t i = 0; i < before.rods[0].position.size(); ++i) {
      CHECK(after.rods[0].position[i] == before.rods[0].position[i]);
      CHECK(after.rods[0].velocity[i] == before.rods[0].velocity[i]);
    }
    CHECK(after.rods[0].turns == doctest::Approx(before.rods[0].turns));
    CHECK(session.rod_lengths()[0] == 0.53);
    CHECK(session.hold_places()[1].turns == 0.3);
    // and it goes on from there: in one step of 4 ms nothing jumps
    REQUIRE(session.step());
    const Pose next = session.pose();
    const double moved = (next.rods[0].position[6] - after.rods[0].position[6]).norm();
    CHECK(moved < 2 * (after.rods[0].velocity[6].norm() + 9.81 / 240) / 240);
  }
}

TEST_CASE("at rest another formulation finds the same equilibrium from there") {
  Session session = begun(hanging());
  REQUIRE(session.settle().converged);
  const Pose before = session.pose();
  Scene scene = session.scene();
  scene.simulation.formulation = "cosserat";
  must(session.edit(scene));
  REQUIRE(session.settle().converged);
  const Pose after = session.pose();
  // both are of second order in 12 segments: a few per mille of the length apart
  for (std::size_t i = 0; i < before.rods[0].position.size(); ++i)
    CHECK((after.rods[0].position[i] - before.rods[0].position[i]).norm() < 5e-3 * 0.5);
}

}  // namespace filum::test_session_drive
