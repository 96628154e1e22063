#include "bench/statics.hpp"

#include "bench/heavy_cantilever.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "formulations/kirchhoff/kirchhoff.hpp"
#include "math/dense.hpp"
#include "sim/drivers.hpp"

#include <filum/solve.hpp>

#include <memory>
#include <utility>

namespace filum::bench {
namespace {

constexpr int kColdSegments = 200;

// A rubber hose between two posed fittings, filled with brake fluid.
Scene brake_hose() {
  Scene scene;
  Section section;
  section.shape = SectionShape::Tube;
  section.outer_radius = 0.0052;
  section.inner_radius = 0.0016;
  section.fill_density = 1060;
  scene.materials.push_back({"epdm", {7e6, 0.49, 1150}});
  scene.sections.push_back({"hose", section});
  Rod rod;
  rod.name = "rod";
  rod.material = "epdm";
  rod.section = "hose";
  rod.segments = 60;
  rod.shape.points = {Vec3::Zero(), Vec3(0.42, 0, 0)};
  rod.normal = Vec3::UnitZ();
  scene.rods.push_back(rod);
  scene.holds.push_back(clamp("frame end", {0, 0}));
  scene.holds.push_back(clamp("wheel end", {1, 0}));
  scene.holds[1].position = Vec3(0.26, 0.06, -0.10);
  scene.holds[1].orientation = math::smallest_turn(Vec3::UnitZ(), Vec3(-0.2, 0.6, 0.8));
  return scene;
}

std::uint64_t hash_of_positions(const std::vector<Vec3>& positions) {
  return hash_of({positions.front().data(), 3 * positions.size()});
}

// A model ready for one Newton iteration from its start, again and again.
struct Iteration {
  explicit Iteration(const Scene& scene)
      : model(discrete::compile_model(scene)),
        system(model),
        targets(sim::targets_at(scene, sim::resting_targets(scene), 0)),
        start(discrete::start_state(model, targets)),
        state(start) {}

  void run() {
    system.evaluate(state, targets, discrete::RodSystem::Want::NewtonTangent);
    if (system.solve(0)) system.advance(state, 1);
  }

  discrete::ModelData model;
  discrete::RodSystem system;
  Targets targets;
  discrete::RodState start;
  discrete::RodState state;
};

// A compiled model with a state and where it is asked to go.
struct Solve {
  explicit Solve(Scene from) : scene(std::move(from)), resting(sim::resting_targets(scene)) {}

  void compile() {
    model = kirchhoff::KirchhoffFormulation().compile(scene);
    workspace = model->workspace();
  }
  void begin() { state = model->start(resting); }
  void solve(const Targets& targets) { model->solve(*workspace, *state, targets); }
  [[nodiscard]] std::uint64_t hash() const {
    return hash_of_positions(model->sample(*workspace, *state, resting).rods.front().position);
  }

  Scene scene;
  Targets resting;
  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<State> state;
};

}  // namespace

Bench newton_iteration(int segments) {
  return {.name = "newton-iteration-" + std::to_string(segments), .per = "node", .target = 4, .make = [segments] {
            const auto iteration = std::make_shared<Iteration>(heavy_cantilever(segments));
            return Work{.reset = [iteration] { iteration->state = iteration->start; },
                        .run = [iteration] { iteration->run(); },
                        .hash = [iteration] { return hash_of_positions(iteration->state.position); },
                        .units = segments + 1.0};
          }};
}

Bench cold_start() {
  return {.name = "cold-start-200", .per = "solve", .target = 2000, .make = [] {
            const auto work = std::make_shared<Solve>(heavy_cantilever(kColdSegments));
            auto run = [work] {
              work->resting = sim::resting_targets(work->scene);
              work->compile();
              work->begin();
              work->solve(work->resting);
            };
            return Work{.reset = [] {}, .run = run, .hash = [work] { return work->hash(); }};
          }};
}

Bench whole_solve() {
  return {.name = "whole-solve-200", .per = "solve", .make = [] {
            const auto scene = std::make_shared<Scene>(heavy_cantilever(kColdSegments));
            const auto outcome = std::make_shared<Outcome>();
            auto run = [scene, outcome] {
              Result<Outcome> solved = solve(*scene);
              if (solved) *outcome = std::move(*solved);
            };
            auto hash = [outcome] { return hash_of_positions(outcome->states.back().pose.rods.front().position); };
            return Work{.reset = [] {}, .run = run, .hash = hash};
          }};
}

Bench hose_again() {
  return {.name = "brake-hose-again", .per = "solve", .make = [] {
            const auto work = std::make_shared<Solve>(brake_hose());
            work->compile();
            work->begin();
            work->solve(work->resting);
            const std::shared_ptr<State> solved = work->state->clone();
            Targets moved = work->resting;
            moved.holds[1].position += Vec3(0.003, 0, 0.004);
            return Work{.reset = [work, solved] { work->state = solved->clone(); },
                        .run = [work, moved] { work->solve(moved); },
                        .hash = [work] { return work->hash(); }};
          }};
}

}  // namespace filum::bench
