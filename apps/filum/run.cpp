// filum run: a scene in motion, its frames streamed into a result folder.
#include "command.hpp"
#include "interrupt.hpp"
#include "io/scene/scene_files.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "scene_arguments.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/run.hpp>
#include <filum/scene_file.hpp>
#include <filum/state_file.hpp>

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
  bool dry_run = false;
};

constexpr double kCheckpointSeconds = 5;   // of wall time
constexpr double kCheckpointShare = 0.05;  // of the run that they may cost, if they are slow

// What a run begins with: a state, and what was recorded before it.
struct Beginning {
  std::optional<SavedState> state;  // none: the scene's own start
  std::uint64_t origin = 0;
  std::optional<Recorded> recorded;
};

// What a run writes as it goes: its frames, and every so often a checkpoint, all aside until it ends.
class RunFiles {
 public:
  RunFiles(const Scene& scene, const Beginning& begun, std::string scene_file, std::string folder, double every)
      : scene_(scene),
        begun_(begun),
        id_(run_id(scene, begun.origin)),
        scene_file_(std::move(scene_file)),
        folder_(std::move(folder)),
        every_(every) {}

  // The folder is made with the first frame: a run that is refused leaves nothing behind.
  bool add(const Snapshot& snapshot) {
    if (folder_.empty()) return true;
    if (!frames_) status_ = open();
    if (status_) status_ = frames_->add(snapshot);
    return status_.ok();
  }

  // A checkpoint, if it is time for one; the frames before it are on disk first.
  bool keep(const RunOptions::SoFar& so_far) {
    if (folder_.empty() || Clock::now() < due_) return true;
    const auto began = Clock::now();
    if (!frames_) status_ = open();
    if (status_) status_ = frames_->sync();
    if (status_) status_ = write_checkpoint({scene_, so_far.state(), begun_.origin, json(so_far.outcome())}, *target_);
    const auto ended = Clock::now();
    const std::chrono::duration<double> cost = ended - began;
    const double pause = std::max(every_, every_ > 0 ? cost.count() / kCheckpointShare : 0.0);
    due_ = ended + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
    return status_.ok();
  }

  // result.json, as a file or as what goes to stdout.
  [[nodiscard]] std::string json(const Outcome& outcome) const {
    return result_json(scene_, scene_file_, outcome, id_);
  }

