// filum: runs the command line and turns whatever happens into an exit code and at most one message.
#include "command.hpp"
#include "terminal.hpp"

#include <fcntl.h>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>

namespace filum::app {
namespace {

// A closed stdin, stdout or stderr would give its number to the next file we open, and prints would land in it.
void occupy_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) std::abort();
}

int run(int argc, char** argv) {
  CommandLine line;
  add_solve(line);
  add_run(line);
  add_modes(line);
  add_check(line);
  add_thread(line);
  add_route(line);
  add_report(line);
  add_channel(line);
  add_import(line);
  add_flexibilise(line);
  add_export(line);
  add_examples(line);
  add_new(line);
  add_validate(line);
  add_bench(line);
  add_serve(line);
  return line.run(argc, argv);
}

}  // namespace
}  // namespace filum::app

int main(int argc, char** argv) {
  // a reader that went away and a file that grew too long show as failed writes, not as signals
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  filum::app::occupy_standard_streams();
  try {
    return filum::app::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return filum::app::fail("out of memory");
  } catch (const std::exception& error) {
    return filum::app::fail(std::string("internal error: ") + error.what());
  }
}
