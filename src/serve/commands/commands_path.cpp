// Commands: the drivers' movement from equilibrium to equilibrium, its states as frames, and what cables lack on the way.
#include "serve/commands/base64.hpp"
#include "serve/commands/workbench.hpp"
#include "serve/editor/page_frame.hpp"

#include <filum/words.hpp>

#include <algorithm>

namespace filum::serve {

namespace {

// Of frames in one reply, so that a page that reads slowly keeps its connection.
constexpr std::size_t kMostBytes = std::size_t{2} << 20U;

// Every state as the frame that would show it, or every second, third, … and the last where they are too many.
Json frames_of(const Editor& editor, const Outcome& outcome) {
  FrameMaker maker;
  const auto bytes_of = [&](const Snapshot& state, FrameMemory& memory) {
    FrameFacts facts;
    facts.revision = editor.revision();
    facts.laid = true;
    facts.time = state.t;
    return assemble(*maker.make(facts, &editor.scene(), state.pose, {}), memory);
  };
  FrameMemory whole;
  const std::size_t bytes = bytes_of(outcome.states.front(), whole).size() * outcome.states.size();
  const std::size_t stride = 1 + bytes / kMostBytes;
  Json frames = Json::array();
  FrameMemory memory;
  for (std::size_t k = 0; k < outcome.states.size(); ++k)
    if (k % stride == 0 || k + 1 == outcome.states.size())
      frames.push_back(base64(bytes_of(outcome.states[k], memory)));
  return frames;
}

// The limits at their worst, each with the time of it.
Json checks_of(const Editor& editor, const Outcome& outcome) {
  Json checks = Json::array();
  for (const Check& check : outcome.checks) {
    const auto then = std::find_if(outcome.states.begin(), outcome.states.end(),
                                   [&](const Snapshot& state) { return state.t >= check.t; });
    const Snapshot& state = then == outcome.states.end() ? outcome.states.back() : *then;
    Json told = check_json(editor.scene(), state.pose, check);
    told["t"] = check.t;
    checks.push_back(std::move(told));
  }
  return checks;
}

Json shortages_of(const Outcome& outcome) {
  Json shortages = Json::array();
  for (const Shortage& shortage : outcome.shortages)
    shortages.push_back({{"rod", shortage.rod},
                         {"from", words(shortage.from)},
                         {"to", words(shortage.to)},
                         {"missing", shortage.missing},
                         {"tension", json_of(shortage.tension)},
                         {"t", shortage.t},
                         {"stopped", shortage.stopped}});
  return shortages;
}

void path(Workbench& bench, const Request& request, Json& reply) {
  const Outcome outcome =
      must(bench.editor().follow_path(request.integer_or("states", 31, 2, 1000), request.flag_or("nudge", false)));
  reply["converged"] = outcome.solve.converged;
  reply["stable"] = outcome.solve.stable ? Json(*outcome.solve.stable) : Json(nullptr);
  reply["why"] = outcome.solve.why;
  reply["frames"] = frames_of(bench.editor(), outcome);
  reply["checks"] = checks_of(bench.editor(), outcome);
  reply["shortages"] = shortages_of(outcome);
  reply["lengths"] = Json::array();
  for (const FoundLength& found : outcome.lengths) reply["lengths"].push_back(length_json(found));
}

}  // namespace

const std::vector<Command>& path_commands() {
  static const std::vector<Command> commands = {{"path", "states nudge", path}};
  return commands;
}

}  // namespace filum::serve
