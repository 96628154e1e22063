#include "serve/net/routes.hpp"

#include "io/json_text.hpp"
#include "io/outside_path.hpp"
#include "io/result/result_names.hpp"
#include "serve/commands/workbench.hpp"
#include "serve/editor/stopped.hpp"
#include "serve/net/hub.hpp"
#include "serve/net/zip.hpp"

#include <filum/export.hpp>
#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/scene_file.hpp>

#include <boost/asio/post.hpp>

#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace filum::serve {

namespace {

const char* type_of(std::string_view path) {
  static constexpr std::pair<std::string_view, const char*> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".json", "application/json"},
      {".yaml", "application/yaml"},
      {".csv", "text/csv; charset=utf-8"},
      {".obj", "model/obj"},
      {".gltf", "model/gltf+json"},
      {".glb", "model/gltf-binary"},
      {".stl", "model/stl"},
      {".woff2", "font/woff2"},
      {".wasm", "application/wasm"},
      {".zip", "application/zip"},
  };
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

HttpResponse answer(const char* type, std::string body) {
  return {HttpStatus::Ok, type, std::move(body), {}};
}

HttpResponse json_answer(const Json& json) {
  return answer("application/json", io::json_text(json));
}

// As a file to be kept. Names hold no quotes or line breaks.
HttpResponse download(const std::string& name, std::string body) {
  HttpResponse response = answer(type_of(name), std::move(body));
  std::string safe = name;
  std::erase_if(safe, [](unsigned char c) { return c < 32 || c >= 127 || c == '"' || c == '\\'; });
  response.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + safe + "\"");
  return response;
}

// The page itself, which may load nothing from elsewhere.
HttpResponse asset_answer(const Hub& hub, const HttpRequest& request, const Target& target) {
  const std::string path = target.path == "/" ? "/index.html" : target.path;
  const auto found = std::find_if(hub.options.assets.begin(), hub.options.assets.end(),
                                  [&](const Asset& asset) { return asset.path == path; });
  if (found == hub.options.assets.end()) return json_error(HttpStatus::NotFound, "there is no such file");
  HttpResponse response = answer(type_of(path), found->bytes);
  if (path == "/index.html")
    response.headers.emplace_back("Content-Security-Policy",
                                  "default-src 'self'; connect-src 'self' ws://" + request.host +
                                      " blob: data:; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
                                      "worker-src 'self' blob:; font-src 'self' data:; frame-ancestors 'none'");
  return response;
}

