// Commands: files, checks, histories, meshes.
#include "serve/workbench.hpp"

#include "base/index.hpp"

#include <algorithm>

namespace filum::serve {

namespace {

void open(Workbench& bench, const Request& request, Json&) {
  if (int(request.has("example")) + int(request.has("path")) + int(request.has("text")) != 1)
    refuse("expected one of 'example', 'path', 'text'");
  if (request.has("example")) {
    const std::string name = request.text("example");
    must(bench.desk().open(must(bench.example(name)), "open example '" + name + "'"));
  } else if (request.has("path")) {
    const std::string path = request.text("path");
    must(bench.desk().open(must(Document::from_file(path)), "open " + path));
  } else {
    const std::string name = request.text_or("name", "untitled").substr(0, 200);
    must(bench.desk().open(must(Document::from_text(request.text("text"), name)), "open '" + name + "'"));
  }
}

void save(Workbench& bench, const Request& request, Json& reply) {
  must(bench.desk().save(request.text_or("path", {}), request.flag_or("overwrite", false)));
  reply["path"] = bench.desk().document().path();
}

void check(Workbench& bench, const Request&, Json& reply) {
  reply["checks"] = Json::array();
  for (const Check& found : bench.desk().checks())
    reply["checks"].push_back(check_json(bench.desk().scene(), bench.desk().pose(), found));
}

void history(Workbench& bench, const Request& request, Json& reply) {
  const double since = request.number_or("since", 0);
  const Chronicle& chronicle = bench.desk().chronicle();
  reply["columns"] = chronicle.columns();
  reply["rows"] = Json::array();
  for (const std::vector<double>& row : chronicle.rows()) {
    if (row.front() <= since) continue;
    Json numbers = Json::array();
    for (const double value : row) numbers.push_back(json_of(value));
    reply["rows"].push_back(std::move(numbers));
  }
}

Mesh& find_mesh(Workbench& bench, const Request& request) {
  const double id = request.number("mesh");
  for (Mesh& mesh : bench.meshes())
    if (mesh.id == id) return mesh;
  refuse("there is no such mesh");
}

void place_mesh(Workbench& bench, const Request& request, Json& reply) {
  Mesh& found = find_mesh(bench, request);
  Mesh mesh = found;
  mesh.position = request.vector("position").value_or(mesh.position);
  mesh.orientation = request.quaternion("orientation").value_or(mesh.orientation);
  mesh.scale = request.number_or("scale", mesh.scale);
  mesh.body = request.text_or("body", mesh.body);
  mesh.visible = request.flag_or("visible", mesh.visible);
  if (!(mesh.scale > 0)) refuse("'scale': expected a number above zero");
  if (!mesh.body.empty() && index_of(bench.desk().scene().bodies, mesh.body) < 0)
    refuse("there is no body '" + mesh.body + "'");
  found = mesh;
  reply["mesh"] = bench.mesh_json(found);
}

void remove_mesh(Workbench& bench, const Request& request, Json&) {
  const int id = find_mesh(bench, request).id;
  std::erase_if(bench.meshes(), [&](const Mesh& mesh) { return mesh.id == id; });
}

}  // namespace

const std::vector<Command>& file_commands() {
  static const std::vector<Command> commands = {
      {"open", "example path text name", open},
      {"new", "", [](Workbench& bench, const Request&, Json&) { must(bench.desk().open(Document(), "new")); }},
      {"save", "path overwrite", save},
      {"text", "",
       [](Workbench& bench, const Request&, Json& reply) { reply["text"] = bench.desk().document().text(); }},
      {"check", "", check},
      {"history", "since", history},
      {"mesh", "mesh position orientation scale body visible", place_mesh},
      {"remove_mesh", "mesh", remove_mesh},
      {"stop", "", [](Workbench& bench, const Request&, Json&) { bench.stop(); }},
  };
  return commands;
}

}  // namespace filum::serve
