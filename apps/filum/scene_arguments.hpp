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

// --dry-run: everything that could be refused is looked at, and nothing is computed.
void add_dry_run(Command& command, bool& dry_run);
int dry_run_done(const std::string& scene);

// What a scene is read for: what a command cannot do with it is told with its line, like any other fault.
enum class Purpose { Solve, Path, Run, Modes };

// Reads the scene file, with the overrides patched into its text, and prints its warnings.
Result<Scene> load_scene(const std::string& path, const Overrides& overrides, Purpose purpose = Purpose::Solve);

// A fault that the whole of something has shown, told at the line of the scene that it is about: «simulation.end».
Error at_line(const std::string& scene, const Overrides& overrides, const std::string& where, const Error& error);

// «scenes/brake-hose.yaml» → «brake-hose.result», where the user stands.
std::string result_folder(const std::string& scene);

// `dry_run`: it stops where it would begin to compute.
Result<Outcome> solve_with_progress(const Scene& scene, SolveOptions options, bool dry_run = false);

}  // namespace filum::app
