// Commands: files.
#include "serve/commands/workbench.hpp"

#include "io/file_read.hpp"
#include "io/outside_path.hpp"
#include "io/scene/scene_files.hpp"

#include <algorithm>
#include <filesystem>

namespace filum::serve {

namespace {

// Whether a text has a channel or a tube among its first keys: a scene has neither.
bool is_channel(const std::string& text) {
  for (const char* key : {"channel:", "tube:"})
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1))
      if (at == 0 || text[at - 1] == '\n') return true;
  return false;
}

// A channel file is not the scene: its text is replied, for who solves it.
bool hand_over_channel(const std::string& path, Json& reply) {
  const Result<std::string> text = io::read_text_file(path);
  if (!text || !is_channel(*text)) return false;
  reply["channel"] = {{"name", std::filesystem::path(path).stem().string()}, {"path", path}, {"text", *text}};
  return true;
}

void open(Workbench& bench, const Request& request, Json& reply) {
  const bool text = request.has("text");
  if (int(request.has("example")) + int(request.has("path") && !text) + int(text) != 1)
    refuse("expected one of 'example', 'path', 'text'");
  // what a page gives back must not replace what another has given
  if (const UndoStack& done = bench.editor().undo_stack();
      request.flag_or("untouched", false) && done.depth() + done.redo_depth() > 0) {
    reply["touched"] = true;
    refuse("something was done since the server started");
  }
  if (text && (request.has("path") || request.flag_or("unsaved", false))) {
    // unsaved changes of that file, or of none, which a page has kept
    const std::string path = request.has("path") ? must(bench.scene_path(request.text("path"))) : std::string();
    const std::string usual = path.empty() ? "untitled" : std::filesystem::path(path).stem().string();
    const std::string name = must(io::checked_name(request.text_or("name", usual)));
    must(bench.editor().open(must(Document::restored(path, name, request.text("text"), bench.folders())),
                             "open changes of " + (path.empty() ? name : path)));
  } else if (request.has("example")) {
    const std::string name = request.text("example");
    must(bench.editor().open(must(bench.example(name)), "open example '" + name + "'"));
  } else if (request.has("path")) {
    const std::string path = must(bench.scene_path(request.text("path")));
    if (hand_over_channel(path, reply)) return;
    // the page may ask whether to leave them
    if (request.flag_or("if_saved", false) && bench.editor().document().dirty()) {
      reply["dirty"] = true;
      refuse("there are unsaved changes");
    }
    must(bench.editor().open(must(Document::from_file(path, bench.folders())), "open " + path));
  } else {
    const std::string name = must(io::checked_name(request.text_or("name", "untitled")));
    must(bench.editor().open(must(Document::from_text(request.text("text"), name, bench.folders())),
                             "open '" + name + "'"));
  }
}

// The folders and scenes of a folder where scenes may be opened and saved.
void list(Workbench& bench, const Request& request, Json& reply) {
  namespace fs = std::filesystem;
  std::error_code code;
  const std::string here = bench.editor().document().path();
  const fs::path wanted = request.has("folder") ? fs::path(request.text("folder"))
                          : here.empty()        ? fs::current_path(code)
                                                : fs::path(here).parent_path();
  const auto allowed = [&](const fs::path& folder) { return bench.scene_path((folder / "scene.yaml").string()); };
  const fs::path folder = fs::path(must(allowed(wanted))).parent_path();
  reply["folder"] = folder.string();
  reply["parent"] = nullptr;
  if (folder != folder.root_path() && allowed(folder.parent_path())) reply["parent"] = folder.parent_path().string();
  reply["folders"] = reply["files"] = Json::array();
  for (fs::directory_iterator each(folder, code), end; !code && each != end; each.increment(code)) {
    const std::string name = each->path().filename().string();
    const std::string ending = each->path().extension().string();
    std::error_code gone;
    if (name.front() == '.') continue;
    if (each->is_directory(gone))
      reply["folders"].push_back(name);
    else if (ending == ".yaml" || ending == ".yml")
      reply["files"].push_back(name);
  }
  if (code) throw Refusal{file_error(folder.string(), code.message()), {}};
  for (const char* key : {"folders", "files"}) std::sort(reply[key].begin(), reply[key].end());
}

// Looks at everything first: what is refused has written nothing.
void save(Workbench& bench, const Request& request, Json& reply) {
  const Document& document = bench.editor().document();
  const bool overwrite = request.flag_or("overwrite", false);
  const std::string given = request.text_or("path", document.path());
  if (given.empty()) refuse("the scene has no file yet: say where to save it");
  const std::string path = must(bench.scene_path(given));
  // the page may ask whether to replace it
  const auto stop_at = [&](bool stands_in_the_way, const char* field, const char* why) {
    if (overwrite || !stands_in_the_way) return;
    reply[field] = true;
    throw Refusal{file_error(path, why), {}};
  };
  stop_at(document.would_replace(path), "exists", "there is such a file already");
  stop_at(document.changed_outside(path), "changed", "was changed outside since it was opened or saved");
  // what it names lies beside it from then on
  must(io::check_named_files(document.text(), path, bench.folders()));
  const std::vector<io::FileText> meshes = must(bench.meshes().files_beside(bench.editor().scene(), path, overwrite));
  must(bench.editor().save(path, meshes));
  reply["path"] = path;
}

}  // namespace

const std::vector<Command>& file_commands() {
  static const std::vector<Command> commands = {
      {"open", "example path text name unsaved untouched if_saved", open},
      {"new", "", [](Workbench& bench, const Request&, Json&) { must(bench.editor().open(Document(), "new")); }},
      {"list", "folder", list},
      {"save", "path overwrite", save},
      {"restore", "", [](Workbench& bench, const Request&, Json&) { must(bench.restore()); }},
      {"discard", "", [](Workbench& bench, const Request&, Json&) { must(bench.discard()); }},
      {"stop", "", [](Workbench& bench, const Request&, Json&) { bench.stop(); }},
  };
  return commands;
}

}  // namespace filum::serve
