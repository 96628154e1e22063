// Commands that read what was published last: whoever asks does not wait for the simulation, and changes nothing.
#include "serve/commands/workbench.hpp"

#include "report/harness/harness_report.hpp"
#include "sim/limits.hpp"

#include <filum/words.hpp>

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

// The tables of the harness report, of the present state.
void harness(const Present& present, const Request& request, Json& reply) {
  for (const char* list : {"segments", "clips", "wires", "gaps"}) reply[list] = Json::array();
  if (!present.simulated) return;
  const io::LengthRule rule{request.number_or("extra", 0), request.number_or("allowance", 0),
                            request.number_or("round", 0)};
  io::HarnessReporter reporter(present.document->scene(), rule);
  const Outcome outcome = outcome_of(present);
  reporter.add(outcome.states.back());
  const io::HarnessReport report = reporter.report();
  for (const io::SegmentRow& row : report.segments)
    reply["segments"].push_back({{"rod", row.rod},
                                 {"from", words(row.from)},
                                 {"to", words(row.to)},
                                 {"diameter", row.diameter},
                                 {"source", row.source},
                                 {"drawn", row.drawn},
                                 {"found", row.found},
                                 {"adapted", row.adapted},
                                 {"radius", json_of(row.radius)},
                                 {"s", row.radius_s},
                                 {"limit", json_of(row.limit)},
                                 {"use", row.use},
                                 {"tension", row.tension},
                                 {"turns", row.turns}});
  for (const io::ClipRow& row : report.clips)
    reply["clips"].push_back({{"hold", row.hold},
                              {"rod", row.rod},
                              {"s", row.s},
                              {"along", row.along},
                              {"across", row.across},
                              {"moment", row.moment},
                              {"use", row.use}});
  for (const io::WireRow& row : report.wires)
    reply["wires"].push_back({{"wire", row.wire}, {"along", row.along}, {"found", row.found}, {"cut", row.cut}});
  for (const io::GapRow& row : report.gaps)
    reply["gaps"].push_back({{"rod", row.rod},
                             {"s", row.s},
                             {"other", row.other},
                             {"otherS", row.other_s},
                             {"gap", row.gap},
                             {"limit", json_of(row.limit)},
                             {"use", json_of(row.use)}});
}

}  // namespace

const std::vector<ReadingCommand>& reading_commands() {
  static const std::vector<ReadingCommand> commands = {{"text", "", text},
                                                       {"check", "", check},
                                                       {"history", "since", history},
                                                       {"harness", "extra allowance round", harness}};
  return commands;
}

}  // namespace filum::serve