  // The result takes its place.
  Status finish(const SavedState& last, const Outcome& outcome) {
    if (!status_ || !frames_) return status_;
    if (Status closed = frames_->close(); !closed) return closed;
    if (Status saved = write_state(scene_, last, target_->aside(), begun_.origin); !saved) return saved;
    return write_result(scene_, scene_file_, outcome, *target_, id_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  Status open() {
    auto target = ResultFolder::open(folder_);
    if (!target) return target.error();
    target_ = std::move(*target);
    auto frames = FrameWriter::open(scene_, target_->aside(), id_);
    if (!frames) return frames.error();
    frames_ = std::move(*frames);
    return begun_.recorded ? copy_frames() : Status(Done{});
  }

  // Those of the run that is continued, until where it goes on.
  Status copy_frames() {
    auto reader = FrameReader::open(begun_.recorded->frames);
    if (!reader) return reader.error();
    const double until = begun_.recorded->outcome.history.back().t;
    for (Snapshot frame;;) {
      const auto got = reader->next(frame);
      if (!got) return got.error();
      if (!*got || frame.t > until) return Done{};
      if (Status added = frames_->add(frame); !added) return added;
    }
  }

  const Scene& scene_;
  const Beginning& begun_;
  std::string id_;
  std::string scene_file_;
  std::string folder_;  // empty: nothing is written
  double every_;
  Status status_ = Done{};
  std::optional<ResultFolder> target_;
  std::optional<FrameWriter> frames_;
  Clock::time_point due_;
};

// Whether what was recorded then means the same now: probes and limits are as they were.
bool records_alike(Scene then, const Scene& now) {
  then.title = now.title;
  then.simulation = now.simulation;
  then.drivers = now.drivers;
  then.record.every = now.record.every;
  return then == io::with_points_inside(now);
}

// The state to begin with: that of --continue, at its time, or that which the scene starts from, at t = 0.
Result<Beginning> beginning(const RunArguments& arguments, const Scene& scene) {
  Beginning begun;
  if (!arguments.resume.empty()) {
    auto stored = read_checkpoint(arguments.resume);
    if (!stored) return stored.error();
    if (stored->checkpoint)
      warn("the run in '" + arguments.resume +
           "' did not finish: going on from its last checkpoint, t = " + quantity(stored->state.t, "s"));
    if (const auto changed = changed_since(stored->scene, scene))
      return at_line(
          arguments.scene, arguments.overrides, changed->substr(0, changed->find(" (")),
          bad_input("--continue: " + *changed +
                    " has changed since; only title, drivers, limits, record and, of simulation, step, tolerance, "
                    "iterations and end may (a start from the result takes any scene of the same structure)"));
    auto recorded = read_recorded(*stored, arguments.resume);
    if (!recorded) return recorded.error();
    if (!*recorded || !records_alike(stored->scene, scene)) {
      recorded->reset();
      warn("what '" + arguments.resume +
           "' has recorded is not known, or of other probes or limits: the result begins at t = " +
           quantity(stored->state.t, "s"));
    }
    begun = {std::move(stored->state), stored->origin, std::move(*recorded)};
  } else if (scene.simulation.start == StartKind::Result) {
    auto stored = read_state(start_folder(scene, arguments.scene));
    if (!stored) return at_line(arguments.scene, arguments.overrides, "simulation.start.result", stored.error());
    stored->state.t = 0;
    begun.origin = origin_of(stored->state);
    begun.state = std::move(stored->state);
  }
  return begun;
}

// A run under a progress bar that tells how fast it is; `seconds` is set here, because the library has no clock.
Result<Outcome> run_with_progress(const Scene& scene, RunOptions options, bool dry_run) {
  Progress progress("running");
  const double start = options.resume != nullptr ? options.resume->t : 0;
  const auto began = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  options.progress = [&](double share, const char*) {
    if (dry_run || InterruptGuard::interrupted()) return false;
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
  const auto begun = beginning(arguments, *scene);
  if (!begun) return fail(begun.error());

  const auto output = output_folder(arguments);
  if (!output) return fail(output.error());
  const std::string folder = arguments.dry_run ? std::string() : *output;
  RunFiles files(*scene, *begun, arguments.scene, folder, arguments.checkpoint.value_or(kCheckpointSeconds));
  SavedState last;
  RunOptions options;
  options.resume = begun->state ? &*begun->state : nullptr;
  options.earlier = begun->recorded ? &begun->recorded->outcome : nullptr;
  options.save = &last;
  options.frame = [&](const Snapshot& snapshot) { return files.add(snapshot) && !InterruptGuard::interrupted(); };
  options.checkpoint = [&](const RunOptions::SoFar& so_far) { return files.keep(so_far); };
  const InterruptGuard guard;
  const auto outcome = run_with_progress(*scene, options, arguments.dry_run);
  // of a scene that can run, the state to begin with does not fit or is at its end already
  if (!outcome && outcome.error().file.empty())
    return fail(at_line(arguments.scene, arguments.overrides,
                        arguments.resume.empty() ? "simulation.start.result" : "simulation.end", outcome.error()));
  if (!outcome) return fail(outcome.error());
  if (arguments.dry_run) return dry_run_done(arguments.scene);
  if (const auto written = files.finish(last, *outcome); !written) return fail(written.error());
  const int code = outcome->run->completed ? kDone : kNotConverged;
  if (is_doubtful(*outcome))
    warn("the energy error, or what was drained, is of the size of the energy that moved: try a shorter step");
  if (code != kDone && arguments.json) warn("did not go to the end: " + outcome->run->why);
  return emit(arguments.json ? files.json(*outcome) : summary(*scene, *outcome, folder), code);
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
  add_dry_run(command, arguments->dry_run);
  command.action([arguments] { return run_run(*arguments); });
}

}  // namespace filum::app
