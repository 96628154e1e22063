#include "bench/chain.hpp"

#include "formulations/chain/chain.hpp"
#include "sim/drivers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

namespace filum::bench {
namespace {

constexpr double kFrame = 1.0 / 60;

constexpr double kElement = 0.2;  // m

// Steel rope of 10 mm.
Section steel_rope() {
  constexpr double kArea = std::numbers::pi * 0.01 * 0.01 / 4;
  Section section;
  section.shape = SectionShape::Given;
  section.radius = 0.005;
  section.EA = 1e11 * kArea;
  section.EI = Vec2::Constant(0.1 * section.EA * 0.01 * 0.01 / 16);
  section.GJ = section.EI[0] / 1.3;
  section.mass_per_length = 7850 * kArea;
  return section;
}

// No rods yet, and a load ten thousand times as heavy as an element.
Scene scene_with_load(const Vec3& position) {
  Scene scene;
  scene.sections.push_back({"rope", steel_rope()});
  Body load;
  load.name = "load";
  load.mass = 1e4 * steel_rope().mass_per_length * kElement;
  load.box = Vec3::Constant(1);
  load.position = position;
  load.motion = BodyMotion::Free;
  scene.bodies = {load};
  scene.simulation.formulation = "chain";
  return scene;
}

// A straight rope with so many elements, held at its ends by bodies or, without a name, in space.
void add_rope(Scene& scene, const std::string& name, const Vec3& from, const Vec3& to, int elements,
              const std::string& top, const std::string& bottom) {
  Rod rod;
  rod.name = name;
  rod.section = "rope";
  rod.segments = elements;
  rod.shape.points = {from, to};
  rod.length = kElement * elements;
  scene.rods.push_back(rod);
  for (const double fraction : {0.0, 1.0}) {
    Hold hold;
    hold.name = name + (fraction > 0 ? " end" : " start");
    hold.rod = name;
    hold.at = {fraction, 0};
    hold.fix.position = kAllAxes;
    hold.body = fraction > 0 ? bottom : top;
    scene.holds.push_back(hold);
  }
}

// 30° from plumb.
Scene swinging_load(int elements) {
  const Vec3 end = kElement * elements * Vec3(0.5, 0, -0.866);
  Scene scene = scene_with_load(end);
  add_rope(scene, "rope", Vec3::Zero(), end, elements, "", "load");
  return scene;
}

// A hook block on two massless ropes that run through it, a tenth as heavy as the load, which hangs below it on a rope
// of 100 elements: three groups.
Scene crane() {
  const Vec3 hook_place(0.4, 0, -4);
  const Vec3 load_place = hook_place + 20 * Vec3(0.1, 0, -1).normalized();
  Scene scene = scene_with_load(load_place);
  Body hook = scene.bodies[0];
  hook.name = "hook";
  hook.mass *= 0.1;
  hook.position = hook_place;
  scene.bodies.push_back(hook);
  add_rope(scene, "sling", hook_place, load_place, 100, "hook", "load");
  for (const double side : {-0.2, 0.2}) {
    Rope rope;
    rope.name = side < 0 ? "left" : "right";
    rope.stiffness = 1e7;
    rope.through.resize(3);
    rope.through[0].point = {2 * side, 0, 0};
    rope.through[1].body = "hook";
    rope.through[1].point = {side, 0, 0};
    rope.through[2].point = {0.5 * side, 0, 0};
    scene.ropes.push_back(rope);
  }
  return scene;
}

// Four ropes of 25 elements that carry the load together: four groups.
Scene four_cables() {
  const Vec3 hook(0.3, 0.1, -5);
  Scene scene = scene_with_load(hook);
  for (int k = 0; k < 4; ++k) {
    const double angle = 0.5 * std::numbers::pi * k;
    const Vec3 top(0.3 * std::cos(angle), 0.3 * std::sin(angle), 0);
    add_rope(scene, "rope " + std::to_string(k), top, hook, 25, "", "load");
    scene.rods.back().length = (hook - top).norm();
  }
  return scene;
}

struct HoistingRig {
  HoistingRig(const Scene& scene, int warm_up)
      : model(chain::ChainFormulation().compile(scene)),
        workspace(model->workspace()),
        targets(sim::resting_targets(scene)) {
    state = model->start(targets);
    // under way: the first step of all is solved twice, and the level of detail takes a few to find its elements
    for (int i = 0; i < warm_up; ++i) model->step(*workspace, *state, targets, kFrame);
    before = state->clone();
  }
  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  Targets targets;
  std::unique_ptr<State> state;
  std::unique_ptr<State> before;
};

// So many steps a sample.
std::function<Work()> steps_of(std::function<Scene()> make, int steps, int warm_up = 1) {
  return [make = std::move(make), steps, warm_up] {
    const auto rig = std::make_shared<HoistingRig>(make(), warm_up);
    return Work{.reset = [rig] { rig->state->assign(*rig->before); },
                .run =
                    [rig, steps] {
                      for (int i = 0; i < steps; ++i)
                        rig->model->step(*rig->workspace, *rig->state, rig->targets, kFrame);
                    },
                .hash = [rig] { return hash_of(rig->state->pack()); },
                .units = static_cast<double>(steps)};
  };
}

Bench by_sweeps(const std::string& name, Scene (*make)(), int sweeps) {
  // samples of a few milliseconds: longer ones are interrupted
  const int steps = 20 / (1 + sweeps / 5);
  return {.name = name + (sweeps > 0 ? "-" + std::to_string(sweeps) + "-sweeps" : "-direct"),
          .per = "step",
          .make = steps_of(
              [make, sweeps] {
                Scene scene = make();
                scene.simulation.chain.sweeps = sweeps;
                return scene;
              },
              steps)};
}

}  // namespace

Bench chain_step(int elements) {
  // asked for: 1000 yardsticks with 100 elements, and linear beyond
  const int steps = std::clamp(2000 / elements, 1, 20);
  return {.name = "chain-step-" + std::to_string(elements),
          .per = "step",
          .target = 10.0 * std::max(elements, 25),
          .make = steps_of([elements] { return swinging_load(elements); }, steps)};
}

Bench chain_detail_step(int elements) {
  return {.name = "chain-step-" + std::to_string(elements) + "-detail",
          .per = "step",
          .make = steps_of(
              [elements] {
                Scene scene = swinging_load(elements);
                scene.simulation.chain.detail = 1e-3;
                return scene;
              },
              20, 60)};
}

Bench crane_step(int sweeps) {
  return by_sweeps("chain-crane", crane, sweeps);
}

Bench cables_step(int sweeps) {
  return by_sweeps("chain-four-cables", four_cables, sweeps);
}

}  // namespace filum::bench
