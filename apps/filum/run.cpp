// filum run: a scene in motion, its frames streamed into a result folder.
#include "command.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "scene_arguments.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/run.hpp>
#include <filum/scene_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace filum::app {
namespace {

struct RunArguments {
  std::string scene;
  Overrides overrides;
  std::string folder;
  std::string resume;
  std::optional<double> checkpoint;
  bool json = false;
};

constexpr double kCheckpointSeconds = 5;   // of wall time
constexpr double kCheckpointShare = 0.05;  // of the run that they may cost, if they are slow

// What a run writes as it goes: its frames, and every so often a checkpoint, all aside until it ends.
class RunFiles {
 public:
  RunFiles(const Scene& scene, std::string folder, double every)
      : scene_(scene), folder_(std::move(folder)), every_(every) {}

  // The folder is made with the first frame: a run that is refused leaves nothing behind.
  bool add(const Snapshot& snapshot) {
    if (folder_.empty()) return true;
    if (!frames_) status_ = open();
    if (status_) status_ = frames_->add(snapshot);
    return status_.ok();
  }

  // A checkpoint, if it is time for one; the frames before it are on disk first.
  bool keep(const std::function<SavedState()>& state) {
    if (folder_.empty() || Clock::now() < due_) return true;
    const auto began = Clock::now();
    status_ = frames_->sync();
    if (status_) status_ = write_checkpoint(scene_, state(), *target_);
    const auto ended = Clock::now();
    const std::chrono::duration<double> cost = ended - began;
    const double pause = std::max(every_, every_ > 0 ? cost.count() / kCheckpointShare : 0.0);
    due_ = ended + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
    return status_.ok();
  }

  // The result takes its place.
  Status finish(const SavedState& last, const std::string& scene_file, const Outcome& outcome) {
    if (!status_ || !frames_) return status_;
    if (Status closed = frames_->close(); !closed) return closed;
    if (Status saved = write_state(scene_, last, target_->aside()); !saved) return saved;
    return write_result(scene_, scene_file, outcome, *target_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  Status open() {
    auto target = ResultFolder::open(folder_);
    if (!target) return target.error();
    target_ = std::move(*target);
    auto frames = FrameWriter::open(scene_, target_->aside());
    if (!frames) return frames.error();
    frames_ = std::move(*frames);
    return Done{};
  }

  const Scene& scene_;
  std::string folder_;  // empty: nothing is written
  double every_;
  Status status_ = Done{};
  std::optional<ResultFolder> target_;
  std::optional<FrameWriter> frames_;
  Clock::time_point due_;
};

// The state to begin with: that of --continue, at its time, or that which the scene starts from, at t = 0.
Result<std::optional<SavedState>> first_state(const RunArguments& arguments, const Scene& scene) {
  std::optional<SavedState> first;
  if (!arguments.resume.empty()) {
    auto stored = read_checkpoint(arguments.resume);
    if (!stored) return stored.error();
    if (stored->checkpoint)
      warn("the run in '" + arguments.resume +
           "' did not finish: going on from its last checkpoint, t = " + quantity(stored->state.t, "s"));
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
    if (!progress.wants()) return true;
    const double passed = share * (scene.simulation.end - start);
    progress.update(share, fmt::format("t = {:.4g} s, {:.3g}× real time", start + passed, passed / elapsed()));
    return true;
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
  const double lacking = std::max(report.max_energy_error, outcome.states.back().pose.energy.drained);
  return lacking > kTrusted * report.energy_scale &&
         report.energy_scale > kAtRest * (first.elastic + std::abs(first.gravity));
}

int run_run(const RunArguments& arguments) {
  if (arguments.checkpoint && !(*arguments.checkpoint >= 0)) return fail("--checkpoint: expected a time in seconds");
  const auto scene = load_scene(arguments.scene, arguments.overrides, Purpose::Run);
  if (!scene) return fail(scene.error());
  const auto first = first_state(arguments, *scene);
  if (!first) return fail(first.error());

  const auto output = output_folder(arguments);
  if (!output) return fail(output.error());
  const std::string& folder = *output;
  RunFiles files(*scene, folder, arguments.checkpoint.value_or(kCheckpointSeconds));
  SavedState last;
  RunOptions options;
  options.resume = *first ? &**first : nullptr;
  options.save = &last;
  options.frame = [&](const Snapshot& snapshot) { return files.add(snapshot) && !InterruptGuard::interrupted(); };
  options.checkpoint = [&](const auto& state) { return files.keep(state); };
  const InterruptGuard guard;
  const auto outcome = run_with_progress(*scene, options);
  if (!outcome) {
    Error error = outcome.error();
    if (error.file.empty()) error.file = arguments.scene;
    return fail(error);
  }
  if (const auto written = files.finish(last, arguments.scene, *outcome); !written) return fail(written.error());
  const int code = outcome->run->completed ? kDone : kNotConverged;
  if (is_doubtful(*outcome))
    warn("the energy error, or what was drained, is of the size of the energy that moved: try a shorter step");
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
  command.option("--checkpoint", arguments->checkpoint, "T",
                 "Seconds between checkpoints, from which a run that is ended by force goes on (default: 5)");
  command.flag("--json", arguments->json, "Print result.json on stdout; write no files unless -o is given");
  add_overrides(command, arguments->overrides);
  command.action([arguments] { return run_run(*arguments); });
}

}  // namespace filum::app
