#include "bench/chain.hpp"

#include "formulations/chain/chain.hpp"
#include "sim/drivers.hpp"

#include <algorithm>
#include <memory>
#include <numbers>

namespace filum::bench {
namespace {

constexpr double kStep = 1.0 / 60;

// A steel rope of 10 mm with elements of 0.2 m, its load ten thousand times as heavy as one, 30° from plumb.
Scene swinging_load(int elements) {
  constexpr double kArea = std::numbers::pi * 0.01 * 0.01 / 4;
  const double length = 0.2 * elements;
  Scene scene;
  Section section;
  section.shape = SectionShape::Given;
  section.radius = 0.005;
  section.EA = 1e11 * kArea;
  section.EI = Vec2::Constant(0.1 * section.EA * 0.01 * 0.01 / 16);
  section.GJ = section.EI[0] / 1.3;
  section.mass_per_length = 7850 * kArea;
  scene.sections.push_back({"rope", section});
  Rod rod;
  rod.name = "rope";
  rod.section = "rope";
  rod.segments = elements;
  rod.shape.points = {Vec3::Zero(), length * Vec3(0.5, 0, -0.866)};
  rod.length = length;
  scene.rods.push_back(rod);
  Body load;
  load.name = "load";
  load.mass = 1e4 * section.mass_per_length * 0.2;
  load.box = Vec3::Constant(1);
  load.position = rod.shape.points[1];
  load.motion = BodyMotion::Free;
  scene.bodies = {load};
  for (const double fraction : {0.0, 1.0}) {
    Hold hold;
    hold.name = fraction > 0 ? "hook" : "top";
    hold.rod = "rope";
    hold.at = {fraction, 0};
    hold.fix_position = {true, true, true};
    if (fraction > 0) hold.body = "load";
    scene.holds.push_back(hold);
  }
  scene.simulation.formulation = "chain";
  return scene;
}

struct Desk {
  explicit Desk(const Scene& scene)
      : model(chain::ChainFormulation().compile(scene)), targets(sim::resting_targets(scene)) {
    state = model->start(targets);
    // under way: the first step of all is solved twice
    model->step(*state, targets, kStep);
    before = state->clone();
  }
  std::unique_ptr<Model> model;
  Targets targets;
  std::unique_ptr<State> state;
  std::unique_ptr<State> before;
};

}  // namespace

Bench chain_step(int elements) {
  // asked for: 1000 yardsticks with 100 elements, and linear beyond
  const int steps = std::clamp(2000 / elements, 1, 20);
  return {.name = "chain-step-" + std::to_string(elements),
          .per = "step",
          .target = 10.0 * std::max(elements, 25),
          .make = [elements, steps] {
            const auto desk = std::make_shared<Desk>(swinging_load(elements));
            return Work{.reset = [desk] { desk->state->assign(*desk->before); },
                        .run =
                            [desk, steps] {
                              for (int i = 0; i < steps; ++i) desk->model->step(*desk->state, desk->targets, kStep);
                            },
                        .hash = [desk] { return hash_of(desk->state->pack()); },
                        .units = static_cast<double>(steps)};
          }};
}

}  // namespace filum::bench
