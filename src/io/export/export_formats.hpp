// One function per exchange format: a stored result in, the files' names and bytes out. Writing them is common to all.
#pragma once

#include "io/export/line_names.hpp"
#include "io/file_write.hpp"
#include "io/number_text.hpp"

#include <filum/result_file.hpp>

#include <optional>
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
std::string stl_bytes(const StoredResult& result);
// Centre lines of the last state for CAD.
// Within a tolerance, m; default 0.01 mm.
std::string step_text(const StoredResult& result, std::optional<double> tolerance = {});
std::string vdafs_text(const StoredResult& result, std::optional<double> tolerance = {});
// Straight pieces and arcs: bends.csv and bends.step.
std::vector<FileText> bend_files(const StoredResult& result, double tolerance);
std::string dxf_text(const StoredResult& result);
// All recorded instants: skins that move, centre lines that do.
Result<std::string> animation_bytes(const StoredResult& result);
Result<std::string> usd_text(const StoredResult& result);

}  // namespace filum::io
