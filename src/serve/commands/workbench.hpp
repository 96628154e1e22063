// The workbench as pages see it: commands in, replies and messages out. Still without network, threads or clocks.
#pragma once

#include "exchange/mesh/flexibilise.hpp"
#include "serve/commands/json.hpp"
#include "serve/commands/page_ledger.hpp"
#include "serve/commands/reading.hpp"
#include "serve/commands/request.hpp"
#include "serve/editor/editor.hpp"
#include "serve/editor/journal.hpp"
#include "serve/editor/mesh_store.hpp"

#include <filum/result.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace filum::serve {

struct Example {
  std::string name;
  std::string text;       // YAML
  std::string thumbnail;  // SVG, or empty
};

// How the loop that drives the simulation keeps time.
struct LoopFacts {
  double rate = 0;       // 1/s
  double real_time = 0;  // seconds of simulation per second
  double jitter_median = 0;
  double jitter_p99 = 0;
  double jitter_max = 0;  // ms
  long late = 0;          // ticks that began after the next was due
  int clients = 0;
};

struct Command;

class Workbench {
 public:
  // Of the examples those that are channel files are kept apart; what is neither that nor a scene is left out.
  Workbench(std::vector<Example> examples, std::string version);

  [[nodiscard]] Editor& editor() { return editor_; }
  [[nodiscard]] const Editor& editor() const { return editor_; }
  [[nodiscard]] const std::vector<Example>& examples() const { return examples_; }
  [[nodiscard]] const std::vector<Example>& channels() const { return channels_; }
  [[nodiscard]] MeshStore& meshes() { return meshes_; }
  // What a document of this name may be opened from.
  [[nodiscard]] Result<Document> example(const std::string& name) const;

  // Where pages may open and save files, and read meshes; none: anywhere.
  void allow(std::vector<std::filesystem::path> folders);
  [[nodiscard]] const std::vector<std::filesystem::path>& folders() const { return folders_; }
  // A path that a page has given for a scene's file.
  [[nodiscard]] Result<std::string> scene_path(const std::string& given) const;

  // The reply to one message of a page: always one, whatever the message. What the page says again is not done again.
  Json answer(const Request& request);
  [[nodiscard]] PageLedger& ledger() { return ledger_; }

  // A mesh that somebody dropped: new scenery, or the file that the scene's scenery lacked. The names of the scenery
  // and of the file as it is kept.
  struct AddedMesh {
    std::string scenery;
    std::string mesh;
  };
  Result<AddedMesh> add_mesh(const std::string& file, std::string bytes);
  // A file that a document will name or names already, and nothing else.
  Status keep_mesh(const std::string& file, std::string bytes);

  // The tubes in the mesh of a scenery, in the file's own coordinates. Those that were asked for last are remembered.
  // Throws a Refusal.
  const exchange::MeshTubes& tubes_of(const Scenery& item);

  // Harness data (KBL, VEC) that somebody dropped, opened as a scene; what there is to tell of it.
  Result<std::vector<std::string>> open_harness(const std::string& file, const std::string& bytes);

  // Unsaved work of a program that ended without saving it: pages are asked what is to become of it.
  void offer(LeftBehind left) { left_behind_ = std::move(left); }
  Status restore();
  Status discard();

  // Messages to pages.
  [[nodiscard]] std::string hello(int client) const;
  [[nodiscard]] std::string scene_message();
  [[nodiscard]] std::string state_message(const LoopFacts& loop) const;
  // Those after this number; empty if there are none.
  [[nodiscard]] std::string events_message(long after) const;

  // Counts up with every change that `scene` or `state` tell of.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] bool stopping() const { return stopping_; }
  void stop() { stopping_ = true; }

 private:
  [[nodiscard]] Json alarms() const;
  template <class Things>
  void put_meshes(Json& told, const Things& things);
  void see_scenery();
  void run(const Command& command, const Request& request, Json& reply);
  Json carry_out(const Request& request);
  Result<AddedMesh> put_mesh(const std::string& file, std::string bytes);
  // Does all of it or, if it is stopped or something breaks, nothing.
  void all_or_nothing(const std::function<void()>& work);

  Editor editor_;
  std::vector<Example> examples_;
  std::vector<Example> channels_;
  std::string version_;
  MeshStore meshes_;
  PageLedger ledger_;
  std::uint32_t start_;  // tells this start of the program from others
  struct KnownTubes {
    int mesh;  // its number in the store
    exchange::MeshTubes found;
  };
  std::optional<KnownTubes> tubes_;
  std::optional<LeftBehind> left_behind_;
  std::vector<std::filesystem::path> folders_;
  std::uint32_t seen_ = 0;           // revision whose scenery was seen
  std::set<std::string> unread_;     // meshes that are solid and were told to be missing or damaged
  std::set<std::string> unwatched_;  // meshes that were told to be too large for that
  std::string gesture_;              // whose was the last thing that can be undone
  std::uint64_t changes_ = 1;
  bool stopping_ = false;
};

// One command: its name, the fields it knows, what it does. `reply` is filled with what it has to tell.
struct Command {
  const char* name;
  const char* fields;  // separated by blanks
  void (*run)(Workbench& bench, const Request& request, Json& reply);
};
const std::vector<Command>& play_commands();
const std::vector<Command>& edit_commands();
const std::vector<Command>& cable_commands();
const std::vector<Command>& file_commands();
const std::vector<Command>& scenery_commands();
const std::vector<Command>& mesh_commands();
const std::vector<Command>& path_commands();
const std::vector<Command>& channel_commands();

Json check_json(const Scene& scene, const Pose& pose, const Check& check);
Json length_json(const FoundLength& found);

}  // namespace filum::serve
