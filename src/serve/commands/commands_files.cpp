// Commands: files, checks, histories.
#include "serve/commands/workbench.hpp"

#include <filesystem>

namespace filum::serve {

namespace {

void open(Workbench& bench, const Request& request, Json&) {
  if (int(request.has("example")) + int(request.has("path")) + int(request.has("text")) != 1)
    refuse("expected one of 'example', 'path', 'text'");
  if (request.has("example")) {
    const std::string name = request.text("example");
    must(bench.editor().open(must(bench.example(name)), "open example '" + name + "'"));
  } else if (request.has("path")) {
    const std::string path = request.text("path");
    must(bench.editor().open(must(Document::from_file(path)), "open " + path));
  } else {
    const std::string name = request.text_or("name", "untitled").substr(0, 200);
    must(bench.editor().open(must(Document::from_text(request.text("text"), name)), "open '" + name + "'"));
  }
}

void save(Workbench& bench, const Request& request, Json& reply) {
  const std::string path = request.text_or("path", {});
  const bool overwrite = request.flag_or("overwrite", false);
  const std::string target = path.empty() ? bench.editor().document().path() : std::filesystem::absolute(path).string();
  // refused below, and the page may ask whether to replace it
  if (!overwrite && bench.editor().document().would_replace(path)) reply["exists"] = true;
  // first what the scene refers to
  if (!target.empty()) must(bench.meshes().save_beside(bench.editor().scene(), target, overwrite));
  must(bench.editor().save(path, overwrite));
  reply["path"] = bench.editor().document().path();
}

void check(Workbench& bench, const Request&, Json& reply) {
  reply["checks"] = Json::array();
  for (const Check& found : bench.editor().checks())
    reply["checks"].push_back(check_json(bench.editor().scene(), bench.editor().pose(), found));
}

void history(Workbench& bench, const Request& request, Json& reply) {
  const double since = request.number_or("since", 0);
  const HistoryBuffer& history = bench.editor().history();
  reply["columns"] = history.columns();
  reply["rows"] = Json::array();
  for (const std::vector<double>& row : history.rows()) {
    if (row.front() <= since) continue;
    Json numbers = Json::array();
    for (const double value : row) numbers.push_back(json_of(value));
    reply["rows"].push_back(std::move(numbers));
  }
}

}  // namespace

const std::vector<Command>& file_commands() {
  static const std::vector<Command> commands = {
      {"open", "example path text name", open},
      {"new", "", [](Workbench& bench, const Request&, Json&) { must(bench.editor().open(Document(), "new")); }},
      {"save", "path overwrite", save},
      {"text", "",
       [](Workbench& bench, const Request&, Json& reply) { reply["text"] = bench.editor().document().text(); }},
      {"check", "", check},
      {"history", "since", history},
      {"stop", "", [](Workbench& bench, const Request&, Json&) { bench.stop(); }},
  };
  return commands;
}

}  // namespace filum::serve
