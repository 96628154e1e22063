#include "bench/dynamics.hpp"

#include "bench/heavy_cantilever.hpp"
#include "bench/processor_time.hpp"
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace filum::bench {
namespace {

constexpr double kStep = 1.0 / 240;  // s
constexpr double kLeadIn = 0.1;      // s, before the timed steps: the rod is on its way

// A rod in motion that can be put back to where the timing begins.
struct Fall {
  Fall(const Scene& scene, double length, int count)
      : model(sim::make_formulation(scene.simulation.formulation)->compile(scene)),
        workspace(model->workspace()),
        targets(sim::resting_targets(scene)),
        state(model->start(targets)),
        dt(length),
        steps(count) {
    for (double t = 0; t < kLeadIn; t += dt) model->step(*workspace, *state, targets, dt);
    begin = state->clone();
  }

  void reset() { state->assign(*begin); }
  void run() {
    for (int k = 0; k < steps; ++k) model->step(*workspace, *state, targets, dt);
  }
  [[nodiscard]] std::uint64_t hash() const { return hash_of(state->pack()); }

  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  Targets targets;
  std::unique_ptr<State> state;
  std::unique_ptr<State> begin;
  double dt;
  int steps;
};

Work work_of(const Scene& scene, double dt, int steps) {
  const auto fall = std::make_shared<Fall>(scene, dt, steps);
  return {.reset = [fall] { fall->reset(); },
          .run = [fall] { fall->run(); },
          .hash = [fall] { return fall->hash(); },
          .units = static_cast<double>(steps) * scene.rods.front().segments};
}

// Long rods are timed over fewer steps.
int steps_for(int segments) {
  return std::clamp(20000 / segments, 2, 40);
}

const char* name_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::EnergyMomentum:
      return "energy-momentum";
    case Integrator::ImplicitEuler:
      return "implicit-euler";
    case Integrator::Bdf2:
      return "bdf2";
    case Integrator::GeneralisedAlpha:
      return "generalised-alpha";
    case Integrator::RungeKutta:
      return "runge-kutta";
  }
  return "";
}

double target_of(Integrator integrator, int iterations) {
  if (iterations > 0) return 2;
  if (integrator == Integrator::EnergyMomentum) return 4;
  return integrator == Integrator::ImplicitEuler ? 7 : 0;
}

}  // namespace

Bench implicit_step(Integrator integrator, int segments, int iterations) {
  const std::string bounded = iterations > 0 ? "-" + std::to_string(iterations) + "-iteration" : "";
  return {.name = std::string("step-") + name_of(integrator) + bounded + "-" + std::to_string(segments),
          .per = "segment",
          .target = target_of(integrator, iterations),
          .make = [=] {
            Scene scene = heavy_cantilever(segments);
            scene.simulation.mode = Mode::Dynamics;
            scene.simulation.integrator = integrator;
            scene.simulation.iterations = iterations;
            return work_of(scene, kStep, steps_for(segments));
          }};
}

Bench bounded_step_spread(int segments, int iterations) {
  return {.name = "step-bounded-99.9-percent-" + std::to_string(segments),
          .per = "median",
          .target = 2,
          .times = [=] {
            constexpr int kSteps = 36000;
            // the same steps, to the last bit, are taken so often: what the machine does in between meets a step once, what
            // makes it slow itself each time
            constexpr int kRuns = 3;
            constexpr double kSoftening = 10;
            Scene scene = heavy_cantilever(segments);
            scene.simulation.mode = Mode::Dynamics;
            scene.simulation.iterations = iterations;
            scene.materials.front().material.young /= kSoftening;
            Fall fall(scene, 1.0 / 60, 1);
            std::vector<double> times(kSteps, std::numeric_limits<double>::infinity());
            for (int run = 0; run < kRuns; ++run) {
              fall.reset();
              for (double& time : times) time = std::min(time, processor_microseconds_of([&] { fall.run(); }));
            }
            return times;
          }};
}

Bench yielding_step(const std::string& formulation, Yields yields) {
  const bool never = yields == Yields::Never;
  return {.name = std::string(never ? "step-below-yield-" : "step-yielding-") + formulation,
          .per = "its elastic steps",
          .target = never ? 1.05 : 1.6,
          .pair = [=] {
            constexpr int kSegments = 200;
            constexpr int kSteps = 40;
            Scene scene = heavy_cantilever(kSegments);
            scene.simulation.mode = Mode::Dynamics;
            scene.simulation.formulation = formulation;
            std::uint64_t hash = 0;
            const auto time_of = [&] {
              Fall fall(scene, kStep, kSteps);
              const double time = processor_microseconds_of([&] { fall.run(); });
              hash = fall.hash();
              return time;
            };
            const double elastic = time_of();
            // the clamp of the falling rod is bent to about 1/(0.2 m): a strain of 0.025 outside
            Material& material = scene.materials.front().material;
            material.yield = (never ? 1.0 : 0.002) * material.young;
            material.hardening = 0.1 * material.young;
            const double yielding = time_of();
            return TimePair{yielding, elastic, hash};
          }};
}

Bench explicit_step(Stepper stepper, int segments, Profile profile) {
  const std::string name = std::string(stepper == Stepper::Projection ? "projection" : "variational") +
                           (profile == Profile::Flat ? "-flat" : "");
  return {.name = "step-" + name + "-" + std::to_string(segments), .per = "segment", .target = 1.5, .make = [=] {
            Scene scene = heavy_cantilever(segments);
            scene.simulation.mode = Mode::Dynamics;
            scene.simulation.stepper = stepper;
            scene.rods.front().extensible = false;
            if (profile == Profile::Flat) {
              Section& section = scene.sections.front().section;
              section.shape = SectionShape::Rectangle;
              section.width = 0.012;
              section.height = 0.006;
              scene.rods.front().normal = Vec3(0, 0.8, 0.6);  // so that it twists as it falls
            }
            const double longest = kirchhoff::KirchhoffFormulation().compile(scene)->longest_step();
            return work_of(scene, longest > 0 ? std::min(longest, kStep) : kStep, steps_for(segments));
          }};
}

}  // namespace filum::bench
