// The commands that are planned and not there yet: known by name, refused in words.
#include "command.hpp"
#include "terminal.hpp"

namespace filum::app {

void add_later(CLI::App& app, Action& chosen) {
  for (const char* name : {"run", "modes", "channel", "flexibilise", "serve"}) {
    CLI::App* command = app.add_subcommand(name, "Not yet supported");
    command->allow_extras();
    command->group("Planned");
    command->callback([name, &chosen] { chosen = [name] { return fail(std::string("not yet supported: ") + name); }; });
  }
}

}  // namespace filum::app
