// The sub-commands of `filum`: each lives in its own file and enters itself into the command line by one function.
//
// A command reads its arguments into variables that outlive the parse and, when it is the chosen one, leaves its action
// behind; main runs it and returns its exit code. Commands hold no physics: they call the library and print.
#pragma once

#include "exit_code.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <functional>

namespace filum::app {

using Action = std::function<int()>;

void add_solve(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_export(CLI::App& app, Action& chosen);
void add_examples(CLI::App& app, Action& chosen);
void add_new(CLI::App& app, Action& chosen);
void add_validate(CLI::App& app, Action& chosen);
void add_bench(CLI::App& app, Action& chosen);
void add_later(CLI::App& app, Action& chosen);

}  // namespace filum::app
