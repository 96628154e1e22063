// The journal: a document with unsaved changes, kept on the disk so that the end of the program does not take it along.
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

namespace filum::serve {

// $XDG_STATE_HOME/filum, else ~/.local/state/filum; empty: there is no home.
std::filesystem::path usual_journal_folder();

// The file of this program for a scene at this path (empty: one without a file).
std::filesystem::path journal_file(const std::filesystem::path& folder, const std::string& scene_path);

// For the owner's eyes alone, whole or not at all. The folder is made if it is missing.
Status write_journal(const std::filesystem::path& file, const Document& document);

struct LeftBehind {
  std::filesystem::path file;
  std::string name;
  std::string path;
  std::string text;
  std::string when;  // «2026-11-17 03:58», local time
};
// The latest that a program which no longer runs has left of a scene at this path.
std::optional<LeftBehind> find_left_behind(const std::filesystem::path& folder, const std::string& scene_path);

}  // namespace filum::serve
