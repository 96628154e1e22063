#include "bench/spline.hpp"

#include "bench/heavy_cantilever.hpp"
#include "formulations/spline/spline.hpp"
#include "sim/drivers.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace filum::bench {
namespace {

// A model with a state that can be put back to where the timing begins.
struct Spline {
  explicit Spline(const Scene& scene)
      : model(spline::SplineFormulation().compile(scene)),
        workspace(model->workspace()),
        targets(sim::resting_targets(scene)),
        state(model->start(targets)) {}

  [[nodiscard]] std::uint64_t hash() const { return hash_of(state->pack()); }

  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  Targets targets;
  std::unique_ptr<State> state;
  std::unique_ptr<State> begin;
};

// 14 segments and a knot that is double in the clip.
Scene door_cable() {
  Scene scene;
  Section section;
  section.shape = SectionShape::Circle;
  section.radius = 0.0054;
  scene.materials.push_back({"cable", {5e9, 0.33, 5000}});
  scene.sections.push_back({"round", section});
  Rod rod;
  rod.name = "rod";
  rod.material = "cable";
  rod.section = "round";
  rod.segments = 14;
  rod.length = 2;
  rod.shape.points = {Vec3::Zero(), Vec3(1.2, 0, -0.1), Vec3(1.9, 0, 0)};
  rod.shape.kind = CurveKind::Spline;
  scene.rods.push_back(rod);
  scene.holds = {clamp("start", {0, 0}), clamp("clip", {0.6, 0}), clamp("end", {1, 0})};
  scene.holds[1].fix.orientation = {};
  return scene;
}

}  // namespace

Bench door_cable_again() {
  return {.name = "spline-door-again", .per = "solve", .target = 1500, .make = [] {
            const auto work = std::make_shared<Spline>(door_cable());
            work->model->solve(*work->workspace, *work->state, work->targets);
            work->begin = work->state->clone();
            Targets moved = work->targets;
            moved.holds[2].position += Vec3(0.003, 0, 0.004);
            return Work{.reset = [work] { work->state->assign(*work->begin); },
                        .run = [work, moved] { work->model->solve(*work->workspace, *work->state, moved); },
                        .hash = [work] { return work->hash(); }};
          }};
}

Bench spline_step(int points) {
  return {.name = "spline-step-" + std::to_string(points), .per = "point", .target = 60, .make = [points] {
            constexpr double kStep = 1.0 / 240;
            const auto work = std::make_shared<Spline>(heavy_cantilever(points - 3));
            const auto step = [work] { work->model->step(*work->workspace, *work->state, work->targets, kStep); };
            for (int k = 0; k < 24; ++k) step();
            work->begin = work->state->clone();
            const int steps = std::clamp(4000 / points, 2, 40);
            return Work{.reset = [work] { work->state->assign(*work->begin); },
                        .run =
                            [step, steps] {
                              for (int k = 0; k < steps; ++k) step();
                            },
                        .hash = [work] { return work->hash(); },
                        .units = static_cast<double>(steps) * points};
          }};
}

}  // namespace filum::bench
