// filum modes: natural frequencies and shapes about the equilibrium of a scene.
#include "command.hpp"
#include "progress.hpp"
#include "scene_arguments.hpp"
#include "table.hpp"
#include "terminal.hpp"

#include <filum/modes.hpp>
#include <filum/report.hpp>
#include <filum/result_file.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace filum::app {
namespace {

constexpr int kMostModes = 200;

struct ModesArguments {
  std::string scene;
  Overrides overrides;
  std::string folder;
  std::optional<double> at;
  int count = 10;
  bool json = false;
  bool dry_run = false;
};

Result<ModesOutcome> modes_with_progress(const Scene& scene, ModesOptions options, bool dry_run) {
  Progress progress("modes");
  options.progress = [&](double share, const char* word) { return progress.update(share, word), !dry_run; };
  // the library has no clock: the time is taken here
  const auto start = std::chrono::steady_clock::now();
  auto outcome = modes(scene, options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (outcome) outcome->solve.seconds = elapsed.count();
  return outcome;
}

std::string modes_table(const std::vector<NaturalMode>& modes) {
  Table table({"mode", "frequency Hz", "period s", "ω² 1/s²", ""},
              {Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const NaturalMode& mode = modes[k];
    const bool swings = mode.frequency > 0;
    table.add({std::to_string(k + 1), swings ? fmt::format("{:.6g}", mode.frequency) : "–",
               swings ? fmt::format("{:.6g}", 1 / mode.frequency) : "–", fmt::format("{:.6g}", mode.eigenvalue),
               mode.eigenvalue < 0 ? bad(mode.remark()) : mode.remark()});
  }
  return table.text("  ");
}

std::string words(const Scene& scene, const ModesOutcome& outcome, const std::string& folder) {
  std::string out = bold(scene.title.empty() ? "Untitled scene" : scene.title) + "\n";
  if (!outcome.solve.converged) {
    out += bad("no equilibrium") + ": " + shown(outcome.solve.why) + "\n";
  } else if (outcome.modes.empty()) {
    out += "no modes: nothing that has a mass can move\n";
  } else {
    out += "natural modes about the equilibrium, damping left out\n\n" + modes_table(outcome.modes);
  }
  if (!folder.empty()) out += "\n" + (std::filesystem::path(folder) / "modes.html").string() + "\n";
  return out;
}

int run_modes(const ModesArguments& arguments) {
  ModesOptions options;
  options.count = arguments.count;
  options.at = arguments.at.value_or(0);
  if (!std::isfinite(options.at)) return fail("--at: expected a time in seconds");
  const auto scene = load_scene(arguments.scene, arguments.overrides, Purpose::Modes);
  if (!scene) return fail(scene.error());
  const auto outcome = modes_with_progress(*scene, options, arguments.dry_run);
  if (!outcome) return fail(outcome.error());
  if (arguments.dry_run) return dry_run_done(arguments.scene);

  // files: always, unless the result goes to stdout and nobody named a folder
  std::string folder = arguments.folder;
  if (folder.empty() && !arguments.json) folder = std::filesystem::path(arguments.scene).stem().string() + ".modes";
  if (!folder.empty()) {
    const auto written = write_modes(*scene, arguments.scene, *outcome, folder);
    if (!written) return fail(written.error());
  }
  const int code = outcome->solve.converged ? kDone : kNotConverged;
  if (code == kNotConverged && arguments.json) warn("no equilibrium: " + outcome->solve.why);
  return emit(arguments.json ? modes_json(*scene, arguments.scene, *outcome) : words(*scene, *outcome, folder), code);
}

}  // namespace

void add_modes(CommandLine& line) {
  const auto arguments = std::make_shared<ModesArguments>();
  Command command = line.add("modes", "Find the natural frequencies and shapes of a scene");
  command.positional("SCENE", arguments->scene, "The scene file");
  command.option("-n,--count", arguments->count, 1, kMostModes, "N", "So many modes (default: 10)");
  command.option("-o,--output", arguments->folder, "DIR", "Folder for the result (default: <scene>.modes)");
  command.option("--at", arguments->at, "T", "Time at which the drivers are read, s (default: 0)");
  command.flag("--json", arguments->json, "Print modes.json on stdout; write no files unless -o is given");
  add_overrides(command, arguments->overrides);
  add_dry_run(command, arguments->dry_run);
  command.action([arguments] { return run_modes(*arguments); });
}

}  // namespace filum::app
