// Result folders that are whole: who reads one finds all files of one result, whenever its writer was ended.
//
// A writer holds a lock on the folder and writes into a hidden folder inside it. When all files are on disk there, it
// gives a list of them its name: from then on the new result counts, and what is left is to move the files, which
// anybody may finish. Rejected: to exchange the folder itself, which would take exports and files of others with it.
#pragma once

#include "io/file_write.hpp"

#include <filum/result_file.hpp>

#include <string>
#include <vector>

namespace filum::io {

inline constexpr const char* kResultFile = "result.json";
inline constexpr const char* kSceneFile = "result.scene.yaml";
inline constexpr const char* kFramesFile = "frames.bin";
inline constexpr const char* kStateFile = "state.bin";
inline constexpr const char* kCheckpointFile = "checkpoint.bin";  // only aside: it must outlive the last state

// Where `name` of the folder's result is: aside, if a writer was ended between the list and the last move.
std::string whole_path(const std::string& folder, const std::string& name);

// Where an unfinished result lies in the folder; empty: there is none.
std::string unfinished_in(const std::string& folder);

// Whether somebody holds the lock now.
bool is_being_written(const std::string& folder);

// Writes files, all or none, into a folder, which is made if needed; `obsolete` ones that are not among them go away.
Status write_whole(const std::string& folder, std::vector<FileText> files, const std::vector<std::string>& obsolete);

}  // namespace filum::io
