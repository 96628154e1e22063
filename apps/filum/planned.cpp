// The commands that are planned and not there yet: known by name, refused in words.
#include "command.hpp"
#include "terminal.hpp"

namespace filum::app {

void add_planned(CommandLine& line) {
  for (const char* name : {"flexibilise"}) {
    Command command = line.add(name, "Not yet supported");
    command.takes_anything();
    command.action([name] { return fail(std::string("not yet supported: ") + name); });
  }
}

}  // namespace filum::app
