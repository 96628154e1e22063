// The owner of a scene, its model and its state.
#include "sim/live/living_scene.hpp"
#include "sim/run/step_control.hpp"
#include "unit/sim/fake_model.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace filum::test_living_scene {

using test::FakeFormulation;
using test::FakeOptions;

namespace {

sim::LivingScene begun(FakeOptions& fake) {
  sim::LivingScene living(test::fake_scene(0.1, 1), std::make_shared<FakeFormulation>(fake));
  living.start(living.resting());
  fake.log.clear();
  return living;
}

// Where the fake's mass is.
double place(const sim::LivingScene& living) {
  return living.pose().rods[0].position.back().x();
}

}  // namespace

TEST_CASE("a copy of a living scene goes its own way") {
  FakeOptions fake;
  sim::LivingScene living = begun(fake);
  sim::LivingScene copy = living.copy();
  RunReport counts;
  CHECK(copy.march(copy.held(), 0.5, counts).done);
  CHECK(place(copy) != place(living));
  CHECK(place(living) == 1);
  copy.undo();
  CHECK(place(copy) == 1);
}

TEST_CASE("a rod that changes as a whole is not compiled anew, one that changes in a part is") {
  FakeOptions fake;
  sim::LivingScene living = begun(fake);
  std::vector<sim::PartLength> whole{{0, {0, 1}, 1.5}};
  REQUIRE(living.set_lengths(whole));
  CHECK(fake.log.empty());
  CHECK(living.scene().rods[0].length == 1.5);
  CHECK(living.resting().rod_length[0] == 1.5);
  CHECK(living.compiled_lengths()[0] == 1);

  std::vector<sim::PartLength> part{{0, {0.5, 1}, 1}};
  REQUIRE(living.set_lengths(part));
  CHECK(fake.log == std::vector<std::string>{"compiled pppooo", "carried over"});
  CHECK(living.scene().rods[0].length == doctest::Approx(2));
  CHECK(living.compiled_lengths()[0] == doctest::Approx(2));
  CHECK(living.held().rod_length[0] == doctest::Approx(2));
}

TEST_CASE("lengths that the scene refuses change nothing") {
  FakeOptions fake;
  sim::LivingScene living = begun(fake);
  std::vector<sim::PartLength> wrong{{0, {0.5, 1}, -1}};
  CHECK_FALSE(living.set_lengths(wrong));
  CHECK(fake.log.empty());
  CHECK_FALSE(living.scene().rods[0].length);
}

TEST_CASE("settling that finds no equilibrium leaves holds where they were") {
  FakeOptions fake;
  sim::LivingScene living = begun(fake);
  Targets next = living.held();
  next.holds[0].position = Vec3(0, 1, 0);
  fake.converges = false;
  CHECK_FALSE(living.settle(next).converged);
  CHECK(living.held().holds[0].position == Vec3::Zero());
  fake.converges = true;
  CHECK(living.settle(next).converged);
  CHECK(living.held().holds[0].position == Vec3(0, 1, 0));
}

TEST_CASE("numbers that fit no state are refused, and nothing changes") {
  FakeOptions fake;
  sim::LivingScene living = begun(fake);
  const std::vector<double> packed = living.pack();
  const std::vector<double> few{1, 2};
  CHECK_FALSE(living.unpack(few, living.held()));
  CHECK(living.pack() == packed);
}

TEST_CASE("an error above the tolerance shortens the step, one below lengthens it, a cut one says nothing") {
  Simulation simulation;
  simulation.step = 1;
  simulation.tolerance = 1e-3;
  sim::StepControl control(simulation);
  sim::Tick tick = control.next(simulation, 0, 10);
  CHECK(tick.dt == 1);
  // eight times too much: half as long, but for the safety
  CHECK_FALSE(control.judge(simulation, tick, 10, 8e-3));
  CHECK(control.trial() == doctest::Approx(0.45));
  tick = control.next(simulation, 0, 10);
  CHECK(tick.t == doctest::Approx(0.45));
  CHECK(control.judge(simulation, tick, 10, 1e-3 / 8));
  CHECK(control.trial() == doctest::Approx(0.81));
  // a step cut short by the limit does not make the next one shorter
  tick = control.next(simulation, 9.9, 10);
  CHECK(tick.dt == doctest::Approx(0.1));
  CHECK(control.judge(simulation, tick, 10, 1e-3));
  CHECK(control.trial() == doctest::Approx(0.81));
  // an error that is no number never passes
  CHECK_FALSE(control.judge(simulation, tick, 10, std::nan("")));
}

}  // namespace filum::test_living_scene
