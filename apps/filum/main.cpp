// filum: the command line. Sub-commands are in files of their own; this one parses, runs the chosen one and turns
// whatever happens into an exit code and at most one message.
#include "command.hpp"
#include "terminal.hpp"

#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <sstream>

namespace filum::app {
namespace {

// A closed stdin, stdout or stderr would give its number to the next file we open, and prints would land in it.
void occupy_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) std::abort();
}

void add_commands(CLI::App& app, Action& chosen) {
  add_solve(app, chosen);
  add_check(app, chosen);
  add_export(app, chosen);
  add_examples(app, chosen);
  add_new(app, chosen);
  add_validate(app, chosen);
  add_bench(app, chosen);
  add_later(app, chosen);
}

// What to say about arguments that do not parse.
int refuse(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::string command;
  if (argc > 1 && argv[1][0] != '-') {
    command = argv[1];
    const auto known = app.get_subcommands([&](const CLI::App* each) { return each->get_name() == command; });
    if (known.empty()) return fail("unknown command '" + command + "'; `filum --help` lists them");
  }
  const std::string help = command.empty() ? "filum --help" : "filum " + command + " --help";
  return fail(std::string(error.what()) + " (see `" + help + "`)");
}

int run(int argc, char** argv) {
  CLI::App app("Filum simulates slender flexible parts: cables, hoses, harnesses, ropes.", "filum");
  app.set_version_flag("--version", "filum " FILUM_VERSION, "Print the version");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(0, 1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 bad input, 3 did not converge.\n"
      "Start with:  filum new brake-hose && filum solve brake-hose.yaml");
  Action chosen;
  add_commands(app, chosen);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return refuse(app, error, argc, argv);
    // --help and --version come as exceptions too
    std::ostringstream out;
    app.exit(error, out, out);
    return emit(out.str(), kDone);
  }
  if (!chosen) return fail("a command is needed; `filum --help` lists them");
  return chosen();
}

}  // namespace
}  // namespace filum::app

int main(int argc, char** argv) {
  // a reader that went away shows as a failed write, not as a signal
  std::signal(SIGPIPE, SIG_IGN);
  filum::app::occupy_standard_streams();
  try {
    return filum::app::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return filum::app::fail("out of memory");
  } catch (const std::exception& error) {
    return filum::app::fail(std::string("internal error: ") + error.what());
  }
}
