// The journal: a document with unsaved changes and the meshes that were dropped on it, kept on the disk so that the end of
// the program does not take them along.
//
// Each program has one file for the document at hand, in a folder of the user's own; its name has a number made of the
// scene's path and the program's. What a program that no longer runs has left there is offered to the next one that
// opens the same scene.
#pragma once

#include "serve/editor/document.hpp"

#include <filum/result.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum::serve {

// $XDG_STATE_HOME/filum, else ~/.local/state/filum; empty: there is no home.
std::filesystem::path usual_journal_folder();

// The file of this program for a scene at this path (empty: one without a file).
std::filesystem::path journal_file(const std::filesystem::path& folder, const std::string& scene_path);

// For the owner's eyes alone, whole or not at all. The folder is made if it is missing. `meshes`: the names of those
// that belong to it.
Status write_journal(const std::filesystem::path& file, const Document& document,
                     const std::vector<std::string>& meshes = {});
// A mesh of the journal, beside it; before the journal names it.
Status write_journal_mesh(const std::filesystem::path& file, const std::string& name, std::string_view bytes);
Result<std::string> read_journal_mesh(const std::filesystem::path& file, const std::string& name);
// With its meshes.
Status remove_journal(const std::filesystem::path& file);

struct LeftBehind {
  std::filesystem::path file;
  std::string name;
  std::string path;
  std::string text;
  std::vector<std::string> meshes;  // by name
  std::string when;                 // «2026-11-17 03:58», local time
};
// The latest that a program which no longer runs has left of a scene at this path.
std::optional<LeftBehind> find_left_behind(const std::filesystem::path& folder, const std::string& scene_path);

}  // namespace filum::serve
