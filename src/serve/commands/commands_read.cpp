// Commands that read what was published last: whoever asks does not wait for the simulation, and changes nothing.
#include "serve/commands/workbench.hpp"

#include "sim/limits.hpp"

namespace filum::serve {

namespace {

void text(const Present& present, const Request&, Json& reply) {
  reply["text"] = present.document->text();
}

void check(const Present& present, const Request&, Json& reply) {
  reply["checks"] = Json::array();
  if (!present.simulated) return;
  const Scene& scene = present.document->scene();
  for (const Check& found : sim::check_limits(scene, *present.pose, present.time))
    reply["checks"].push_back(check_json(scene, *present.pose, found));
}

void history(const Present& present, const Request& request, Json& reply) {
  const double since = request.number_or("since", 0);
  reply["columns"] = present.history.columns();
  reply["rows"] = Json::array();
  for (const HistoryBuffer::Row& row : present.history.rows()) {
    if (row->front() <= since) continue;
    Json numbers = Json::array();
    for (const double value : *row) numbers.push_back(json_of(value));
    reply["rows"].push_back(std::move(numbers));
  }
}

}  // namespace

const std::vector<ReadingCommand>& reading_commands() {
  static const std::vector<ReadingCommand> commands = {
      {"text", "", text}, {"check", "", check}, {"history", "since", history}};
  return commands;
}

}  // namespace filum::serve
