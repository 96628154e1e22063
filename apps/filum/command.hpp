// The sub-commands of `filum`: each lives in its own file and enters itself into the command line by one function.
//
// A command names its arguments and the variables they go to, and the action to run if it is the chosen one. Commands
// hold no physics: they call the library and print. The parser behind this header (CLI11) is seen by command_line.cpp
// alone: it takes longer to compile than all commands together.
#pragma once

#include "exit_code.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace filum::app {

// One sub-command while it is described. The variables must live until the action has run.
class Command {
 public:
  explicit Command(CLI::App& parser, std::function<int()>& chosen) : parser_(parser), chosen_(chosen) {}

  // Arguments without a dash: one that must be given, or any number.
  void positional(const char* name, std::string& target, const char* help);
  void positional(const char* name, std::vector<std::string>& target, const char* help);

  // «-o,--output DIR»: `value` is what the help calls the value. A text may not be empty.
  void option(const char* flags, std::string& target, const char* value, const char* help);
  void option(const char* flags, std::optional<double>& target, const char* value, const char* help);
  void option(const char* flags, int& target, int least, int most, const char* value, const char* help);
  void required_option(const char* flags, std::string& target, const char* value, const char* help);
  // As often as wanted, one value each time.
  void repeated_option(const char* flags, std::vector<std::string>& target, const char* value, const char* help);
  void flag(const char* flags, bool& target, const char* help);

  void action(std::function<int()> run);

 private:
  CLI::App& parser_;
  std::function<int()>& chosen_;
};

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();

  Command add(const char* name, const char* summary);

  // Parses, runs the chosen command and returns its exit code.
  int run(int argc, char** argv);

 private:
  int refuse(const char* why, int argc, char** argv) const;

  std::unique_ptr<CLI::App> parser_;
  std::function<int()> chosen_;
};

void add_solve(CommandLine& line);
void add_run(CommandLine& line);
void add_modes(CommandLine& line);
void add_check(CommandLine& line);
void add_thread(CommandLine& line);
void add_route(CommandLine& line);
void add_report(CommandLine& line);
void add_channel(CommandLine& line);
void add_import(CommandLine& line);
void add_flexibilise(CommandLine& line);
void add_export(CommandLine& line);
void add_examples(CommandLine& line);
void add_new(CommandLine& line);
void add_validate(CommandLine& line);
void add_bench(CommandLine& line);
void add_serve(CommandLine& line);

}  // namespace filum::app
