// Exports a stored result: chooses the format, names the files, writes them.
#include "io/export/export_formats.hpp"
#include "io/result/result_names.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace filum {
namespace {

namespace fs = std::filesystem;

Error bad(const std::string& message) {
  return {ErrorCode::BadInput, message, "", 0, 0};
}

bool is_folder(const fs::path& path) {
  std::error_code code;
  return fs::is_directory(path, code);
}

// One entry per s everywhere; outlines may be missing.
bool complete(const RodPose& rod) {
  const size_t n = rod.s.size();
  return rod.position.size() == n && rod.frame.size() == n && rod.curvature.size() == n && rod.twist.size() == n &&
         rod.axial_force.size() == n && rod.moment.size() == n;
}

// Writes the files and returns their paths.
Result<std::vector<std::string>> write_all(std::vector<io::FileText> files, const std::string& folder) {
  const Status made = io::make_folder(folder.empty() ? "." : folder);
  if (!made) return made.error();
  std::vector<std::string> paths;
  for (io::FileText& file : files) {
    file.path = (fs::path(folder) / file.path).string();
    paths.push_back(file.path);
  }
  const Status written = io::write_files(files);
  if (!written) return written.error();
  return paths;
}

// The files of the states and, of a run, those of its frames.
Result<std::vector<std::string>> write_with_frames(const StoredResult& result, std::vector<io::FileText> files,
                                                   const std::string& target,
                                                   Result<std::vector<std::string>> (*frames)(const StoredResult&,
                                                                                              const std::string&)) {
  Result<std::vector<std::string>> paths = write_all(std::move(files), target);
  if (!paths || result.frames.empty()) return paths;
  const Result<std::vector<std::string>> more = frames(result, target.empty() ? "." : target);
  if (!more) return more.error();
  paths->insert(paths->end(), more->begin(), more->end());
  return paths;
}

constexpr std::string_view kSingleFiles = "obj, stl, gltf, animation, usd, step, vdafs or dxf";

// A single-file format: `target` is the file if it ends in `extension`, otherwise a folder.
Result<std::vector<std::string>> write_one(std::string bytes, const std::string& target, const char* extension,
                                           const char* stem = "result") {
  const fs::path path(target);
  if (path.extension() == extension && !is_folder(path)) {
    return write_all({{path.filename().string(), std::move(bytes)}}, path.parent_path().string());
  }
  return write_all({{std::string(stem) + extension, std::move(bytes)}}, target);
}

}  // namespace

Result<std::vector<std::string>> export_result(const StoredResult& result, std::string_view format,
                                               const std::string& target, std::optional<double> tolerance) {
  constexpr double kBendTolerance = 1e-3;
  if (tolerance && !(*tolerance > 0)) return bad("expected a tolerance above zero");
  if (tolerance && format != "step" && format != "vdafs" && format != "bends")
    return bad("a tolerance is for step, vdafs and bends; '" + std::string(format) + "' has none");
  if (result.outcome.states.empty()) return bad("the result has no state to export");
  for (const Snapshot& state : result.outcome.states) {
    if (!std::all_of(state.pose.rods.begin(), state.pose.rods.end(), complete)) {
      return bad("the result has a rod whose arrays are not as long as its 's'");
    }
  }
  if (format == "csv") return write_with_frames(result, io::csv_files(result), target, io::csv_frames);
  if (format == "vtk") return write_with_frames(result, io::vtk_files(result), target, io::vtk_frames);
  if (format == "obj") return write_one(io::obj_text(result), target, ".obj");
  // the text form of glTF would be two files; one binary file is written
  if (format == "gltf" && fs::path(target).extension() == ".gltf" && !is_folder(target))
    return bad("'" + target + "': use a name ending in .glb");
  if (format == "gltf") return write_one(io::glb_bytes(result), target, ".glb");
  if (format == "stl") return write_one(io::stl_bytes(result), target, ".stl");
  if (format == "step") return write_one(io::step_text(result, tolerance), target, ".step");
  if (format == "vdafs") return write_one(io::vdafs_text(result, tolerance), target, ".vda");
  if (format == "bends") return write_all(io::bend_files(result, tolerance.value_or(kBendTolerance)), target);
  if (format == "dxf") return write_one(io::dxf_text(result), target, ".dxf");
  if (format == "animation" || format == "usd") {
    Result<std::string> bytes = format == "usd" ? io::usd_text(result) : io::animation_bytes(result);
    if (!bytes) return bytes.error();
    return write_one(std::move(*bytes), target, format == "usd" ? ".usda" : ".glb", "motion");
  }
  return bad("the format '" + std::string(format) + "' is not known, expected csv, vtk, bends, " +
             std::string(kSingleFiles));
}

}  // namespace filum
