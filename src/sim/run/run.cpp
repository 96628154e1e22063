#include "sim/run/run.hpp"

#include "rod/finite_pose.hpp"
#include "scene/text.hpp"
#include "sim/formulations.hpp"
#include "sim/live/engine.hpp"
#include "sim/refusal.hpp"
#include "sim/run/clock.hpp"
#include "sim/run/recorder.hpp"

#include <string>

namespace filum {

namespace sim {

namespace {

// «0.25 s»
std::string seconds(double t) {
  return scene::text(t) + " s";
}

// What the engine has counted and told by now, beside what the recorder has read.
void put_report(const Engine& engine, Outcome& outcome) {
  RunReport report = engine.report();
  report.max_energy_error = outcome.run->max_energy_error;
  report.energy_scale = outcome.run->energy_scale;
  report.start = outcome.run->start;
  report.end = engine.time();
  report.completed = false;
  outcome.run = report;
  outcome.events.insert(outcome.events.end(), engine.events().begin(), engine.events().end());
}

// Steps until the end, or until something stops it: why, or nothing.
std::string go(Engine& engine, Recorder& recorder, double end, const RunOptions& options, const Outcome& outcome) {
  const double start = engine.time();
  const double same = kSameInstant * engine.scene().simulation.step;
  const RunOptions::SoFar so_far{[&] { return engine.save(); },
                                 [&] {
                                   Outcome now = outcome;
                                   put_report(engine, now);
                                   return now;
                                 }};
  // a long step hears the watcher too
  const auto stopped = [&engine, &options, start, end] {
    return stops(options.progress, (engine.time() - start) / (end - start), "running");
  };
  if (options.progress) engine.watch([stopped](double, const char*) { return !stopped(); });
  const auto kept = [&] { return !options.checkpoint || options.checkpoint(so_far); };
  const bool begun = recorder.first();
  if (!recorder.finite()) return rod::kNotFinite;
  if (!begun || !kept()) return kStopped;
  while (engine.time() < end - same) {
    const bool moved = engine.step(end);
    const bool last = !moved || engine.time() >= end - same;
    const bool halt = !last && stopped();
    const bool go_on = recorder.after_step(last || halt);
    if (!recorder.finite()) return "t = " + seconds(engine.time()) + ": " + rod::kNotFinite;
    if (!moved && engine.why() == kStopped) return kStopped;
    if (!moved) return "t = " + seconds(engine.time()) + ": " + engine.why();
    if (!last && (halt || !go_on || !kept())) return kStopped;
  }
  return {};
}

}  // namespace

Result<Outcome> run_with(std::shared_ptr<const Formulation> formulation, const Scene& scene,
                         const RunOptions& options) {
  const double end = scene.simulation.end;
  if (!(end > 0)) return bad_input("simulation.end is missing or zero: it says how long to run, in seconds");
  if (options.resume && options.resume->t >= end - kSameInstant * scene.simulation.step)
    return bad_input("the saved state is at t = " + seconds(options.resume->t) + ", and the scene ends at " +
                     seconds(end) + ": there is nothing to run");
  if (!options.resume && scene.simulation.start == StartKind::Result)
    return bad_input("the scene starts from a result, whose state was not given");

  Engine engine(scene, std::move(formulation));
  if (options.resume) {
    if (Status restored = engine.restore(*options.resume); !restored) return restored.error();
    engine.catch_up(scene);
  } else {
    engine.begin(options.progress);
  }

  Outcome outcome;
  if (options.resume && options.earlier) {
    outcome = *options.earlier;
    engine.count_on(*outcome.run);
  } else {
    outcome.solve = engine.solve();
    outcome.run.emplace();
    outcome.run->start = engine.time();
  }
  Recorder recorder(engine, options, end, outcome);
  std::string why;
  if (engine.solve().converged) {
    why = go(engine, recorder, end, options, outcome);
  } else {
    recorder.first();
    why = "the equilibrium to start from was not found: " + engine.solve().why;
  }

  put_report(engine, outcome);
  outcome.run->completed = why.empty();
  outcome.run->why = why;
  if (!outcome.run->completed && why != kStopped) {
    Event& event = outcome.events.emplace_back();
    event.t = outcome.run->end;
    event.kind = EventKind::RunStopped;
    event.why = why;
  }
  if (options.save) *options.save = engine.save();
  return outcome;
}

}  // namespace sim

Result<Outcome> run(const Scene& scene, const RunOptions& options) {
  if (auto refused = sim::why_not_moving(scene)) return *refused;
  return sim::run_with(sim::make_formulation(scene.simulation.formulation), scene, options);
}

}  // namespace filum
