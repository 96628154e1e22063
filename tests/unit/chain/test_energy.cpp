// The ledger of a chain: what its step damps counts as dissipated, what it makes does not.
#include "unit/chain/chain_rig.hpp"

#include "formulations/chain/chain_energy.hpp"

#include <algorithm>
#include <cmath>

namespace filum::test_energy {

using namespace filum::test;

TEST_CASE("what a step loses counts as dissipated; what it gains stays in the balance") {
  chain::ChainState state;
  auto step = [&](double before, double after) {
    Energy energy;
    energy.kinetic = after;
    chain::note_loss(before, energy, kFrame, state);
  };
  step(10, 7);
  CHECK(state.dissipated == doctest::Approx(3));
  // a ripple upwards is paid for before anything more is lost
  step(7, 9);
  CHECK(state.dissipated == doctest::Approx(3));
  CHECK(state.risen == doctest::Approx(2));
  step(9, 6);
  CHECK(state.dissipated == doctest::Approx(4));
  CHECK(state.risen == doctest::Approx(0));
}

TEST_CASE("a load that falls into its rope loses what the snap takes, and the ledger tells") {
  // a tonne, half a metre above where its rope is taut
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  scene.simulation.formulation = "chain";
  scene.bodies = {load(1000, Vec3(0, 0, -3.5))};
  Rope rope;
  rope.name = "rope";
  rope.stiffness = 1e7;
  rope.length = 4;
  rope.through.resize(2);
  rope.through[1].body = "load";
  scene.ropes = {rope};
  ChainRig chain(scene);
  const double start = chain.pose().energy.balance();
  double off = 0;
  for (int i = 0; i < 300; ++i) {
    REQUIRE(chain.step());
    off = std::max(off, std::abs(chain.pose().energy.balance() - start));
  }
  const double fallen = 1000 * 9.81 * 0.5;
  // all that it fell with is gone, and known to be; what is left is the rope's stretch
  CHECK(chain.pose().energy.dissipated == doctest::Approx(fallen).epsilon(0.02));
  CHECK(off < 0.02 * fallen);
}

}  // namespace filum::test_energy
