// Commands that only look at what there is: answered from what was published last, by any thread.
#pragma once

#include "serve/commands/json.hpp"
#include "serve/commands/request.hpp"

#include <vector>

namespace filum::serve {

struct Present;

// A command that only looks at what there is. `published`: whatever the simulation has shown last.
struct ReadingCommand {
  const char* name;
  const char* fields;
  void (*run)(const Present& published, const Request& request, Json& reply);
};
const std::vector<ReadingCommand>& reading_commands();
[[nodiscard]] bool is_reading(const Request& request);
Json answer_reading(const Request& request, const Present& published);

}  // namespace filum::serve
