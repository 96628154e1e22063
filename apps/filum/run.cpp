// filum run: a scene in motion, its frames streamed into a result folder.
#include "command.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "scene_arguments.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/scene_file.hpp>
#include <filum/run.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace filum::app {
namespace {

struct RunArguments {
  std::string scene;
  Overrides overrides;
  std::string folder;
  std::string resume;
  bool json = false;
};

// The state to begin with: that of --continue, at its time, or that which the scene starts from, at t = 0.
Result<std::optional<SavedState>> first_state(const RunArguments& arguments, const Scene& scene) {
  std::optional<SavedState> first;
  if (!arguments.resume.empty()) {
    auto stored = read_state(arguments.resume);
    if (!stored) return stored.error();
    if (const auto changed = changed_since(stored->scene, scene))
      return Error{ErrorCode::BadInput,
                   "--continue: " + *changed +
                       " has changed since; only title, drivers, limits, record and, of simulation, step, tolerance, "
                       "iterations and end may (a start from the result takes any scene of the same structure)",
                   arguments.scene};
    first = std::move(stored->state);
  } else if (scene.simulation.start == StartKind::Result) {
    auto stored = read_state(start_folder(scene, arguments.scene));
    if (!stored) return stored.error();
    first = std::move(stored->state);
    first->t = 0;
  }
  return first;
}

// A run under a progress bar that tells how fast it is; `seconds` is set here, because the library has no clock.
Result<Outcome> run_with_progress(const Scene& scene, RunOptions options) {
  Progress progress("running");
  const double start = options.resume != nullptr ? options.resume->t : 0;
  const auto began = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  options.progress = [&](double share, const char*) {
    if (!progress.wants()) return;
    const double passed = share * (scene.simulation.end - start);
    progress.update(share, fmt::format("t = {:.4g} s, {:.3g}× real time", start + passed, passed / elapsed()));
  };
  auto outcome = run(scene, options);
  if (outcome && outcome->run) outcome->run->seconds = elapsed();
  return outcome;
}

// Where the result goes; empty: nowhere. A continued run has a folder of its own: the frames so far are not its to
// replace.
Result<std::string> output_folder(const RunArguments& arguments) {
  namespace fs = std::filesystem;
  if (arguments.folder.empty() && arguments.json) return std::string();
  if (arguments.resume.empty()) return arguments.folder.empty() ? result_folder(arguments.scene) : arguments.folder;
  fs::path from = fs::path(arguments.resume).lexically_normal();
  if (!from.has_filename()) from = from.parent_path();
  if (arguments.folder.empty()) return from.string() + ".continued";
  std::error_code code;
  if (fs::equivalent(from, arguments.folder, code))
    return Error{ErrorCode::BadInput, "--output: '" + arguments.folder + "' is what is continued; name another folder",
                 ""};
  return arguments.folder;
}

// Energy off by as much as moved, in a motion that is more than the round-off of a state at rest.
bool is_doubtful(const Outcome& outcome) {
  constexpr double kTrusted = 0.5;
  constexpr double kAtRest = 1e-6;
  const Energy& first = outcome.states.front().pose.energy;
  const RunReport& report = *outcome.run;
  return report.max_energy_error > kTrusted * report.energy_scale &&
         report.energy_scale > kAtRest * (first.elastic + std::abs(first.gravity));
}

int run_run(const RunArguments& arguments) {
  const auto scene = load_scene(arguments.scene, arguments.overrides);
  if (!scene) return fail(scene.error());
  const auto first = first_state(arguments, *scene);
  if (!first) return fail(first.error());

  const auto output = output_folder(arguments);
  if (!output) return fail(output.error());
  const std::string& folder = *output;
  std::optional<FrameWriter> writer;
  Status written = Done{};
  SavedState last;
  RunOptions options;
  options.resume = *first ? &**first : nullptr;
  options.save = &last;
  options.frame = [&](const Snapshot& snapshot) {
    // the folder is made with the first frame: a run that is refused leaves nothing behind
    if (!folder.empty() && !writer) {
      auto opened = FrameWriter::open(*scene, folder);
      if (!opened) {
        written = opened.error();
        return false;
      }
      writer = std::move(*opened);
    }
    if (writer) written = writer->add(snapshot);
    return written.ok() && !InterruptGuard::interrupted();
  };
  const InterruptGuard guard;
  const auto outcome = run_with_progress(*scene, options);
  if (!outcome) {
    Error error = outcome.error();
    if (error.file.empty()) error.file = arguments.scene;
    return fail(error);
  }
  if (!written) return fail(written.error());

  if (writer) {
    if (const auto closed = writer->close(); !closed) return fail(closed.error());
    if (const auto saved = write_state(*scene, last, folder); !saved) return fail(saved.error());
    const auto told = write_result(*scene, arguments.scene, *outcome, folder);
    if (!told) return fail(told.error());
  }
  const int code = outcome->run->completed ? kDone : kNotConverged;
  if (is_doubtful(*outcome)) warn("the energy error is of the size of the energy that moved: try a shorter step");
  if (code != kDone && arguments.json) warn("did not go to the end: " + outcome->run->why);
  return emit(arguments.json ? result_json(*scene, arguments.scene, *outcome) : summary(*scene, *outcome, folder),
              code);
}

}  // namespace

void add_run(CommandLine& line) {
  const auto arguments = std::make_shared<RunArguments>();
  Command command = line.add("run", "Set a scene in motion, from t = 0 to its end");
  command.positional("SCENE", arguments->scene, "The scene file");
  command.option("-o,--output", arguments->folder, "DIR",
                 "Folder for the result (default: <scene>.result, or <DIR>.continued)");
  command.option("--continue", arguments->resume, "DIR", "Go on from where the run in this result folder stopped");
  command.flag("--json", arguments->json, "Print result.json on stdout; write no files unless -o is given");
  add_overrides(command, arguments->overrides);
  command.action([arguments] { return run_run(*arguments); });
}

}  // namespace filum::app
