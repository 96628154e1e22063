// A compiled model is constant: threads share it, each with a state and a workspace of its own, and a workspace
// remembers nothing.
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace filum::test_shared_model {

namespace {

struct Case {
  std::string name;
  Scene scene;
};

// A slack hose with a hold that moves and turns.
Case hose(const std::string& formulation, Stepper stepper) {
  Scene scene = test::scene_of(R"(
rods:
  a: {material: rubber, section: hose, segments: 24, extensible: false, damping: {air: 0.05}, normal: [0, 1, 0],
      shape: {arc: {centre: [0, 0, 0.4], start: [0, 0, 0], axis: [0, -1, 0], angle: 1.2}}}
holds: [{name: near, rod: a, at: start, fix: [position, orientation]},
        {name: far, rod: a, at: end, fix: [position, orientation]}]
drivers: [{hold: far, path: [{t: 0, turns: 0}, {t: 1, position: [0.33, 0.1, 0.3], turns: 0.5}]}]
)");
  scene.simulation.formulation = formulation;
  scene.simulation.stepper = stepper;
  scene.simulation.step = 1.0 / 240;
  return {formulation + " " + std::to_string(static_cast<int>(stepper)), scene};
}

// A rod of elements that become longer while a force pushes in its middle.
Case pushed_chain() {
  Case made = hose("chain", Stepper::Implicit);
  made.name = "pushed chain";
  PointForce force;
  force.point = {"a", {0.5, 0}};
  force.force = Vec3(0, 0.1, 0);
  made.scene.forces.push_back(force);
  Driver driver;
  driver.kind = DriverKind::Rod;
  driver.target = "a";
  driver.path.resize(2);
  driver.path[0].length = 0.48;
  driver.path[1].t = 1;
  driver.path[1].length = 0.72;
  made.scene.drivers.push_back(driver);
  return made;
}

Case example(const std::string& name) {
  const Result<Scene> scene = read_scene(std::string(FILUM_SOURCE_DIR) + "/scenes/" + name + ".yaml");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return {name, *scene};
}

// Hoists pay out, haul in and cut their ropes anew.
std::vector<Case> cases() {
  return {hose("kirchhoff", Stepper::Implicit),
          hose("kirchhoff", Stepper::Projection),
          hose("kirchhoff", Stepper::Variational),
          hose("cosserat", Stepper::Implicit),
          hose("chain", Stepper::Implicit),
          pushed_chain(),
          example("hoisting-winch"),
          example("boom-crane"),
          example("counterweight"),
          example("gantry-crane")};
}

constexpr int kSteps = 150;

// Statics, then motion from the drawn shape, as numbers; `workspace` is asked for one before every call.
std::vector<double> play(const Model& model, const Scene& scene, const std::function<Workspace&()>& workspace) {
  const Targets resting = sim::resting_targets(scene);
  std::unique_ptr<State> state = model.start(resting);
  model.solve(workspace(), *state, resting);
  std::vector<double> numbers = state->pack();

  state = model.start(sim::targets_at(scene, resting, 0));
  const double longest = model.longest_step();
  const double step = longest > 0 ? std::min(0.5 * longest, scene.simulation.step) : scene.simulation.step;
  for (int k = 1; k <= kSteps; ++k) {
    const StepReport report = model.step(workspace(), *state, sim::targets_at(scene, resting, k * step), step);
    numbers.push_back(report.usable ? 1 : 0);
  }
  const std::vector<double> end = state->pack();
  numbers.insert(numbers.end(), end.begin(), end.end());
  const Pose pose = model.sample(workspace(), *state, sim::targets_at(scene, resting, kSteps * step));
  numbers.push_back(pose.energy.balance());
  return numbers;
}

std::vector<double> play(const Model& model, const Scene& scene) {
  const std::unique_ptr<Workspace> workspace = model.workspace();
  return play(model, scene, [&]() -> Workspace& { return *workspace; });
}

}  // namespace

TEST_CASE("one model in two threads gives the bits of one") {
  for (const Case& each : cases()) {
    CAPTURE(each.name);
    const auto formulation = sim::make_formulation(each.scene.simulation.formulation);
    const std::unique_ptr<Model> model = formulation->compile(each.scene);
    const std::vector<double> alone = play(*model, each.scene);
    std::vector<double> first;
    std::vector<double> second;
    std::thread one([&] { first = play(*model, each.scene); });
    std::thread two([&] { second = play(*model, each.scene); });
    one.join();
    two.join();
    CHECK(first == alone);
    CHECK(second == alone);
  }
}

TEST_CASE("a workspace remembers nothing: a new one for every call gives the same bits") {
  for (const Case& each : cases()) {
    CAPTURE(each.name);
    const auto formulation = sim::make_formulation(each.scene.simulation.formulation);
    const std::unique_ptr<Model> model = formulation->compile(each.scene);
    std::unique_ptr<Workspace> fresh;
    CHECK(play(*model, each.scene, [&]() -> Workspace& {
            fresh = model->workspace();
            return *fresh;
          }) == play(*model, each.scene));
  }
}

}  // namespace filum::test_shared_model
