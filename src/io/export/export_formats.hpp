// One function per exchange format: a stored result in, the files' names and bytes out. Writing them is common to all.
#pragma once

#include "io/file_write.hpp"
#include "io/number_text.hpp"

#include <filum/result_file.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// Paths in the returned files are relative to the target folder.
std::vector<FileText> csv_files(const StoredResult& result);
std::vector<FileText> vtk_files(const StoredResult& result);

// All recorded frames of a run, frame by frame, straight into the folder; returns the paths written.
Result<std::vector<std::string>> csv_frames(const StoredResult& result, const std::string& folder);
Result<std::vector<std::string>> vtk_frames(const StoredResult& result, const std::string& folder);

// A single file each: the skin of every rod and of every massless rope in the last state.
std::string obj_text(const StoredResult& result);
std::string glb_bytes(const StoredResult& result);

// Of the rods of a result and, behind them, its ropes.
std::string line_name(const StoredResult& result, size_t rods, size_t index);

// A name that is safe as a file name everywhere and unlike the ones in `taken`, to which it is added.
std::string file_stem(std::string_view name, std::vector<std::string>& taken);

}  // namespace filum::io
