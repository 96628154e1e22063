#include "bench/contact.hpp"

#include "formulations/kirchhoff/kirchhoff.hpp"
#include "sim/drivers.hpp"

#include <filum/scene_file.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace filum::bench {
namespace {

// A cord whose ends come nearer and are turned against each other, half a turn a second.
Scene winding_scene(int segments) {
  const std::string text = R"(filum: 1
gravity: [0, 0, 0]
materials: {silicone: {young: 1.3 MPa, poisson: 0.5, density: 1200}}
sections: {cord: {shape: circle, radius: 1.55 mm}}
rods:
  cord: {material: silicone, section: cord, segments: )" +
                           std::to_string(segments) +
                           R"(, damping: {rayleigh: [2, 0]}, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}
holds:
  - {name: left, rod: cord, at: start, fix: [position, orientation]}
  - {name: right, rod: cord, at: end, fix: [position, orientation]}
forces: [{rod: cord, at: 48 %, force: [0, 1 mN, 0]}]
contact: {rods: true}
drivers:
  - {hold: right, path: [{t: 0, position: [0.5, 0, 0], turns: 0}, {t: 2, position: [0.35, 0, 0], turns: 1}, {t: 40, turns: 20}]}
  - {force: 0, path: [{t: 0, scale: 1}, {t: 1, scale: 0}]}
simulation: {mode: dynamics, integrator: implicit-euler, step: 1/240, end: 40}
)";
  return *parse_scene(text, "cord");
}

// The cord at a time, wound on by steps of one length; a step that fails is divided.
struct Winding {
  Winding(int segments, double length)
      : scene(winding_scene(segments)),
        model(kirchhoff::KirchhoffFormulation().compile(scene)),
        workspace(model->workspace()),
        resting(sim::resting_targets(scene)),
        state(model->start(sim::targets_at(scene, resting, 0))),
        tried(state->clone()),
        begin(state->clone()),
        dt(length) {}

  // Iterations that it took.
  int step(double length) {
    tried->assign(*state);
    const StepReport report = model->step(*workspace, *state, sim::targets_at(scene, resting, t + length), length);
    if (report.usable) {
      t += length;
      return report.iterations;
    }
    state->assign(*tried);
    if (length < 1e-3 * dt) {
      t += length;
      return report.iterations;
    }
    return report.iterations + step(0.5 * length) + step(0.5 * length);
  }
  void keep() {
    begin->assign(*state);
    begin_t = t;
  }
  void reset() {
    state->assign(*begin);
    t = begin_t;
  }

  Scene scene;
  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  Targets resting;
  std::unique_ptr<State> state;
  std::unique_ptr<State> tried;
  std::unique_ptr<State> begin;
  double dt;
  double t = 0;
  double begin_t = 0;
};

Work work_of(const std::shared_ptr<Winding>& cord, int steps, double units) {
  return {.reset = [cord] { cord->reset(); },
          .run =
              [cord, steps] {
                for (int k = 0; k < steps; ++k) cord->step(cord->dt);
              },
          .hash = [cord] { return hash_of(cord->state->pack()); },
          .units = units};
}

}  // namespace

Bench plectoneme_step(int segments) {
  return {.name = "step-plectoneme-" + std::to_string(segments),
          .per = "segment",
          .target = 30,
          .make =
              [segments] {
                constexpr double kTenTurns = 20;  // s
                constexpr int kSteps = 48;
                const auto cord = std::make_shared<Winding>(segments, 1.0 / 240);
                while (cord->t < kTenTurns) cord->step(cord->dt);
                cord->keep();
                return work_of(cord, kSteps, static_cast<double>(kSteps) * segments);
              },
          .slow = true};
}

Bench plectoneme_rare_step(int segments) {
  return {.name = "step-plectoneme-1kHz-99.9-percent-" + std::to_string(segments),
          .per = "step",
          .make =
              [segments] {
                constexpr int kSteps = 20000;
                constexpr std::size_t kRank = kSteps / 1000;
                struct Rare {
                  int iterations;
                  double t;
                  std::unique_ptr<State> before;
                };
                const auto cord = std::make_shared<Winding>(segments, 1e-3);
                std::vector<Rare> rare;
                const auto before = cord->state->clone();
                for (int k = 0; k < kSteps; ++k) {
                  before->assign(*cord->state);
                  const double t = cord->t;
                  const int iterations = cord->step(cord->dt);
                  if (rare.size() == kRank && iterations <= rare.back().iterations) continue;
                  if (rare.size() == kRank) rare.pop_back();
                  rare.push_back({iterations, t, before->clone()});
                  std::stable_sort(rare.begin(), rare.end(),
                                   [](const Rare& a, const Rare& b) { return a.iterations > b.iterations; });
                }
                cord->state->assign(*rare.back().before);
                cord->t = rare.back().t;
                cord->keep();
                return work_of(cord, 1, 1);
              },
          .slow = true};
}

}  // namespace filum::bench
