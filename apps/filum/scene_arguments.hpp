// What the commands that take a scene share: its arguments, reading it, solving it under a progress bar.
#pragma once

#include "command.hpp"

#include <filum/outcome.hpp>
#include <filum/result.hpp>
#include <filum/scene.hpp>
#include <filum/solve.hpp>

#include <string>
#include <vector>

namespace filum::app {

// --set rods.hose.length=0.45, as often as needed.
struct Overrides {
  std::vector<std::string> settings;
};
void add_overrides(Command& command, Overrides& overrides);

// What a scene is read for: what a command cannot do with it is told with its line, like any other fault.
enum class Purpose { Solve, Path, Run, Modes };

// Reads the scene file, with the overrides patched into its text, and prints its warnings.
Result<Scene> load_scene(const std::string& path, const Overrides& overrides, Purpose purpose = Purpose::Solve);

// «scenes/brake-hose.yaml» → «brake-hose.result», where the user stands.
std::string result_folder(const std::string& scene);

Result<Outcome> solve_with_progress(const Scene& scene, SolveOptions options);

}  // namespace filum::app
