// A state as numbers and back.
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/packing.hpp"
#include "formulations/kirchhoff/kirchhoff.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

namespace filum::test_packing {

using namespace filum::discrete;

namespace {

const std::string kText = R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 12, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: 0.4, fix: {position: [y]}}]
)";

}  // namespace

TEST_CASE("packed and unpacked a state is the same to the last bit") {
  const ModelData model = compile_model(test::scene_of(kText));
  const Targets targets = sim::resting_targets(*model.scene);
  RodState state = start_state(model, targets);
  // numbers that do not round well, in every kind of list
  double x = 0.1;
  for (Vec3& v : state.velocity) {
    x *= 1.7;
    v = Vec3(x, -x, 1 / x);
  }
  for (Mat3& m : state.frame) m *= 1 / 3.0;
  state.moving = true;
  state.work = 1e-300;
  const std::vector<double> packed = pack_state(state);
  RodState other = start_state(model, targets);
  REQUIRE(unpack_state(packed, other));
  CHECK(pack_state(other) == packed);
  CHECK(other.velocity == state.velocity);
  CHECK(other.moving);
  CHECK(other.work == 1e-300);
}

TEST_CASE("numbers of another model are refused and change nothing") {
  const ModelData model = compile_model(test::scene_of(kText));
  const Targets targets = sim::resting_targets(*model.scene);
  RodState state = start_state(model, targets);
  const std::vector<double> before = pack_state(state);
  std::vector<double> packed = before;
  packed.pop_back();
  CHECK_FALSE(unpack_state(packed, state));
  CHECK_FALSE(unpack_state({}, state));
  packed = before;
  packed.push_back(0);
  CHECK_FALSE(unpack_state(packed, state));
  // a list length that is no length at all
  packed = before;
  packed[0] = -1;
  CHECK_FALSE(unpack_state(packed, state));
  packed[0] = 1e300;
  CHECK_FALSE(unpack_state(packed, state));
  CHECK(pack_state(state) == before);
}

TEST_CASE("a packed state steps on as the state itself does") {
  Scene scene = test::scene_of(kText);
  for (const Integrator integrator :
       {Integrator::EnergyMomentum, Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::GeneralisedAlpha}) {
    scene.simulation.integrator = integrator;
    const auto model = kirchhoff::KirchhoffFormulation{}.compile(scene);
    const auto workspace = model->workspace();
    const Targets targets = sim::resting_targets(scene);
    auto state = model->start(targets);
    for (int k = 0; k < 5; ++k) REQUIRE(model->step(*workspace, *state, targets, 0.01).usable);
    // another model, so that nothing can hide in the first one
    const auto again = kirchhoff::KirchhoffFormulation{}.compile(scene);
    const auto fresh = again->workspace();
    auto copy = again->unpack(state->pack(), targets);
    REQUIRE(copy != nullptr);
    for (int k = 0; k < 5; ++k) {
      REQUIRE(model->step(*workspace, *state, targets, 0.01).usable);
      REQUIRE(again->step(*fresh, *copy, targets, 0.01).usable);
    }
    CHECK(copy->pack() == state->pack());
  }
}

}  // namespace filum::test_packing
