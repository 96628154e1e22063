#include "scene_arguments.hpp"

#include "io/file_read.hpp"
#include "io/scene/scene_locate.hpp"
#include "io/scene/scene_read.hpp"
#include "progress.hpp"
#include "sim/refusal.hpp"
#include "terminal.hpp"

#include <filum/scene_file.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <sstream>

namespace filum::app {
namespace {

// The scene's text with every «path=value» patched in.
Result<std::string> patched_text(const std::string& path, const Overrides& overrides) {
  const auto text = io::read_text_file(path);
  if (!text || overrides.settings.empty()) return text;
  std::vector<Patch> patches;
  for (const std::string& setting : overrides.settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{ErrorCode::BadInput,
                   "--set: expected PATH=VALUE such as rods.hose.length=0.45, found '" + setting + "'", ""};
    patches.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return patch_scene(*text, path, patches);
}

// Why a scene that can be solved does not serve the purpose, or nothing.
std::optional<scene::Problem> unfit(const Scene& scene, Purpose purpose) {
  if (purpose == Purpose::Path && scene.drivers.empty())
    return scene::Problem{{"drivers"}, "nothing in this scene changes with time: --path needs a driver"};
  if (purpose == Purpose::Run && !(scene.simulation.end > 0))
    return scene::Problem{{"simulation", "end"},
                          "simulation.end is missing or zero: it says how long to run, in seconds"};
  if (purpose == Purpose::Run) return sim::motion_refusal(scene);
  if (purpose == Purpose::Modes) return sim::modes_refusal(scene);
  return std::nullopt;
}

}  // namespace

void add_overrides(Command& command, Overrides& overrides) {
  command.repeated_option("--set", overrides.settings, "PATH=VALUE",
                          "Override a value of the scene: rods.hose.length=0.45");
}

Result<Scene> load_scene(const std::string& path, const Overrides& overrides, Purpose purpose) {
  const auto text = patched_text(path, overrides);
  if (!text) return text.error();
  auto scene = parse_scene(*text, path);
  if (!scene) return scene;
  // a fine start for an editor, but nothing to solve
  if (scene->rods.empty() && scene->ropes.empty())
    return Error{ErrorCode::BadInput, "the scene has no rod: there is nothing to solve", path, 1, 1};
  // only now the lines are wanted
  if (const auto problem = unfit(*scene, purpose)) {
    const auto read = io::read_valid_scene(*text, path);
    return read ? io::located(ErrorCode::NotSupported, *problem, read->root, path) : read.error();
  }
  const std::vector<Error> unread = read_scenery(*scene, path);
  if (auto solid = io::check_solid_scenery(*scene, *text, path); !solid) return solid.error();
  for (const std::string& warning : warnings(*scene)) warn(warning);
  for (const Error& each : unread) warn(each.text() + "; nobody watches what comes near it");
  return scene;
}

void add_dry_run(Command& command, bool& dry_run) {
  command.flag("--dry-run", dry_run, "Say what would be refused, if anything; compute and write nothing");
}

int dry_run_done(const std::string& scene) {
  return emit(scene + ": nothing is refused\n", kDone);
}

Error at_line(const std::string& scene, const Overrides& overrides, const std::string& where, const Error& error) {
  Error told{error.code, error.text(), scene};
  const auto text = patched_text(scene, overrides);
  const auto root = text ? io::parse_yaml(*text) : Result<io::Node>(text.error());
  if (!root) return told;
  std::vector<std::string> path;
  std::istringstream parts(where);
  for (std::string part; std::getline(parts, part, '.');) path.push_back(part);
  const io::Mark mark = io::locate(*root, path);
  told.line = mark.line;
  told.column = mark.column;
  return told;
}

std::string result_folder(const std::string& scene) {
  return std::filesystem::path(scene).stem().string() + ".result";
}

Result<Outcome> solve_with_progress(const Scene& scene, SolveOptions options, bool dry_run) {
  Progress progress("solving");
  options.progress = [&](double share, const char* word) { return progress.update(share, word), !dry_run; };

  // the library has no clock: the time is taken here
  const auto start = std::chrono::steady_clock::now();
  auto outcome = solve(scene, options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (outcome) outcome->solve.seconds = elapsed.count();
  return outcome;
}

}  // namespace filum::app
