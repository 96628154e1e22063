// filum solve: the equilibrium of a scene.
#include "command.hpp"
#include "scene_arguments.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <filum/report.hpp>
#include <filum/result_file.hpp>

#include <cmath>
#include <memory>
#include <optional>

namespace filum::app {
namespace {

constexpr int kMostStates = 1'000'000;  // of --path

struct SolveArguments {
  std::string scene;
  Overrides overrides;
  std::string folder;
  std::optional<double> at;
  SolveOptions options;
  bool json = false;
  bool dry_run = false;
};

int run_solve(const SolveArguments& arguments) {
  SolveOptions options = arguments.options;
  options.at = arguments.at.value_or(0);
  if (!std::isfinite(options.at)) return fail("--at: expected a time in seconds");
  if (arguments.at && options.path > 0) return fail("--at asks for one state, --path for many: give one of them");
  const auto scene =
      load_scene(arguments.scene, arguments.overrides, options.path > 0 ? Purpose::Path : Purpose::Solve);
  if (!scene) return fail(scene.error());
  const auto outcome = solve_with_progress(*scene, options, arguments.dry_run);
  if (!outcome) return fail(outcome.error());
  if (arguments.dry_run) return dry_run_done(arguments.scene);

  // files: always, unless the result goes to stdout and nobody named a folder
  std::string folder = arguments.folder;
  if (folder.empty() && !arguments.json) folder = result_folder(arguments.scene);
  if (!folder.empty()) {
    const auto written = write_result(*scene, arguments.scene, *outcome, folder);
    if (!written) return fail(written.error());
  }

  const int code = outcome->solve.converged ? kDone : kNotConverged;
  if (code == kNotConverged && arguments.json) warn("did not converge: " + outcome->solve.why);
  return emit(arguments.json ? result_json(*scene, arguments.scene, *outcome) : summary(*scene, *outcome, folder),
              code);
}

}  // namespace

void add_solve(CommandLine& line) {
  const auto arguments = std::make_shared<SolveArguments>();
  Command command = line.add("solve", "Find the equilibrium of a scene");
  command.positional("SCENE", arguments->scene, "The scene file");
  command.option("-o,--output", arguments->folder, "DIR", "Folder for the result (default: <scene>.result)");
  command.option("--at", arguments->at, "T", "Time at which the drivers are read, s (default: 0)");
  command.option("--path", arguments->options.path, 1, kMostStates, "N",
                 "So many states along the drivers, each from the one before");
  command.flag("--nudge", arguments->options.nudge, "Leave an unstable equilibrium for a stable one");
  command.flag("--json", arguments->json, "Print result.json on stdout; write no files unless -o is given");
  add_overrides(command, arguments->overrides);
  add_dry_run(command, arguments->dry_run);
  command.action([arguments] { return run_solve(*arguments); });
}

}  // namespace filum::app