// The comment at the head of a scene, as one paragraph.
std::string head_comment(std::string_view text) {
  std::string about;
  while (text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(1, end - 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.starts_with("yaml-language-server")) about += (about.empty() ? "" : " ") + std::string(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return about;
}

Json examples_json(const std::vector<Example>& examples) {
  Json list = Json::array();
  for (const Example& example : examples) {
    const Result<Scene> scene = parse_scene(example.text, example.name);
    list.push_back({{"name", example.name},
                    {"title", scene && !scene->title.empty() ? scene->title : example.name},
                    {"about", head_comment(example.text)},
                    {"thumbnail", example.thumbnail.empty() ? "" : "/api/examples/" + example.name + ".svg"}});
  }
  return list;
}

HttpResponse example_answer(const std::vector<Example>& examples, const std::string& file) {
  for (const Example& example : examples) {
    if (file == example.name + ".yaml") return download(file, example.text);
    if (file == example.name + ".svg" && !example.thumbnail.empty()) return answer(type_of(file), example.thumbnail);
  }
  return json_error(HttpStatus::NotFound, "there is no such example");
}

// The present state, to be written elsewhere.
StoredResult stored(const Present& present) {
  StoredResult result;
  const Scene& scene = present.document->scene();
  result.title = scene.title;
  result.outcome = outcome_of(present);
  result.names = io::names_of(scene, result.outcome);
  result.scene = std::make_shared<const Scene>(scene);
  return result;
}

// A folder of our own that goes with us.
class Folder {
 public:
  Folder() {
    std::error_code code;
    std::string name = (std::filesystem::temp_directory_path(code) / "filum-export-XXXXXX").string();
    if (code) return;
    if (const char* made = mkdtemp(name.data())) path_ = made;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

HttpResponse export_answer(const Present& present, const std::string& format) {
  if (format != "csv" && format != "vtk" && format != "obj" && format != "gltf")
    return json_error(HttpStatus::BadRequest, "'format': expected csv, vtk, obj or gltf");
  const Folder folder;
  if (folder.path().empty()) return json_error(HttpStatus::InternalError, "there is no folder to export to");
  const bool single = format == "obj" || format == "gltf";
  const auto known = io::checked_name(present.document->name());
  const std::string name = known ? *known : "scene";
  const std::string ending = format == "gltf" ? ".glb" : "." + format;
  const std::string target = single ? folder.path() + "/" + name + ending : folder.path();
  const auto files = export_result(stored(present), format, target);
  if (!files) return json_error(HttpStatus::BadRequest, files.error().message);
  std::vector<ZipEntry> entries;
  for (const std::string& path : *files) {
    std::ifstream stream(path, std::ios::binary);
    entries.push_back(
        {std::filesystem::path(path).filename().string(), std::string(std::istreambuf_iterator<char>(stream), {})});
  }
  if (entries.size() == 1) return download(entries[0].name, std::move(entries[0].bytes));
  return download(name + "-" + format + ".zip", zip(entries));
}

// What `make` answers, whatever breaks in it.
template <class Make>
HttpResponse guarded(const Make& make) {
  try {
    return make();
  } catch (...) {
    return json_error(HttpStatus::InternalError, words_of_exception());
  }
}

// Runs on the loop; what it makes is sent from the network thread.
void on_bench(Hub& hub, Respond respond, std::function<HttpResponse(Workbench&)> make) {
  hub.loop->post([&hub, respond = std::move(respond), make = std::move(make)](Workbench& bench) mutable {
    HttpResponse response = guarded([&] { return make(bench); });
    hub.loop->publish();
    net::post(hub.context, [respond = std::move(respond), response = std::move(response)]() mutable {
      respond(std::move(response));
    });
  });
}

// Reads what was published last, on a thread that nobody waits for.
void on_worker(Hub& hub, Respond respond, std::function<HttpResponse()> make) {
  net::post(hub.workers, [&hub, respond = std::move(respond), make = std::move(make)]() mutable {
    net::post(hub.context,
              [respond = std::move(respond), response = guarded(make)]() mutable { respond(std::move(response)); });
  });
}

// Of the cable as it is, if there is one.
void with_present(Hub& hub, Respond respond, std::function<HttpResponse(const Present&)> make) {
  on_worker(hub, std::move(respond), [present = hub.loop->published().present, make = std::move(make)] {
    return present->simulated ? make(*present) : json_error(HttpStatus::BadRequest, "there is no cable yet");
  });
}

Json refusal_of(const std::string& why) {
  return {{"ok", false}, {"error", why}};
}

// As the command `open` would.
Json opened(Workbench& bench, const Target& target, std::string text) {
  const std::string name = target.value("name");
  Json command = {{"cmd", "open"}, {"text", std::move(text)}, {"name", name.empty() ? "untitled" : name}};
  if (const std::string path = target.value("path"); !path.empty()) command["path"] = path;
  for (const char* flag : {"unsaved", "untouched"})
    if (target.query.contains(flag)) command[flag] = true;
  constexpr int kNobody = -1;
  return bench.answer(Request(command, kNobody));
}

Json mesh_kept(Workbench& bench, const Target& target, std::string bytes) {
  if (target.query.contains("keep")) {
    const Status kept = bench.keep_mesh(target.value("name"), std::move(bytes));
    return kept ? Json{{"ok", true}} : refusal_of(kept.error().message);
  }
  const Result<Workbench::AddedMesh> added = bench.add_mesh(target.value("name"), std::move(bytes));
  if (!added) return refusal_of(added.error().message);
  return {{"ok", true}, {"scenery", added->scenery}, {"mesh", added->mesh}};
}

Json harness_opened(Workbench& bench, const Target& target, std::string bytes) {
  const std::string name = target.value("name");
  const Result<std::vector<std::string>> notes = bench.open_harness(name.empty() ? "harness" : name, bytes);
  if (!notes) return refusal_of(notes.error().text());
  return {{"ok", true}, {"notes", *notes}};
}

// Who brings something, with its number, as pages number their commands.
Caller caller_of(const Target& target) {
  Caller caller{target.value("page"), 0};
  const std::string number = target.value("number");
  std::from_chars(number.data(), number.data() + number.size(), caller.number);
  return caller;
}

// What was dropped, as it was dropped.
HttpResponse dropped_mesh(const MeshStore& meshes, const std::string& name) {
  const MeshStore::Bytes bytes = meshes.dropped(name);
  if (!bytes) return json_error(HttpStatus::NotFound, "no such mesh was dropped");
  return answer("application/octet-stream", *bytes);
}

HttpResponse mesh_answer(const MeshStore& meshes, const std::string& id) {
  int number = 0;
  std::from_chars(id.data(), id.data() + id.size(), number);
  const Result<MeshStore::File> mesh = meshes.drawn(number);
  if (!mesh) return json_error(HttpStatus::NotFound, mesh.error().message);
  return answer(type_of(mesh->name), std::string(*mesh->bytes));
}

// POST: things brought.
void handle_upload(Hub& hub, HttpRequest request, const Target& target, Respond respond) {
  using Take = Json (*)(Workbench&, const Target&, std::string);
  Take take = nullptr;
  if (target.path == "/api/scene") take = opened;
  if (target.path == "/api/meshes") take = mesh_kept;
  if (target.path == "/api/harness") take = harness_opened;
  if (take == nullptr) return respond(json_error(HttpStatus::NotFound, "nothing is taken here"));
  on_bench(hub, std::move(respond), [&hub, take, target, bytes = std::move(request.body)](Workbench& bench) mutable {
    const Json reply = bench.ledger().once(caller_of(target), [&] { return take(bench, target, std::move(bytes)); });
    hub.loop->tell_done();
    HttpResponse response = json_answer(reply);
    if (reply["ok"] != true) response.status = HttpStatus::BadRequest;
    return response;
  });
}

// GET below /api/.
void handle_api(Hub& hub, const Target& target, Respond respond) {
  const std::string& path = target.path;
  const auto below = [&](std::string_view folder) {
    return path.starts_with(folder) ? path.substr(folder.size()) : std::string();
  };
  if (path == "/api/examples")
    return on_worker(hub, std::move(respond), [&hub] { return json_answer(examples_json(hub.loop->examples())); });
  if (const std::string file = below("/api/examples/"); !file.empty())
    return on_worker(hub, std::move(respond), [&hub, file] { return example_answer(hub.loop->examples(), file); });
  if (path == "/api/meshes")
    return on_worker(hub, std::move(respond), [name = target.value("name"), meshes = hub.loop->published().meshes] {
      return dropped_mesh(*meshes, name);
    });
  if (const std::string id = below("/api/meshes/"); !id.empty())
    return on_worker(hub, std::move(respond),
                     [id, meshes = hub.loop->published().meshes] { return mesh_answer(*meshes, id); });
  if (path == "/api/licences") return respond(answer("text/plain; charset=utf-8", hub.options.notice));
  if (path == "/api/scene.yaml")
    return on_worker(hub, std::move(respond), [document = hub.loop->published().present->document] {
      return download(document->name() + ".yaml", document->text());
    });
  if (path == "/api/export")
    return with_present(hub, std::move(respond),
                        [format = target.value("format")](const Present& p) { return export_answer(p, format); });
  if (path == "/api/result.json")
    return with_present(hub, std::move(respond), [](const Present& p) {
      return download("result.json", result_json(p.document->scene(), p.document->name(), outcome_of(p)));
    });
  if (path == "/api/report.html")
    return with_present(hub, std::move(respond), [](const Present& p) {
      return answer(type_of(".html"), report_html(p.document->scene(), outcome_of(p)));
    });
  respond(json_error(HttpStatus::NotFound, "there is nothing here"));
}

}  // namespace

HttpResponse json_error(HttpStatus status, const std::string& why) {
  return {status, "application/json", io::json_text({{"ok", false}, {"error", why}}), {}};
}

std::optional<HttpResponse> turned_away(const Hub& hub, const HttpRequest& request, const Target& target) {
  if (!hub.access->host_allowed(request.host))
    return json_error(HttpStatus::Forbidden, "this server is not called by that name");
  if (!hub.access->origin_allowed(request.origin))
    return json_error(HttpStatus::Forbidden, "pages from elsewhere may not come in");
  const bool open = request.method == "GET" && target.path != "/" && target.path != "/index.html" &&
                    target.path != "/ws" && !target.path.starts_with("/api/");
  if (open || hub.access->knows(target, request.token)) return std::nullopt;
  return json_error(HttpStatus::Forbidden,
                    "the token is missing or wrong: open the address that `filum serve` printed");
}

void handle_request(Hub& hub, HttpRequest request, Respond respond) {
  const Target target = parse_target(request.target);
  if (request.method == "POST") return handle_upload(hub, std::move(request), target, std::move(respond));
  if (request.method != "GET") return respond(json_error(HttpStatus::MethodNotAllowed, "expected GET or POST"));
  if (target.path.starts_with("/api/")) return handle_api(hub, target, std::move(respond));
  respond(asset_answer(hub, request, target));
}

}  // namespace filum::serve
