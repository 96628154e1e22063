// Paths and names that come from outside: a page, a mesh that is posted, a scene file. One place that judges them all.
//
// Nothing here trusts the text: a NUL would end the name for the system but not for a check of its ending; «..» and
// links lead elsewhere. What is accepted is absolute and normalised, so that who compares two paths compares two places.
#pragma once

#include <filum/result.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

struct PathRules {
  std::vector<std::string> endings;            // «.yaml»; empty: any
  std::vector<std::filesystem::path> folders;  // it must lie below one of these, links resolved; empty: anywhere
  std::filesystem::path base;                  // what a relative path is relative to; empty: where the program stands
};

// The path, absolute and normalised. Refused: an empty one, NUL, other endings, what lies outside the folders, and a
// last step that is a link (links on the way are followed, and count as where they lead).
Result<std::filesystem::path> checked_path(std::string_view given, const PathRules& rules = {});

// The name of one file, to be put into a folder of the program's choice. Refused: an empty or overlong one, «.», «..»,
// a leading dot, slashes of either kind, control characters, other endings.
Result<std::string> checked_name(std::string_view given, const std::vector<std::string>& endings = {});

}  // namespace filum::io
