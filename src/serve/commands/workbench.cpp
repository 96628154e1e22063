#include "serve/commands/workbench.hpp"

#include "base/index.hpp"
#include "exchange/harness/harness_scene.hpp"
#include "io/channel/channel_files.hpp"
#include "io/json_text.hpp"
#include "io/outside_path.hpp"
#include "rod/pose_at.hpp"
#include "serve/commands/scene_json.hpp"
#include "serve/editor/stopped.hpp"
#include "sim/formulations.hpp"
#include "sim/refusal.hpp"

#include <filum/scene_file.hpp>
#include <filum/section.hpp>
#include <filum/words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <utility>

namespace filum::serve {

namespace {

constexpr int kProtocol = 1;
constexpr std::size_t kMostWatched = std::size_t{64} << 20U;  // bytes of files of meshes

const Command* find_command(const std::string& name) {
  for (const auto* list : {&play_commands(), &edit_commands(), &cable_commands(), &file_commands(), &scenery_commands(),
                           &mesh_commands(), &path_commands(), &channel_commands()})
    for (const Command& command : *list)
      if (name == command.name) return &command;
  return nullptr;
}

void put_error(Json& reply, const Refusal& refusal) {
  reply["ok"] = false;
  reply["error"] = refusal.error.message;
  if (!refusal.error.file.empty()) reply["file"] = refusal.error.file;
  if (!refusal.path.empty()) reply["path"] = refusal.path;
  if (refusal.error.line > 0) {
    reply["line"] = refusal.error.line;
    reply["column"] = refusal.error.column;
  }
}

const char* word_for(Level level) {
  return level == Level::Info ? "info" : level == Level::Warning ? "warning" : "error";
}

}  // namespace

Workbench::Workbench(std::vector<Example> examples, std::string version)
    : examples_(std::move(examples)), version_(std::move(version)), start_(std::random_device()()) {
  // what comes with the program may be files of other kinds too
  for (const Example& example : examples_) {
    const auto file = io::parse_channel(example.text, example.name);
    if (file) channels_.push_back(example);
  }
  std::erase_if(examples_, [](const Example& example) { return !parse_scene(example.text, example.name).ok(); });
  editor_.find_solids([this](const Scenery& item) {
    MeshStore::Surface surface = meshes_.surface(item.mesh, editor_.document().path(), item.scale);
    if (surface)
      unread_.erase(item.mesh);
    else if (unread_.insert(item.mesh).second)
      editor_.note(Level::Warning, "scenery " + scene::quoted(item.name) + " is solid, but the mesh " +
                                       scene::quoted(item.mesh) + " cannot be read: it holds nothing off");
    return surface;
  });
}

Result<Document> Workbench::example(const std::string& name) const {
  for (const Example& example : examples_)
    if (example.name == name) return Document::from_text(example.text, name, folders_);
  return Error{ErrorCode::BadInput, "there is no example '" + name + "'", {}, 0, 0};
}

namespace {

// The reply to a message: whatever is refused or breaks is told in it.
template <class Work>
Json reply_to(const Request& request, const Work& work) {
  Json reply = {{"type", "reply"}, {"id", request.id()}, {"cmd", nullptr}, {"ok", true}};
  try {
    request.check();
    work(reply);
  } catch (const Refusal& refusal) {
    put_error(reply, refusal);
  } catch (const Json::exception& error) {
    put_error(reply,
              {{ErrorCode::BadInput, std::string("this message cannot be read: ") + error.what(), {}, 0, 0}, {}});
  } catch (const Stopped& stopped) {
    put_error(reply, {{ErrorCode::NoSolution, "not done: " + stopped.why, {}, 0, 0}, {}});
    reply["stopped"] = true;
  } catch (...) {
    put_error(reply, {{ErrorCode::NoSolution, words_of_exception(), {}, 0, 0}, {}});
  }
  return reply;
}

const ReadingCommand* find_reading(const std::string& name) {
  for (const ReadingCommand& command : reading_commands())
    if (name == command.name) return &command;
  return nullptr;
}

}  // namespace

bool is_reading(const Request& request) {
  return find_reading(request.command()) != nullptr;
}

Json answer_reading(const Request& request, const Present& published) {
  return reply_to(request, [&](Json& reply) {
    const ReadingCommand& command = *find_reading(request.command());
    reply["cmd"] = command.name;
    request.check_fields(command.fields);
    command.run(published, request, reply);
    reply["frame"] = published.frame;
  });
}

Json Workbench::answer(const Request& request) {
  if (is_reading(request)) return answer_reading(request, *editor_.present());
  Json reply = ledger_.once(request.caller(), [&] { return carry_out(request); });
  reply["id"] = request.id();
  return reply;
}

Json Workbench::carry_out(const Request& request) {
  Json reply = reply_to(request, [&](Json& filled) {
    const Command* command = find_command(request.command());
    if (command == nullptr) refuse("there is no command '" + request.command().substr(0, 40) + "'");
    filled["cmd"] = command->name;
    request.check_fields(command->fields);
    run(*command, request, filled);
  });
  ++changes_;
  if (reply["ok"] == true) reply["frame"] = editor_.changed() ? editor_.next_frame() : editor_.next_frame() - 1;
  return reply;
}

void Workbench::all_or_nothing(const std::function<void()>& work) {
  const Editor::Point before = editor_.point();
  editor_.forget_stop();
  try {
    work();
  } catch (const Refusal&) {
    // said by who looked before changing anything, unless it was stopped on the way
    if (editor_.stopped().empty()) throw;
  } catch (...) {
    editor_.go_back(before);
    throw;
  }
  if (editor_.stopped().empty()) return see_scenery();
  const Stopped stopped{editor_.stopped()};
  editor_.forget_stop();
  editor_.go_back(before);
  throw stopped;
}

void Workbench::allow(std::vector<std::filesystem::path> folders) {
  meshes_.allow(folders);
  folders_ = std::move(folders);
}

Result<std::string> Workbench::scene_path(const std::string& given) const {
  const auto path = io::checked_path(given, {{".yaml", ".yml"}, folders_, {}});
  if (!path) return path.error();
  return path->string();
}

Status Workbench::restore() {
  if (!left_behind_) return bad_input("there is nothing to restore");
  Result<Document> document = Document::restored(left_behind_->path, left_behind_->name, left_behind_->text, folders_);
  if (!document) return document.error();
  for (const std::string& mesh : left_behind_->meshes) {
    Result<std::string> bytes = read_journal_mesh(left_behind_->file, mesh);
    if (!bytes) return bytes.error();
    if (auto kept = meshes_.keep(mesh, std::move(*bytes)); !kept) return kept;
  }
  if (auto opened = editor_.open(std::move(*document), "restore unsaved changes"); !opened) return opened;
  return discard();
}

Status Workbench::discard() {
  if (!left_behind_) return bad_input("there is nothing to discard");
  if (auto removed = remove_journal(left_behind_->file); !removed) return removed;
  left_behind_.reset();
  return Done{};
}

// Commands of one gesture, one after the other, are one thing to undo.
void Workbench::run(const Command& command, const Request& request, Json& reply) {
  const std::string gesture =
      request.has("gesture") ? std::to_string(request.client()) + " " + request.text("gesture") : std::string();
  const std::size_t depth = editor_.undo_stack().depth();
  all_or_nothing([&] { command.run(*this, request, reply); });
  if (editor_.undo_stack().depth() <= depth) return;
  if (!gesture.empty() && gesture == gesture_) editor_.merge_undo();
  gesture_ = gesture;
}

Result<Workbench::AddedMesh> Workbench::add_mesh(const std::string& file, std::string bytes) {
  // without folders: it will lie beside the scene
  const auto name = io::checked_name(std::filesystem::path(file).filename().string());
  if (!name) return name.error();
  Result<AddedMesh> added = bad_input("");
  all_or_nothing([&] { added = put_mesh(*name, std::move(bytes)); });
  return added;
}

Status Workbench::keep_mesh(const std::string& file, std::string bytes) {
  if (auto kept = meshes_.keep(file, std::move(bytes)); !kept) return kept;
  if (auto applied = editor_.apply_again(); !applied) return applied;
  editor_.tell_scene_again();
  ++changes_;
  return Done{};
}

Result<Workbench::AddedMesh> Workbench::put_mesh(const std::string& file, std::string bytes) {
  std::string name = file;
  // what the scene asks for and lacks is not new scenery
  for (const Scenery& item : editor_.scene().scenery)
    if (item.mesh == name && meshes_.find(name, editor_.document().path()).id == 0) {
      if (auto kept = keep_mesh(name, std::move(bytes)); !kept) return kept.error();
      return AddedMesh{item.name, name};
    }
  name = meshes_.free_name(name, bytes);
  if (auto kept = meshes_.keep(name, std::move(bytes)); !kept) return kept.error();
  Scenery item;
  item.mesh = name;
  item.name = std::filesystem::path(name).stem().string();
  for (int n = 2; index_of(editor_.scene().scenery, item.name) >= 0; ++n)
    item.name = std::filesystem::path(name).stem().string() + " " + std::to_string(n);
  auto added = editor_.change("add scenery " + scene::quoted(item.name), [&](Scene& scene) -> Status {
    scene.scenery.push_back(item);
    return Done{};
  });
  if (!added) return added.error();
  gesture_.clear();
  ++changes_;
  return AddedMesh{item.name, name};
}

Result<std::vector<std::string>> Workbench::open_harness(const std::string& file, const std::string& bytes) {
  const auto name = io::checked_name(std::filesystem::path(file).filename().string());
  if (!name) return name.error();
  const Result<exchange::Harness> harness = exchange::parse_harness(bytes, *name);
  if (!harness) return harness.error();
  const std::string stem = std::filesystem::path(*name).stem().string();
  exchange::Import made = exchange::import_harness(*harness, {}, stem);
  Result<Document> document = Document::from_text(std::move(made.text), stem, folders_);
  if (!document) return document.error();
  Status opened = Done{};
  all_or_nothing([&] { opened = editor_.open(std::move(*document), "open '" + *name + "'"); });
  if (!opened) return opened.error();
  for (const std::string& note : made.notes) editor_.note(Level::Warning, note);
  gesture_.clear();
  ++changes_;
  return std::move(made.notes);
}

std::string Workbench::hello(int client) const {
  Json message = {{"type", "hello"}, {"protocol", kProtocol}, {"version", version_}, {"client", client}};
  // a page that was here before knows by it whether the server is the same
  message["process"] = start_;
  std::error_code code;
  message["file_folder"] = std::filesystem::current_path(code).string();
  message["channels"] = kChannels;
  message["formulations"] = Json::array();
  for (const std::string_view name : sim::formulation_names())
    message["formulations"].push_back(
        {{"name", name}, {"motion", sim::make_formulation(name)->supports(Feature::Motion)}});
  message["materials"] = Json::array();
  for (const NamedMaterial& named : common_materials())
    message["materials"].push_back({{"name", named.name},
                                    {"young", named.material.young},
                                    {"poisson", named.material.poisson},
                                    {"density", named.material.density},
                                    {"note", named.note}});
  return io::json_text(message);
}

// Where the bytes are of the meshes that are drawn.
template <class Things>
void Workbench::put_meshes(Json& told, const Things& things) {
  for (std::size_t i = 0; i < told.size(); ++i) {
    const std::string& mesh = things[i].mesh;
    const MeshStore::Found found = mesh.empty() ? MeshStore::Found{} : meshes_.find(mesh, editor_.document().path());
    told[i]["bytes"] = found.bytes;
    // the same number is another mesh on another server
    told[i]["address"] = found.id > 0 ? fmt::format("/api/meshes/{}?start={}", found.id, start_) : std::string();
  }
}

// Meshes of a scene that is another than before, as many as there is room for: as surfaces they take some seven times
// the bytes of their files.
void Workbench::see_scenery() {
  if (std::exchange(seen_, editor_.revision()) == editor_.revision()) return;
  const std::string& path = editor_.document().path();
  std::set<std::pair<std::string, double>> counted;
  std::size_t bytes = 0;
  editor_.see_scenery([&](const Scenery& item) -> MeshStore::Surface {
    if (counted.emplace(item.mesh, item.scale).second) bytes += meshes_.find(item.mesh, path).bytes;
    if (bytes <= kMostWatched) return meshes_.surface(item.mesh, path, item.scale);
    if (unwatched_.insert(item.mesh).second)
      editor_.note(Level::Warning, "scenery " + scene::quoted(item.name) +
                                       ": there is too much of it to watch what passes through this mesh");
    return nullptr;
  });
}

std::string Workbench::scene_message() {
  see_scenery();
  Json message = scene_json(editor_.scene());
  put_meshes(message["scenery"], editor_.scene().scenery);
  put_meshes(message["obstacles"], editor_.scene().obstacles);
  message["type"] = "scene";
  message["revision"] = editor_.revision();
  message["document"] = editor_.document().number();
  // what of this scene another formulation would refuse
  message["refusals"] = Json::object();
  for (const std::string_view name : sim::formulation_names()) {
    const Scene other = in_formulation(editor_.scene(), name);
    if (const auto why = other.rods.empty() && other.ropes.empty() ? std::nullopt : sim::refusal(other))
      message["refusals"][std::string(name)] = why->message;
  }
  message["hands"] = Json::array();
  for (const Hand& hand : editor_.hands())
    if (hand.kind == HandKind::Point && hand.moved)
      message["hands"].push_back(
          {{"name", hand.name}, {"rod", hand.rod}, {"s", hand.s}, {"pose", hand.pose}, {"client", hand.client}});
  return io::json_text(message);
}

Json check_json(const Scene& scene, const Pose& pose, const Check& check) {
  // a hold's place is along its rod
  std::string rod = check.object.name;
  if (check.object.kind == ObjectKind::Hold)
    if (const int hold = index_of(scene.holds, check.object.name); hold >= 0) rod = scene.holds[at(hold)].rod;
  const int index = check.object.kind == ObjectKind::Rope ? -1 : index_of(scene.rods, rod);
  return {{"name", words(check.kind)},
          {"object", subject(check)},
          {"kind", key_of(check.object.kind)},
          {"target", check.object.name},
          {"value", json_of(check.value)},
          {"limit", check.limit},
          {"bound", is_least(check.kind) ? "least" : "most"},
          {"unit", unit_of(check.kind)},
          {"s", check.s},
          {"position", index >= 0 ? json_of(rod::position_at(pose.rods[at(index)], check.s)) : Json(nullptr)},
          {"violated", check.violated}};
}

Json length_json(const FoundLength& found) {
  return {{"rod", found.rod},
          {"from", words(found.from)},
          {"to", words(found.to)},
          {"length", found.length},
          {"added", found.added},
          {"force", json_of(found.force)},
          {"pull", json_of(found.pull)},
          {"verdict", words(found.verdict)}};
}

Json Workbench::alarms() const {
  Json list = Json::array();
  for (const Check& check : editor_.checks()) list.push_back(check_json(editor_.scene(), editor_.pose(), check));
  return list;
}

namespace {

// Turns of the ends, and where they went.
void put_turns(Json& message, const Editor& editor) {
  message["turns"] = Json::array();
  const std::vector<TurnBalance> turns = editor.turn_balances();
  for (std::size_t r = 0; r < turns.size(); ++r)
    message["turns"].push_back({{"rod", editor.scene().rods[r].name},
                                {"turns", turns[r].turns},
                                {"twist", turns[r].twist},
                                {"writhe", turns[r].writhe},
                                {"crossings", turns[r].crossings},
                                {"remainder", turns[r].remainder}});
}

// What is paid out and hauled in, and what winches and ropes bear.
void put_drives(Json& message, const Editor& editor) {
  for (const char* list : {"reels", "winches", "ropes"}) message[list] = Json::array();
  for (const Reel& reel : editor.reels())
    message["reels"].push_back({{reel.rope ? "rope" : "rod", reel.name}, {"speed", reel.pace.pace()}});
  for (std::size_t w = 0; w < editor.pose().winches.size(); ++w) {
    const WinchPose& winch = editor.pose().winches[w];
    message["winches"].push_back({{"name", editor.scene().winches[w].name},
                                  {"force", json_of(winch.force)},
                                  {"torque", json_of(winch.torque)},
                                  {"paid_out", winch.paid_out},
                                  {"speed", winch.speed}});
  }
  for (std::size_t r = 0; r < editor.pose().ropes.size(); ++r) {
    const RopePose& rope = editor.pose().ropes[r];
    const auto tension = std::max_element(rope.tension.begin(), rope.tension.end());
    message["ropes"].push_back({{"name", editor.scene().ropes[r].name},
                                {"length", rope.length},
                                {"tension", tension == rope.tension.end() ? Json(nullptr) : json_of(*tension)},
                                {"broken", rope.broken}});
  }
}

}  // namespace

std::string Workbench::state_message(const LoopFacts& loop) const {
  const SolveNews& solve = editor_.solve();
  const UndoStack& history = editor_.undo_stack();
  Json message = {{"type", "state"},
                  {"revision", editor_.revision()},
                  {"frame", editor_.next_frame() - 1},
                  {"time", editor_.time()},
                  {"playing", editor_.playing()},
                  {"speed", editor_.speed()},
                  {"real_time", loop.real_time},
                  {"clients", loop.clients}};
  message["document"] = {
      {"name", editor_.document().name()}, {"path", editor_.document().path()}, {"dirty", editor_.document().dirty()}};
  message["left_behind"] = nullptr;
  if (left_behind_) message["left_behind"] = {{"name", left_behind_->name}, {"when", left_behind_->when}};
  message["undo"] = {{"depth", history.depth()}, {"label", history.label()}};
  message["redo"] = {{"depth", history.redo_depth()}, {"label", history.redo_label()}};
  message["solve"] = {{"kind", solve.kind},
                      {"converged", solve.converged},
                      {"stable", solve.stable ? Json(*solve.stable) : Json(nullptr)},
                      {"why", solve.why},
                      {"iterations", solve.iterations},
                      {"residual", json_of(solve.residual)},
                      {"ms", solve.ms}};
  message["loop"] = {
      {"rate", loop.rate},
      {"jitter_ms", {{"median", loop.jitter_median}, {"p99", loop.jitter_p99}, {"max", loop.jitter_max}}},
      {"late", loop.late}};
  message["alarms"] = alarms();
  put_turns(message, editor_);
  put_drives(message, editor_);
  message["lengths"] = Json::array();
  for (const FoundLength& found : editor_.lengths()) message["lengths"].push_back(length_json(found));
  message["grabbed"] = Json::array();
  for (const Hand& hand : editor_.hands())
    message["grabbed"].push_back(
        {{"client", hand.client}, {"hand", hand.id}, {"kind", word_for(hand.kind)}, {"name", hand.name}});
  return io::json_text(message);
}

std::string Workbench::events_message(long after) const {
  const std::vector<Notice> news = editor_.notices().since(after);
  if (news.empty()) return {};
  Json message = {{"type", "events"}, {"events", Json::array()}};
  for (const Notice& notice : news)
    message["events"].push_back({{"n", notice.number},
                                 {"t", notice.event.t},
                                 {"level", word_for(notice.level)},
                                 {"what", words(notice.event)},
                                 {"event", key_of(notice.event.kind)},
                                 {"kind", key_of(notice.event.object.kind)},
                                 {"target", notice.event.object.name}});
  return io::json_text(message);
}

}  // namespace filum::serve
