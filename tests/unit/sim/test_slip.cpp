// Holds that are led by a hand of bounded strength.
#include "unit/live_session.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <doctest/doctest.h>

namespace filum::test_slip {

using test::begun;
using test::must;
using test::scene_of;

namespace {

// A hose that hangs from its one end; the other is in a hand.
Scene hanging(const char* formulation) {
  Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 12, shape: {line: [[0,0,0],[0,0,-0.5]]}}}
holds: [{name: nail, rod: a, at: start, fix: [position]},
        {name: hand, rod: a, at: end, fix: [position]}]
)");
  scene.simulation.formulation = formulation;
  scene.simulation.step = 1.0 / 240;
  scene.simulation.end = 1;
  return scene;
}

}  // namespace

TEST_CASE("a hand pulls at a rod with all its strength and no more, and the rod is as long as that makes it") {
  for (const char* formulation : {"kirchhoff", "cosserat", "chain", "spline"}) {
    CAPTURE(formulation);
    Session session = begun(hanging(formulation));
    double most = 0;
    for (int k = 0; k < 480; ++k) {
      must(session.pull_hold("hand", {0, 0, -0.8}, 5));
      REQUIRE(session.step());
      most = std::max(most, session.pose().holds[1].force.norm());
    }
    CHECK(most == doctest::Approx(5).epsilon(1e-12));
    // it stretches and bounces about what Hooke says, and never comes to where it is wanted
    const Pose pose = session.pose();
    CHECK(session.hold_places()[1].position.z() < -0.5);
    CHECK(session.hold_places()[1].position.z() > -0.6);
    CHECK((session.hold_places()[1].position - pose.rods[0].position.back()).norm() < 1e-3);
  }
}

TEST_CASE("a hand that is strong enough holds as if there were no bound, to the last bit") {
  Session strong = begun(hanging("kirchhoff"));
  Session led = begun(hanging("kirchhoff"));
  for (int k = 1; k <= 60; ++k) {
    const Vec3 to{0.002 * k, 0, -0.5 + 0.001 * k};
    must(strong.pull_hold("hand", to, 1e6));
    must(led.move_hold("hand", to));
    REQUIRE((strong.step() && led.step()));
  }
  for (std::size_t i = 0; i < led.pose().rods[0].position.size(); ++i)
    CHECK(strong.pose().rods[0].position[i] == led.pose().rods[0].position[i]);
}

TEST_CASE("what a slipping hand brings in stands in the ledger, and a hand without strength is refused") {
  Session session = begun(hanging("kirchhoff"));
  const double before = session.pose().energy.balance();
  double moved = 0;
  for (int k = 0; k < 240; ++k) {
    must(session.pull_hold("hand", {0.3, 0, -0.6}, 2));
    REQUIRE(session.step());
    moved = std::max(moved, session.pose().energy.kinetic);
  }
  CHECK(moved > 0);
  CHECK(std::abs(session.pose().energy.balance() - before) < 1e-3 * moved);
  CHECK_FALSE(session.pull_hold("hand", {0, 0, 0}, 0).ok());
  CHECK_FALSE(session.pull_hold("nobody", {0, 0, 0}, 1).ok());
  CHECK_FALSE(session.scale_force(0, 1).ok());
}

}  // namespace filum::test_slip
